// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {IResilientOracle, IVToken, IVenusComptroller} from "../../../contracts/interfaces/IVenus.sol";

/// A minimal Venus adapter for vBEP20 markets. Each twin makes exactly one mistake.
abstract contract SmallVenus is ILendingMarket {
  using SafeERC20 for IERC20;

  IVenusComptroller private immutable comptroller;

  constructor(IVenusComptroller comptroller_) {
    comptroller = comptroller_;
  }

  function repayToken(address market) public view returns (address) {
    _requireListed(comptroller.markets(market));
    return IVToken(market).underlying();
  }

  function accrueAndRead(address borrower, address market) external returns (Position memory position) {
    IResilientOracle oracle = IResilientOracle(comptroller.oracle());
    position.marketDebt = IVToken(market).borrowBalanceCurrent(borrower);
    position.repayToken = repayToken(market);
    position.repayTokenPriceWad = oracle.getPrice(position.repayToken);
    address[] memory entered = comptroller.getAssetsIn(borrower);
    for (uint256 i; i < entered.length; ++i) {
      uint256 debt = IVToken(entered[i]).borrowBalanceStored(borrower);
      position.debtUsd += debt * oracle.getUnderlyingPrice(entered[i]) / 1e18;
    }
    (, uint256 liquidity, uint256 shortfall) = comptroller.getAccountLiquidity(borrower);
    position.weightedCollateralUsd = position.debtUsd + liquidity - shortfall;
  }

  function storedDebt(address borrower, address market) external view returns (uint256) {
    return IVToken(market).borrowBalanceStored(borrower);
  }

  function repay(address borrower, address market, uint256 amount, address) external {
    IERC20(repayToken(market)).forceApprove(market, amount);
    _requireRepaid(IVToken(market).repayBorrowBehalf(borrower, amount));
  }

  function _requireListed(bool isListed) internal pure virtual {
    require(isListed, "not listed");
  }

  function _requireRepaid(uint256 code) internal pure virtual {
    require(code == 0, "not repaid");
  }
}
