// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "./MockERC20.sol";

/// A thief's token that a route leads over. Whenever it reaches `victim` or leaves it, it misbehaves in its manner.
contract MiddleToken is MockERC20 {
  enum Manner {
    Honest,
    /// Makes all its calls, and continues if they fail.
    Call,
    /// Gives the victim as much again.
    Gift,
    /// Moves half of what is asked.
    MoveHalf,
    /// Says that the victim holds twice as much as it does.
    SayTwice,
    /// Says that it holds nothing.
    SayNothing
  }

  Manner private _manner;
  address private _victim;
  address[] private _targets;
  bytes[] private _calls;
  uint256 public attempts;
  uint256 public successes;

  constructor() MockERC20("MIDDLE", 18) {}

  function behave(Manner manner, address victim) external {
    (_manner, _victim) = (manner, victim);
  }

  function add(address target, bytes calldata call) external {
    _targets.push(target);
    _calls.push(call);
  }

  function balanceOf(address account) public view override returns (uint256) {
    uint256 balance = super.balanceOf(account);
    if (account != _victim) return balance;
    if (_manner == Manner.SayNothing) return 0;
    return _manner == Manner.SayTwice ? 2 * balance : balance;
  }

  function _update(address from, address to, uint256 value) internal override {
    bool isVictims = from != address(0) && (from == _victim || to == _victim);
    super._update(from, to, isVictims && _manner == Manner.MoveHalf ? value / 2 : value);
    if (!isVictims) return;
    if (_manner == Manner.Gift && to == _victim) _mint(_victim, value);
    if (_manner != Manner.Call) return;
    for (uint256 i; i < _targets.length; ++i) {
      ++attempts;
      (bool succeeded,) = _targets[i].call(_calls[i]);
      if (succeeded) ++successes;
    }
  }
}
