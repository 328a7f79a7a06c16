// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICollateralMarket} from "../../../contracts/interfaces/ICollateralMarket.sol";
import {MockERC20} from "../MockERC20.sol";
import {MockLendingMarket} from "./MockLendingMarket.sol";

/// Both sides of a lending protocol with one market. A receipt is worth one base unit of its token. Deposits secure
/// nothing.
contract MockCollateralMarket is MockLendingMarket, ICollateralMarket {
  MockERC20 public immutable receipt;

  constructor(MockERC20 token_, bytes32 market_, address till_, uint256 priceWad_)
    MockLendingMarket(token_, market_, till_, priceWad_)
  {
    receipt = new MockERC20("receipt", 18);
  }

  function collateralToken(bytes32 market_) external view returns (address) {
    if (market_ != market) revert MarketNotListed(market_);
    return address(token);
  }

  function limitsOf(address, bytes32) external pure returns (Limits memory) {
    return Limits({weightWad: 0, factorWad: 0, incentiveWad: 0.1e18});
  }

  function accrueAndReadCollateral(address account, bytes32) external view returns (Collateral memory) {
    return Collateral({
      token: address(token),
      receipt: address(receipt),
      receipts: receipt.balanceOf(account),
      rateWad: 1e18,
      feeWad: 0,
      priceWad: priceWad,
      weightWad: 0,
      cash: type(uint128).max
    });
  }

  /// Receipts stay here; the token is new.
  function withdraw(bytes32, uint256, uint256 amount, address to, address) external {
    MockERC20(address(token)).mint(to, amount);
  }

  function explainTransfer(address account, bytes32 market_) external pure {
    revert BorrowingPowerTooLow(account, market_);
  }
}
