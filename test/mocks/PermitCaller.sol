// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// The token of a permit, which is any contract that the submitter names: its `permit` makes one call.
contract PermitCaller {
  address private immutable TARGET;
  bytes private _call;

  constructor(address target, bytes memory call) {
    TARGET = target;
    _call = call;
  }

  function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) external {
    Address.functionCall(TARGET, _call);
  }

  function allowance(address, address) external pure returns (uint256) {
    return type(uint256).max;
  }
}
