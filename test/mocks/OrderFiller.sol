// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IPlanExecutor} from "../../contracts/interfaces/IPlanExecutor.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {MockOrderBook} from "./MockOrderBook.sol";

/// A thieving executor. Instead of delivering, it fills the owner's own resting order elsewhere, which raises the
/// owner's tokenOut balance during the callback by as much as a fair delivery. Then it keeps the pulled funds.
contract OrderFiller is IPlanExecutor {
  IPlanRegistry private immutable registry;
  MockOrderBook private immutable book;

  constructor(IPlanRegistry registry_, MockOrderBook book_) {
    registry = registry_;
    book = book_;
  }

  function attack(uint256 planId, uint256 orderId) external {
    IPlanRegistry.Ticket memory ticket;
    ticket.verdict = Verdict.GO;
    registry.pullFunds(planId, 1, ticket, "", abi.encode(orderId));
  }

  function onRunOpened(IPlanRegistry.OpenRun calldata run, bytes calldata data) external {
    uint256 orderId = abi.decode(data, (uint256));
    registry.payTo(address(this));
    IERC20 tokenOut = IERC20(run.tokenOut);
    tokenOut.approve(address(book), type(uint256).max);
    book.fill(orderId);
    registry.recordRun(run.planId);
  }
}
