// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ICollateralMarket} from "../../../contracts/interfaces/ICollateralMarket.sol";
import {MarketAddress} from "../../../contracts/libraries/MarketAddress.sol";

/// An adapter before the real one that calls `hook` between receipts and withdrawal, and can lie.
contract OddAdapter is ICollateralMarket {
  ICollateralMarket private immutable real;
  function() external private hook;
  address private token;
  bool private isWeightless;
  bool private keepsHalf;

  constructor(ICollateralMarket real_, address token_, function() external hook_) {
    (real, token, hook) = (real_, token_, hook_);
  }

  /// Tells that the collateral weighs nothing, or repays half of what it is given.
  function lie(bool isWeightless_, bool keepsHalf_) external {
    (isWeightless, keepsHalf) = (isWeightless_, keepsHalf_);
  }

  function turnTo(address token_) external {
    token = token_;
  }

  function repayToken(bytes32 market) external view returns (address) {
    return real.repayToken(market);
  }

  function collateralToken(bytes32) external view returns (address) {
    return token;
  }

  function numeraire(bytes32 market) external view returns (address) {
    return real.numeraire(market);
  }

  function limitsOf(address account, bytes32 market) external view returns (Limits memory) {
    return real.limitsOf(account, market);
  }

  function accrueAndRead(address borrower, bytes32 market) external returns (Position memory) {
    return real.accrueAndRead(borrower, market);
  }

  function accrueAndReadCollateral(address account, bytes32 market) external returns (Collateral memory collateral) {
    collateral = real.accrueAndReadCollateral(account, market);
    collateral.token = token;
    if (isWeightless) collateral.weightWad = 0;
  }

  function weightedCollateralBy(address, address, bytes32) external pure returns (uint256) {}

  function storedDebt(address borrower, bytes32 market) external view returns (uint256) {
    return real.storedDebt(borrower, market);
  }

  function forcedMarkets(address) external pure returns (bytes32[] memory) {}

  function explainTransfer(address account, bytes32 market) external view {
    real.explainTransfer(account, market);
  }

  function repay(address borrower, bytes32 market, uint256 amount, address leftoverTo) external {
    if (keepsHalf) amount /= 2;
    IERC20(real.repayToken(market)).transfer(address(real), amount);
    real.repay(borrower, market, amount, leftoverTo);
  }

  function withdraw(bytes32 market, uint256 receipts, uint256 amount, address to, address leftoverTo) external {
    hook();
    IERC20(MarketAddress.toAddress(market)).transfer(address(real), receipts);
    real.withdraw(market, receipts, amount, to, leftoverTo);
  }
}
