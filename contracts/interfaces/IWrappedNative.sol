// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The part of the wrapped native coin that Bowline uses
interface IWrappedNative {
  /// Mints the caller one token per coin sent.
  function deposit() external payable;
  /// Burns the caller's tokens and sends the same amount of the native coin, with 2,300 gas.
  function withdraw(uint256 amount) external;
}
