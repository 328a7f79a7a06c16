// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "./MockERC20.sol";

/// A token that makes one call during a transfer, after the balances have moved.
contract HookERC20 is MockERC20 {
  address private _target;
  /// Zero for any.
  address private _receiver;
  bytes private _call;
  bool private _swallows;
  bool public succeeded;
  bytes public returned;

  constructor(string memory symbol_, uint8 decimals_) MockERC20(symbol_, decimals_) {}

  /// @param swallows Whether the transfer continues if the call fails.
  function hookNextTransfer(address target, bytes calldata call, bool swallows) external {
    hookTransferTo(address(0), target, call, swallows);
  }

  /// The same for the next transfer to `receiver`.
  function hookTransferTo(address receiver, address target, bytes calldata call, bool swallows) public {
    (_receiver, _target, _call, _swallows) = (receiver, target, call, swallows);
  }

  function _update(address from, address to, uint256 value) internal override {
    super._update(from, to, value);
    address target = _target;
    if (target == address(0) || from == address(0) || (_receiver != address(0) && to != _receiver)) return;
    _target = address(0);
    (succeeded, returned) = target.call(_call);
    bytes memory reason = returned;
    if (!succeeded && !_swallows) {
      assembly ("memory-safe") {
        revert(add(reason, 0x20), mload(reason))
      }
    }
  }
}
