// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Makes any caller's calls in one transaction.
contract CallBatch {
  function run(address target, bytes[] calldata calls) external {
    for (uint256 at; at < calls.length; ++at) {
      (bool done,) = target.call(calls[at]);
      require(done);
    }
  }
}
