// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {IVToken, IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {LoanIncidentBase} from "../base/LoanIncidentBase.sol";
import {SmallVenus} from "./twins/SmallVenus.sol";

/// The mistake: anything with a market's interface counts as a market.
contract FakeMarketTwin is SmallVenus {
  constructor(IVenusComptroller comptroller_) SmallVenus(comptroller_) {}

  function _requireListed(bool) internal pure override {}
}

/// Claims a debt and keeps its repayment.
contract FakeMarket is IVToken {
  address public immutable underlying;
  address private immutable THIEF;
  mapping(address account => uint256) public borrowBalanceStored;

  constructor(address underlying_, address thief, address victim, uint256 claimed) {
    (underlying, THIEF, borrowBalanceStored[victim]) = (underlying_, thief, claimed);
  }

  function getAccountSnapshot(address) external pure returns (uint256, uint256, uint256, uint256) {}

  function borrowBalanceCurrent(address account) external view returns (uint256) {
    return borrowBalanceStored[account];
  }

  function repayBorrowBehalf(address account, uint256 amount) external returns (uint256) {
    borrowBalanceStored[account] -= amount;
    require(IERC20(underlying).transferFrom(msg.sender, THIEF, amount), "underlying");
    return 0;
  }
}

/// A page makes the borrower guard their loan in a market that the page controls.
contract FakeMarketTest is LoanIncidentBase {
  FakeMarket private fake;

  function setUp() public override {
    super.setUp();
    fake = new FakeMarket(address(usdt), stranger, borrower, 450e18);
  }

  function attack() external override {
    guard.rescue(_guardMarket(address(fake)));
  }

  /// IT-1: this project's own guard, which sees the debt fall by the repayment.
  function test_TheTwinsBorrowerPaysTheThief() public {
    ILendingMarket twin = new FakeMarketTwin(comptroller);
    _moveTo(address(_ourGuardOver(twin)), twin);
    this.attack();
    assertEq(usdt.balanceOf(stranger), NEEDED);
    assertEq(usdt.balanceOf(borrower), FUNDS - NEEDED);
    assertEq(vUsdt.borrowBalanceStored(borrower), 450e18);
  }

  /// IT-1, LG-2
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, fake));
  }
}
