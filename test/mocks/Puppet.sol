// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// An account with code that executes any call for anyone, and passes failures on.
contract Puppet {
  function act(address target, bytes calldata call) external returns (bytes memory) {
    return Address.functionCall(target, call);
  }
}
