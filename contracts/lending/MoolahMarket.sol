// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

import {ILendingMarket} from "../interfaces/ILendingMarket.sol";
import {IMoolah, IMoolahOracle, IMorpho} from "../interfaces/IMorpho.sol";
import {MorphoMarket} from "./MorphoMarket.sol";

/// @title MoolahMarket
/// @notice Adapter to Lista's Moolah, which is Morpho Blue with oracles of its own, a pause, a minimum loan, markets in which
/// only a broker may repay, and collateral that only a provider may move. Values are US dollars.
/// @dev In a market with a broker, the broker's record of the debt counts, so such a market is refused. A provider does
/// not matter here: repaying moves no collateral. Moolah's reentrancy lock is held during a repayment, in which this
/// contract is never called.
contract MoolahMarket is MorphoMarket {
  /// Moolah rounds the debt down before comparing it with its minimum, and a repayment that leaves the minimum moves
  /// the share price by less than one unit.
  uint256 private constant ROUNDING = 2;
  /// Decimals of Moolah's oracles.
  uint256 private constant PRICE_DECIMALS = 8;

  constructor(IMoolah moolah) MorphoMarket(moolah) {}

  /// @inheritdoc ILendingMarket
  function numeraire(bytes32 market) external view override returns (address) {
    _params(market);
    return address(0);
  }

  function _params(bytes32 market) internal view override returns (IMorpho.MarketParams memory) {
    if (_moolah().brokers(market) != address(0)) revert MarketBrokered(market);
    return super._params(market);
  }

  function _price(IMorpho.MarketParams memory params) internal view override returns (uint256) {
    try _moolah().getPrice(params) returns (uint256 price) {
      return price;
    } catch {
      return 0;
    }
  }

  /// Scaled as in Moolah: a token of 6 decimals at one dollar is worth 1e30. An absurd price is refused before scaling.
  function _loanTokenPriceWad(IMorpho.MarketParams memory params) internal view override returns (uint256) {
    try IMoolahOracle(params.oracle).peek(params.loanToken) returns (uint256 price) {
      if (price > type(uint128).max) return price;
      return price * 10 ** (36 - PRICE_DECIMALS - IERC20Metadata(params.loanToken).decimals());
    } catch {
      return 0;
    }
  }

  function _minDebt(IMorpho.MarketParams memory params) internal view override returns (uint256) {
    return _moolah().minLoan(params) + ROUNDING;
  }

  function _isPaused() internal view override returns (bool) {
    return _moolah().paused();
  }

  function _moolah() private view returns (IMoolah) {
    return IMoolah(address(morpho));
  }
}
