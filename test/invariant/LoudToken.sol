// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "../mocks/MockERC20.sol";

interface IListener {
  function onMoved(address from, address to) external;
}

/// A token that calls its listener after every transfer.
contract LoudToken is MockERC20 {
  IListener private _listener;

  constructor(string memory symbol_, uint8 decimals_) MockERC20(symbol_, decimals_) {}

  function setListener(IListener listener) external {
    _listener = listener;
  }

  function _update(address from, address to, uint256 value) internal override {
    super._update(from, to, value);
    if (address(_listener) != address(0)) _listener.onMoved(from, to);
  }
}
