// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Resting orders that anyone may fill: the simplest way for a stranger to raise an owner's balance honestly.
contract MockOrderBook {
  struct Order {
    address maker;
    IERC20 gives;
    uint256 giveAmount;
    IERC20 wants;
    uint256 wantAmount;
  }

  Order[] public orders;

  function place(IERC20 gives, uint256 giveAmount, IERC20 wants, uint256 wantAmount) external returns (uint256 order) {
    orders.push(Order(msg.sender, gives, giveAmount, wants, wantAmount));
    return orders.length - 1;
  }

  function fill(uint256 order) external {
    Order memory o = orders[order];
    delete orders[order];
    require(o.maker != address(0), "no such order");
    require(o.wants.transferFrom(msg.sender, o.maker, o.wantAmount), "taker does not pay");
    require(o.gives.transferFrom(o.maker, msg.sender, o.giveAmount), "maker does not pay");
  }
}
