// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockV3Pool} from "../../mocks/MockV3Pool.sol";

interface ISwapListener {
  function onSwap(bool isPaid) external;
}

/// A pool that calls the handler before it asks for its input and after it has it.
contract HostilePool is MockV3Pool {
  ISwapListener private _handler;

  function setHandler(ISwapListener handler) external {
    _handler = handler;
  }

  function swap(
    address recipient,
    bool zeroForOne,
    int256 amountSpecified,
    uint160 sqrtPriceLimitX96,
    bytes calldata data
  ) public override returns (int256 amount0, int256 amount1) {
    _handler.onSwap(false);
    (amount0, amount1) = super.swap(recipient, zeroForOne, amountSpecified, sqrtPriceLimitX96, data);
    _handler.onSwap(true);
  }
}
