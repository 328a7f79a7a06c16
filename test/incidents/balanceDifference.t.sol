// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {MockOrderBook} from "../mocks/MockOrderBook.sol";
import {OrderFiller} from "../mocks/OrderFiller.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: any increase of the recipient's balance since the run opened counts as delivered.
contract BalanceDifferenceTwin is SmallRegistry {
  uint256 private _balanceBefore;

  constructor(address source) SmallRegistry(source) {}

  function pullFunds(
    uint256 planId,
    uint256 version,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata data
  ) public override returns (uint256) {
    _balanceBefore = IERC20(_terms[planId].tokenOut).balanceOf(_terms[planId].recipient);
    return super.pullFunds(planId, version, ticket, signature, data);
  }

  function _deliver(IERC20 token, address recipient, uint256 amount) internal override returns (uint256) {
    super._deliver(token, recipient, amount);
    return token.balanceOf(recipient) - _balanceBefore;
  }
}

/// The owner offers another 100 USD for the same coins elsewhere. The thief fills that order with the run's funds, is
/// paid for it there, and has the same coins counted here.
contract BalanceDifferenceTest is IncidentBase {
  MockOrderBook private book;
  OrderFiller private thief;

  function setUp() public override {
    super.setUp();
    recipient = owner;
    book = new MockOrderBook();
    vm.prank(owner);
    usd.approve(address(book), AMOUNT);
  }

  function attack() external override {
    vm.prank(owner);
    uint256 order = book.place(usd, AMOUNT, coin, FLOOR);
    IPlanRegistry.Terms memory terms = _terms();
    terms.executor = address(thief);
    thief.attack(_create(terms), order);
  }

  /// IT-1: one purchase's coins for two purchases' money.
  function test_TheTwinsOwnerPaysTwice() public {
    _moveTo(address(new BalanceDifferenceTwin(address(source))));
    _arm();
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - 2 * AMOUNT);
    assertEq(coin.balanceOf(owner), FLOOR);
    assertEq(usd.balanceOf(address(thief)), 2 * AMOUNT);
    assertEq(coin.balanceOf(address(thief)), 0);
  }

  /// IT-1, PR-12
  function test_RevertWhen_TriedOnOurs() public {
    _arm();
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 0, FLOOR));
  }

  function _arm() private {
    thief = new OrderFiller(registry, book);
    coin.mint(address(thief), FLOOR);
  }
}
