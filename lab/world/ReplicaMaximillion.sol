// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

interface IBnbMarket {
  function borrowBalanceCurrent(address account) external returns (uint256);
  function repayBorrowBehalf(address borrower) external payable;
}

/// @title Stand-in for Venus's Maximillion, for local chains only
/// @notice A market of BNB takes no more than what is owed, which grows by the block. This contract pays it what is owed in that
/// block, and returns the rest.
contract ReplicaMaximillion {
  function repayBehalfExplicit(address borrower, address vBnb) external payable {
    uint256 debt = IBnbMarket(vBnb).borrowBalanceCurrent(borrower);
    uint256 paid = msg.value < debt ? msg.value : debt;
    IBnbMarket(vBnb).repayBorrowBehalf{value: paid}(borrower);
    payable(msg.sender).transfer(msg.value - paid);
  }
}
