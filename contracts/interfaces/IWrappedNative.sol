// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What is used of the wrapped native coin
interface IWrappedNative {
  /// Burns the caller's tokens and sends as much of the coin, with 2,300 gas.
  function withdraw(uint256 amount) external;
}
