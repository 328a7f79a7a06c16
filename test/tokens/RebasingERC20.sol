// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OddERC20} from "./OddTokens.sol";

/// A share-based token whose balances all double or halve: when it turns odd, or during a later transfer.
///
/// During a transfer it doubles before the move, so the sender keeps the increase, and halves after it, so the receiver
/// has less than was sent: the worst case for either measurement.
contract RebasingERC20 is OddERC20 {
  /// Balance per eight shares. Four, eight or two: nothing is ever rounded.
  uint256 private _rate = 4;
  bool private immutable UP;
  /// Which transfer after the turn rebases; none means the turn itself.
  uint256 private immutable IN_TRANSFER;
  uint256 private _transfers;

  constructor(bool up, uint256 inTransfer) OddERC20(18) {
    (UP, IN_TRANSFER) = (up, inTransfer);
  }

  function turnOdd() external override {
    _odd = true;
    if (IN_TRANSFER == 0) _rebase();
  }

  function hasRebased() external view returns (bool) {
    return _rate != 4;
  }

  function balanceOf(address account) public view override returns (uint256) {
    return super.balanceOf(account) * _rate / 8;
  }

  function totalSupply() public view override returns (uint256) {
    return super.totalSupply() * _rate / 8;
  }

  function _update(address from, address to, uint256 value) internal override {
    bool rebases = _isOddTransfer(from, to) && ++_transfers == IN_TRANSFER;
    if (rebases && UP) _rebase();
    super._update(from, to, value * 8 / _rate);
    if (rebases && !UP) _rebase();
  }

  function _rebase() private {
    _rate = UP ? 8 : 2;
  }
}
