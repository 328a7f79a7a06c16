// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {MockERC20} from "../MockERC20.sol";
import {MockComptroller} from "./MockComptroller.sol";

/// Debts of one Venus market: principals that grow with an index, which changes only on accrual.
abstract contract MockVenusDebts {
  uint256 public borrowIndex = 1e18;
  /// The index after the next accrual.
  uint256 public nextIndex = 1e18;
  mapping(address account => uint256) internal _principal;
  mapping(address account => uint256) internal _indexAt;
  MockComptroller internal _comptroller;
  mapping(address account => uint256) public balanceOf;
  uint256 public exchangeRateStored;
  uint256 private _snapshotCode;

  /// Repayments are refused while the comptroller, if one is set, has paused them.
  modifier whenNotPaused() {
    if (address(_comptroller) != address(0)) {
      require(!_comptroller.protocolPaused(), "protocol is paused");
      require(!_comptroller.actionPaused(address(this), 3), "action is paused");
    }
    _;
  }

  function setComptroller(MockComptroller comptroller) external {
    _comptroller = comptroller;
  }

  function setDebt(address account, uint256 debt) external {
    _setDebt(account, debt);
  }

  function setNextIndex(uint256 nextIndex_) external {
    nextIndex = nextIndex_;
  }

  /// In vTokens, at `exchangeRateStored` base units each, with 18 decimals.
  function setBalance(address account, uint256 balance, uint256 exchangeRate_) external {
    (balanceOf[account], exchangeRateStored) = (balance, exchangeRate_);
  }

  function setSnapshotCode(uint256 code) external {
    _snapshotCode = code;
  }

  function getAccountSnapshot(address account) external view returns (uint256, uint256, uint256, uint256) {
    return (_snapshotCode, balanceOf[account], borrowBalanceStored(account), exchangeRateStored);
  }

  function borrowBalanceStored(address account) public view returns (uint256) {
    return _principal[account] == 0 ? 0 : _principal[account] * borrowIndex / _indexAt[account];
  }

  function borrowBalanceCurrent(address account) public returns (uint256) {
    borrowIndex = nextIndex;
    return borrowBalanceStored(account);
  }

  function _setDebt(address account, uint256 debt) internal {
    (_principal[account], _indexAt[account]) = (debt, borrowIndex);
  }
}

/// A vBEP20 market without lending. It can be set to fail with a code, or to take less or more than offered.
contract MockVToken is MockVenusDebts {
  using SafeERC20 for IERC20;

  address public immutable underlying;
  uint256 public repayCode;
  uint256 public maxTaken = type(uint256).max;
  uint256 public overcharge;
  uint256 public getCash = type(uint256).max;
  mapping(address account => mapping(address spender => uint256)) public allowance;

  constructor(address underlying_) {
    underlying = underlying_;
  }

  function setRepayCode(uint256 repayCode_) external {
    repayCode = repayCode_;
  }

  function setMaxTaken(uint256 maxTaken_) external {
    maxTaken = maxTaken_;
  }

  /// The amount that a repayment takes beyond the amount it counts.
  function setOvercharge(uint256 overcharge_) external {
    overcharge = overcharge_;
  }

  function setCash(uint256 cash) external {
    getCash = cash;
  }

  function approve(address spender, uint256 amount) external returns (bool) {
    allowance[msg.sender][spender] = amount;
    return true;
  }

  function accrueInterest() external returns (uint256) {
    borrowIndex = nextIndex;
    return 0;
  }

  /// The comptroller judges it before, as in Venus.
  function transferFrom(address from, address to, uint256 amount) external returns (bool) {
    allowance[from][msg.sender] -= amount;
    _comptroller.release(from, exchangeRateStored, balanceOf[from], amount);
    balanceOf[from] -= amount;
    balanceOf[to] += amount;
    return true;
  }

  /// The token is new, less the comptroller's fee.
  function redeem(uint256 vTokens) external returns (uint256) {
    require(!_comptroller.actionPaused(address(this), 1), "action is paused");
    balanceOf[msg.sender] -= vTokens;
    uint256 amount = vTokens * exchangeRateStored / 1e18;
    require(amount <= getCash, "insufficient cash");
    MockERC20(underlying).mint(msg.sender, amount - amount * _comptroller.treasuryPercent() / 1e18);
    return 0;
  }

  /// As in Venus 10.x: takes no excess over the debt; without debt it does nothing and returns 0.
  function repayBorrowBehalf(address borrower, uint256 amount) external whenNotPaused returns (uint256) {
    if (repayCode != 0) return repayCode;
    uint256 debt = borrowBalanceCurrent(borrower);
    if (amount > debt) amount = debt;
    if (amount > maxTaken) amount = maxTaken;
    if (amount == 0) return 0;
    IERC20(underlying).safeTransferFrom(msg.sender, address(this), amount + overcharge);
    _setDebt(borrower, debt - amount);
    return 0;
  }
}

/// The repayment part of the native coin's market: no underlying, a fallback that burns all gas, and a revert above the
/// debt.
contract MockVBnb is MockVenusDebts {
  function repayBorrowBehalf(address borrower) external payable whenNotPaused {
    uint256 debt = borrowBalanceCurrent(borrower);
    require(msg.value <= debt, "repay: above the debt");
    _setDebt(borrower, debt - msg.value);
  }

  fallback() external payable {
    assembly {
      invalid()
    }
  }
}
