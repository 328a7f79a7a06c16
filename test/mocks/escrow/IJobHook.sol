// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// The kernel calls this before and after each step of a job.
interface IJobHook {
  function beforeAction(uint256 jobId, bytes4 selector, bytes calldata data) external;
  function afterAction(uint256 jobId, bytes4 selector, bytes calldata data) external;
}
