// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Makes any caller's calls in one transaction.
contract CallBatch {
  function run(address target, bytes[] calldata calls) external {
    for (uint256 i; i < calls.length; ++i) {
      (bool done,) = target.call(calls[i]);
      require(done);
    }
  }
}
