// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISwapRouter} from "../../contracts/lens/Sources.sol";

/// Loops until it has used a given amount of gas.
abstract contract Heavy {
  modifier costing(uint256 gasUsed) {
    uint256 began = gasleft();
    _;
    while (began - gasleft() < gasUsed) {}
  }
}

/// A token whose every answer costs nearly all the gas that the lens gives it.
contract HeavyERC20 is Heavy {
  uint256 private constant COST = 480_000;

  mapping(address => uint256) private balances;

  function mint(address to, uint256 amount) external {
    balances[to] += amount;
  }

  function move(address from, address to, uint256 amount) external {
    balances[from] -= amount;
    balances[to] += amount;
  }

  function approve(address, uint256) external costing(COST) returns (bool) {
    return true;
  }

  function balanceOf(address account) external costing(COST) returns (uint256) {
    return balances[account];
  }
}

/// A router whose every one-for-one swap costs nearly all the gas that the lens gives it.
contract HeavyRouter is Heavy {
  uint256 private constant COST = 4_900_000;

  function exactInput(ISwapRouter.Order calldata order) external costing(COST) returns (uint256) {
    HeavyERC20 tokenIn = HeavyERC20(address(bytes20(order.path)));
    HeavyERC20 tokenOut = HeavyERC20(address(bytes20(order.path[order.path.length - 20:])));
    tokenIn.move(order.recipient, address(this), order.amountIn);
    tokenOut.move(address(this), order.recipient, order.amountIn);
    return order.amountIn;
  }
}
