// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMoolah, IMorpho} from "../interfaces/IMorpho.sol";
import {MorphoMarket} from "./MorphoMarket.sol";

/// @title MoolahMarket
/// @notice Adapter to Lista's Moolah, which is Morpho Blue with oracles of its own, a pause, a minimum loan, and markets
/// in which only a broker may repay. The last are refused as not listed.
contract MoolahMarket is MorphoMarket {
  /// Moolah rounds the debt down before it compares it with its minimum, and a repayment that leaves the minimum moves
  /// the price of a share by less than a unit.
  uint256 private constant ROUNDING = 2;

  constructor(IMoolah moolah) MorphoMarket(moolah) {}

  function _params(bytes32 market) internal view override returns (IMorpho.MarketParams memory) {
    if (_moolah().brokers(market) != address(0)) revert MarketNotListed(market);
    return super._params(market);
  }

  function _price(IMorpho.MarketParams memory params) internal view override returns (uint256) {
    try _moolah().getPrice(params) returns (uint256 price) {
      return price;
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
