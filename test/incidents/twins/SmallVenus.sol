// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {IResilientOracle, IVToken, IVenusComptroller} from "../../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../../contracts/libraries/MarketAddress.sol";

/// A minimal Venus adapter for vBEP20 markets. Each twin makes exactly one mistake.
abstract contract SmallVenus is ILendingMarket {
  using MarketAddress for bytes32;
  using SafeERC20 for IERC20;

  IVenusComptroller private immutable comptroller;

  constructor(IVenusComptroller comptroller_) {
    comptroller = comptroller_;
  }

  function repayToken(bytes32 market) public view returns (address) {
    address vToken = market.toAddress();
    _requireListed(comptroller.markets(vToken));
    return IVToken(vToken).underlying();
  }

  function numeraire(bytes32) external pure returns (address) {
    return address(0);
  }

  function accrueAndRead(address borrower, bytes32 market) external returns (Position memory position) {
    IResilientOracle oracle = IResilientOracle(comptroller.oracle());
    position.marketDebt = IVToken(market.toAddress()).borrowBalanceCurrent(borrower);
    position.repayToken = repayToken(market);
    position.repayTokenPriceWad = oracle.getPrice(position.repayToken);
    address[] memory entered = comptroller.getAssetsIn(borrower);
    for (uint256 i; i < entered.length; ++i) {
      uint256 debt = IVToken(entered[i]).borrowBalanceStored(borrower);
      position.debtValue += debt * oracle.getUnderlyingPrice(entered[i]) / 1e18;
    }
    (, uint256 liquidity, uint256 shortfall) = comptroller.getAccountLiquidity(borrower);
    position.weightedCollateralValue = position.debtValue + liquidity - shortfall;
  }

  function storedDebt(address borrower, bytes32 market) external view returns (uint256) {
    return IVToken(market.toAddress()).borrowBalanceStored(borrower);
  }

  function forcedMarkets(address) external pure returns (bytes32[] memory) {}

  function weightedCollateralBy(address, address, bytes32) external pure returns (uint256) {}

  function repay(address borrower, bytes32 market, uint256 amount, address) external {
    address vToken = market.toAddress();
    IERC20(repayToken(market)).forceApprove(vToken, amount);
    _requireRepaid(IVToken(vToken).repayBorrowBehalf(borrower, amount));
  }

  function _requireListed(bool isListed) internal pure virtual {
    require(isListed, "not listed");
  }

  function _requireRepaid(uint256 code) internal pure virtual {
    require(code == 0, "not repaid");
  }
}
