// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CollateralGuard} from "../contracts/CollateralGuard.sol";
import {CollateralTerms} from "../contracts/CollateralTerms.sol";
import {LoanGuard} from "../contracts/LoanGuard.sol";
import {PlanRegistry} from "../contracts/PlanRegistry.sol";
import {QuoteDesk} from "../contracts/QuoteDesk.sol";
import {Revocations} from "../contracts/Revocations.sol";
import {SwapExecutor} from "../contracts/SwapExecutor.sol";
import {MoolahMarket} from "../contracts/lending/MoolahMarket.sol";
import {VenusCollateral} from "../contracts/lending/VenusCollateral.sol";
import {VenusMarket} from "../contracts/lending/VenusMarket.sol";
import {ChainlinkPriceSource} from "../contracts/prices/ChainlinkPriceSource.sol";
import {VenusPriceSource} from "../contracts/prices/VenusPriceSource.sol";

/// Bowline's contracts on one chain. script/Deploy.s.sol returns them.
struct Contracts {
  Revocations revocations;
  VenusMarket venusMarket;
  LoanGuard loanGuard;
  VenusPriceSource venusPriceSource;
  ChainlinkPriceSource chainlinkPriceSource;
  PlanRegistry planRegistry;
  SwapExecutor swapExecutor;
  /// Zero on BNB Chain, which has a market of its own.
  QuoteDesk quoteDesk;
  /// Zero on a chain without Lista, and where MOOLAH_MARKET is false.
  MoolahMarket moolahMarket;
  /// All three zero where COLLATERAL_GUARD does not ask for them.
  VenusCollateral venusCollateral;
  CollateralTerms collateralTerms;
  CollateralGuard collateralGuard;
}
