// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "../MockERC20.sol";

interface ITransferHook {
  function onTransfer(address from, address to, uint256 amount) external;
}

/// A token that calls somebody, who may do anything, at the end of each transfer.
contract HookToken is MockERC20 {
  ITransferHook public hook;

  constructor() MockERC20("HOOK", 18) {}

  function setHook(ITransferHook hook_) external {
    hook = hook_;
  }

  function _update(address from, address to, uint256 amount) internal override {
    super._update(from, to, amount);
    if (address(hook) != address(0)) hook.onTransfer(from, to, amount);
  }
}

/// Makes one call during the first transfer that it is told of, and keeps what came of it.
contract CallOnTransfer is ITransferHook {
  address public target;
  bytes public request;
  bool public called;
  bool public succeeded;
  bytes public answer;

  function set(address target_, bytes calldata request_) external {
    (target, request) = (target_, request_);
  }

  function onTransfer(address, address, uint256) external {
    if (called || target == address(0)) return;
    called = true;
    (succeeded, answer) = target.call(request);
  }
}
