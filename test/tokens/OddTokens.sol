// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {MockERC20} from "../mocks/MockERC20.sol";

/// A token that behaves normally until it is turned odd, in the one way that its name states: a plan is created, and a
/// loan taken, before the oddity shows.
abstract contract OddERC20 is MockERC20 {
  bool internal _odd;

  constructor(uint8 decimals_) MockERC20("ODD", decimals_) {}

  function turnOdd() external virtual {
    _odd = true;
  }

  function _isOddTransfer(address from, address to) internal view returns (bool) {
    return _odd && from != address(0) && to != address(0);
  }
}

/// Returns this many bytes on every success, where one word is expected.
contract WrongLengthERC20 is OddERC20 {
  uint256 private immutable LENGTH;

  constructor(uint256 length) OddERC20(18) {
    LENGTH = length;
  }

  function transfer(address to, uint256 amount) public override returns (bool) {
    super.transfer(to, amount);
    _answer();
  }

  function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
    super.transferFrom(from, to, amount);
    _answer();
  }

  function approve(address spender, uint256 amount) public override returns (bool) {
    super.approve(spender, amount);
    _answer();
  }

  function _answer() private view {
    uint256 length = _odd ? LENGTH : 32;
    assembly {
      // The returned part of the first word ends in a one.
      mstore(0x00, shl(mul(8, sub(32, mul(lt(length, 32), length))), 1))
      if iszero(lt(length, 32)) { mstore(0x00, 1) }
      mstore(0x20, 0)
      return(0x00, length)
    }
  }
}

/// Gives the receiver one unit more than the sender loses.
contract BonusERC20 is OddERC20 {
  constructor() OddERC20(18) {}

  function _update(address from, address to, uint256 value) internal override {
    super._update(from, to, value);
    if (_isOddTransfer(from, to)) super._update(address(0), to, 1);
  }
}

/// Moves one unit less than requested, as share-based tokens do by rounding.
contract ShortERC20 is OddERC20 {
  constructor() OddERC20(18) {}

  function _update(address from, address to, uint256 value) internal override {
    super._update(from, to, _isOddTransfer(from, to) && value != 0 ? value - 1 : value);
  }
}

/// Refuses transfers from or to one account, or everybody's.
contract BlockingERC20 is OddERC20 {
  address private _sender;
  address private _receiver;
  bool private _everybody;

  error Blocked(address account);
  error Paused();

  constructor() OddERC20(18) {}

  function aim(address sender, address receiver, bool everybody) external {
    (_sender, _receiver, _everybody) = (sender, receiver, everybody);
  }

  function _update(address from, address to, uint256 value) internal override {
    if (_odd) {
      if (_everybody) revert Paused();
      if (from == _sender) revert Blocked(from);
      if (to == _receiver) revert Blocked(to);
    }
    super._update(from, to, value);
  }
}

/// Calls the sender before and the receiver after a transfer, as ERC-777 does. Both use the call to repeat the current
/// action in their own name.
contract CallbackERC20 is OddERC20 {
  Vm private constant VM = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

  address private _caller;
  address private _target;
  bytes private _call;
  uint256 public attempts;
  bool public hasEntered;

  constructor() OddERC20(18) {}

  function aim(address caller, address target, bytes calldata call) external {
    (_caller, _target, _call) = (caller, target, call);
  }

  function _update(address from, address to, uint256 value) internal override {
    if (_isOddTransfer(from, to)) _callBack();
    super._update(from, to, value);
    if (_isOddTransfer(from, to)) _callBack();
  }

  function _callBack() private {
    ++attempts;
    VM.prank(_caller);
    (bool succeeded,) = _target.call(_call);
    if (succeeded) hasEntered = true;
  }
}

/// Refuses transfers or approvals of zero.
contract NoZeroERC20 is OddERC20 {
  bool private immutable OF_APPROVALS;

  error ZeroRefused();

  constructor(bool ofApprovals) OddERC20(18) {
    OF_APPROVALS = ofApprovals;
  }

  function approve(address spender, uint256 amount) public override returns (bool) {
    if (_odd && OF_APPROVALS && amount == 0) revert ZeroRefused();
    return super.approve(spender, amount);
  }

  function _update(address from, address to, uint256 value) internal override {
    if (_odd && !OF_APPROVALS && value == 0) revert ZeroRefused();
    super._update(from, to, value);
  }
}

/// Sets an allowance only from zero or to zero.
contract ResetFirstERC20 is OddERC20 {
  error AllowanceNotReset();

  constructor() OddERC20(18) {}

  function approve(address spender, uint256 amount) public override returns (bool) {
    if (_odd && amount != 0 && allowance(msg.sender, spender) != 0) revert AllowanceNotReset();
    return super.approve(spender, amount);
  }
}

/// Reduces every allowance, even the maximum one, which others leave unchanged.
contract FiniteERC20 is OddERC20 {
  constructor() OddERC20(18) {}

  function _spendAllowance(address owner, address spender, uint256 value) internal override {
    uint256 allowed = allowance(owner, spender);
    if (allowed < value) revert ERC20InsufficientAllowance(spender, allowed, value);
    _approve(owner, spender, allowed - value, false);
  }
}

/// Treats the maximum number as "the sender's whole balance".
contract WholeBalanceERC20 is OddERC20 {
  constructor() OddERC20(18) {}

  function _update(address from, address to, uint256 value) internal override {
    super._update(from, to, _isOddTransfer(from, to) && value == type(uint256).max ? balanceOf(from) : value);
  }
}
