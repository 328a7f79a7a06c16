// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IResilientOracle, IVToken, IVaiController, IVenusComptroller} from "../../../contracts/interfaces/IVenus.sol";

/// The comptroller's view of an account. Tests set the weighted collateral; it sums the debts from the markets.
contract MockComptroller is IVenusComptroller {
  address public oracle;
  address public vaiController;
  mapping(address vToken => bool) private _listed;
  address[] private _markets;
  mapping(address account => address[]) private _entered;
  mapping(address account => uint256) private _weightedCollateralUsd;
  bool public protocolPaused;
  mapping(address market => mapping(uint8 action => bool)) public actionPaused;
  mapping(address market => bool) public isForcedLiquidationEnabled;
  mapping(address borrower => mapping(address market => bool)) public isForcedLiquidationEnabledForUser;
  mapping(address account => mapping(address vToken => uint256)) private _thresholdWad;
  mapping(address account => mapping(address vToken => uint256)) private _factorWad;
  /// Of what is redeemed, with 18 decimals.
  uint256 public treasuryPercent;
  address private _collateral;
  uint256 private _readCode;
  uint256 private _excessShortfall;

  constructor(address oracle_) {
    oracle = oracle_;
  }

  function setVaiController(address vaiController_) external {
    vaiController = vaiController_;
  }

  function list(address vToken, bool listed) external {
    if (listed) _markets.push(vToken);
    _listed[vToken] = listed;
  }

  function getAllMarkets() external view returns (address[] memory) {
    return _markets;
  }

  function enter(address account, address vToken) external {
    _entered[account].push(vToken);
  }

  function setWeightedCollateral(address account, uint256 weightedCollateralUsd) external {
    _weightedCollateralUsd[account] = weightedCollateralUsd;
  }

  function pauseProtocol() external {
    protocolPaused = true;
  }

  function pauseAction(address market, uint8 action) external {
    actionPaused[market][action] = true;
  }

  function forceLiquidation(address market, bool forced) external {
    isForcedLiquidationEnabled[market] = forced;
  }

  function forceLiquidationOf(address borrower, address market, bool forced) external {
    isForcedLiquidationEnabledForUser[borrower][market] = forced;
  }

  function setThreshold(address account, address vToken, uint256 thresholdWad) external {
    _thresholdWad[account][vToken] = thresholdWad;
  }

  function setFactor(address account, address vToken, uint256 factorWad) external {
    _factorWad[account][vToken] = factorWad;
  }

  function setTreasuryPercent(uint256 percent) external {
    treasuryPercent = percent;
  }

  function getEffectiveLtvFactor(address account, address vToken, uint8 strategy) external view returns (uint256) {
    return (strategy == 1 ? _thresholdWad : _factorWad)[account][vToken];
  }

  function getEffectiveLiquidationIncentive(address, address) external pure returns (uint256) {
    return 1.1e18;
  }

  /// Called by a vToken whose `amount` of `balance` leaves an account. The weight falls as Venus's own sum does. Of borrowing
  /// power it knows only that collateral without a factor gives none.
  function release(address account, uint256 rate, uint256 balance, uint256 amount) external {
    require(!protocolPaused && !actionPaused[msg.sender][6], "action is paused");
    if (!checkMembership(account, msg.sender)) return;
    uint256 unit =
      _thresholdWad[account][msg.sender] * rate / 1e18 * IResilientOracle(oracle).getUnderlyingPrice(msg.sender) / 1e18;
    uint256 fell = unit * balance / 1e18 - unit * (balance - amount) / 1e18;
    uint256 weighted = _weightedCollateralUsd[account];
    _weightedCollateralUsd[account] = weighted > fell ? weighted - fell : 0;
    require(unit == 0 || _factorWad[account][msg.sender] != 0 || _debtUsd(account) == 0, "insufficient liquidity");
  }

  /// Makes it ask for a market's price without debt there, as for collateral.
  function countPriceOf(address vToken) external {
    _collateral = vToken;
  }

  function setReadCode(uint256 readCode) external {
    _readCode = readCode;
  }

  /// Makes the shortfall larger than any real account's.
  function setExcessShortfall(uint256 excessShortfall) external {
    _excessShortfall = excessShortfall;
  }

  /// Venus returns a struct with more members, whose words follow.
  function markets(address vToken) external view returns (bool) {
    bool listed = _listed[vToken];
    assembly {
      mstore(0x00, listed)
      mstore(0x20, 800000000000000000)
      return(0x00, 0x40)
    }
  }

  function getAssetsIn(address account) external view returns (address[] memory) {
    return _entered[account];
  }

  function getAccountLiquidity(address account) external view returns (uint256, uint256, uint256) {
    if (_readCode != 0) return (_readCode, 0, 0);
    // As in Venus 10.x: a price of zero returns a code instead of a revert.
    if (_collateral != address(0) && IResilientOracle(oracle).getUnderlyingPrice(_collateral) == 0) return (13, 0, 0);
    uint256 debtUsd = _debtUsd(account);
    uint256 weighted = _weightedCollateralUsd[account];
    if (weighted >= debtUsd) return (0, weighted - debtUsd, 0);
    return (0, 0, debtUsd - weighted + _excessShortfall);
  }

  function checkMembership(address account, address vToken) public view returns (bool) {
    for (uint256 i; i < _entered[account].length; ++i) {
      if (_entered[account][i] == vToken) return true;
    }
    return false;
  }

  function _debtUsd(address account) private view returns (uint256 debtUsd) {
    debtUsd = vaiController == address(0) ? 0 : IVaiController(vaiController).getVAIRepayAmount(account);
    for (uint256 i; i < _entered[account].length; ++i) {
      address vToken = _entered[account][i];
      debtUsd += IVToken(vToken).borrowBalanceStored(account) * IResilientOracle(oracle).getUnderlyingPrice(vToken)
      / 1e18;
    }
  }
}
