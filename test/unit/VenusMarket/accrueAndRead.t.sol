// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {VenusMarketBase} from "../../base/VenusMarketBase.sol";
import {MockVToken} from "../../mocks/venus/MockVToken.sol";

contract VenusMarketAccrueAndReadTest is VenusMarketBase {
  /// VM-1
  function test_accrueAndRead_countsEveryMarketVBnbAndVai() public {
    ILendingMarket.Position memory position = adapter.accrueAndRead(borrower, _market(address(vUsdt)));
    assertEq(position.debtValue, 1_000e18);
    assertEq(position.weightedCollateralValue, 1_020e18);
    assertEq(position.marketDebt, 400e18);
    assertEq(position.repayTokenPriceWad, 1e18);

    position = adapter.accrueAndRead(borrower, _market(address(vUsdc)));
    assertEq(position.debtValue, 1_000e18);
    assertEq(position.weightedCollateralValue, 1_020e18);
    assertEq(position.marketDebt, 250e6);
    assertEq(position.repayTokenPriceWad, 1e30);
  }

  /// VM-1: liquidity and shortfall are never both above zero; from either, W is recovered exactly.
  function testFuzz_accrueAndRead_recoversWeightedCollateral(uint128 weighted, uint96[4] memory debts, uint96 price)
    public
  {
    vUsdt.setDebt(borrower, debts[0]);
    vUsdc.setDebt(borrower, debts[1]);
    vBnb.setDebt(borrower, debts[2]);
    vaiController.set(borrower, debts[3]);
    // Without a price the account cannot be read.
    oracle.set(address(vBnb), price = uint96(bound(price, 1, type(uint96).max)));
    uint256 debtUsd = uint256(debts[0]) + uint256(debts[1]) * 1e12 + uint256(debts[2]) * price / WAD + debts[3];
    comptroller.setWeightedCollateral(borrower, weighted);

    ILendingMarket.Position memory position = adapter.accrueAndRead(borrower, _market(address(vUsdt)));
    assertEq(position.debtValue, debtUsd);
    assertEq(position.weightedCollateralValue, weighted);
    assertEq(position.marketDebt, debts[0]);
  }

  /// VM-1: each market's share is rounded down to 1e-18 USD by itself, as in the comptroller; rounding only the sum
  /// would give 1.
  function test_accrueAndRead_cutsEachMarketsShare() public {
    vUsdt.setDebt(borrower, 1);
    vUsdc.setDebt(borrower, 0);
    vBnb.setDebt(borrower, 1);
    vaiController.set(borrower, 5);
    oracle.set(address(vUsdt), 0.5e18);
    oracle.set(address(vBnb), 0.5e18);
    ILendingMarket.Position memory position = adapter.accrueAndRead(borrower, _market(address(vUsdt)));
    assertEq(position.debtValue, 5);
    assertEq(position.weightedCollateralValue, 1_020e18);
  }

  /// VM-1: as before Venus had a VAI controller.
  function test_accrueAndRead_worksWithoutAVaiController() public {
    comptroller.setVaiController(address(0));
    ILendingMarket.Position memory position = adapter.accrueAndRead(borrower, _market(address(vUsdt)));
    assertEq(position.debtValue, 950e18);
    assertEq(position.weightedCollateralValue, 1_020e18);
  }

  /// VM-1: an account that has entered no market.
  function test_accrueAndRead_ofAnUnknownAccountIsAllZero() public {
    ILendingMarket.Position memory position = adapter.accrueAndRead(makeAddr("nobody"), _market(address(vUsdt)));
    assertEq(abi.encode(position), abi.encode(ILendingMarket.Position(address(usdt), 0, 0, 0, 1e18, 0, false)));
  }

  /// VM-1: W falls to zero, down to a shortfall as large as the debt.
  function test_accrueAndRead_ofAnAccountWithoutCollateral() public {
    comptroller.setWeightedCollateral(borrower, 0);
    ILendingMarket.Position memory position = adapter.accrueAndRead(borrower, _market(address(vUsdt)));
    assertEq(position.debtValue, 1_000e18);
    assertEq(position.weightedCollateralValue, 0);
  }

  /// VM-1: interest of the repaid market counts; interest of the others waits until somebody else accrues it.
  function test_accrueAndRead_accruesTheRepaidMarketAlone() public {
    vUsdt.setNextIndex(1.1e18);
    vUsdc.setNextIndex(1.2e18);
    vBnb.setNextIndex(1.3e18);
    ILendingMarket.Position memory position = adapter.accrueAndRead(borrower, _market(address(vUsdt)));

    assertEq(position.marketDebt, 440e18);
    assertEq(position.debtValue, 1_040e18);
    assertEq(position.weightedCollateralValue, 1_020e18);
    assertEq(vUsdt.borrowIndex(), 1.1e18);
    assertEq(vUsdc.borrowIndex(), 1e18);
    assertEq(vBnb.borrowIndex(), 1e18);
  }

  /// VM-1: a market with supply but no debt adds no debt and costs no price read: the one read here is the
  /// comptroller's.
  function test_accrueAndRead_asksNoPriceWhereNothingIsOwed() public {
    vUsdc.setDebt(borrower, 0);
    vm.expectCall(address(oracle), abi.encodeCall(oracle.getUnderlyingPrice, (address(vUsdc))), 1);
    assertEq(adapter.accrueAndRead(borrower, _market(address(vUsdt))).debtValue, 750e18);
  }

  /// VM-3
  function testFuzz_accrueAndRead_refusesAFailingReading(uint256 code) public {
    code = bound(code, 1, type(uint256).max);
    comptroller.setReadCode(code);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.AccountUnreadable.selector, borrower, code));
    adapter.accrueAndRead(borrower, _market(address(vUsdt)));
  }

  /// VM-3
  function test_accrueAndRead_refusesARepayTokenWithoutAPrice() public {
    oracle.set(address(vUsdt), 0);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, vUsdt));
    adapter.accrueAndRead(borrower, _market(address(vUsdt)));
  }

  /// VM-3: an oracle's refusal is final, whether for the repay token, another debt or a collateral; Venus cannot
  /// liquidate then either.
  function test_accrueAndRead_namesTheFeedThatIsBroken() public {
    address vEth = address(new MockVToken(address(usdt)));
    _list(vEth, 1e18);
    comptroller.countPriceOf(vEth);
    address[3] memory vTokens = [address(vUsdt), address(vUsdc), vEth];
    for (uint256 i; i < vTokens.length; ++i) {
      uint256 price = oracle.getUnderlyingPrice(vTokens[i]);
      uint256[2] memory noPrices = [oracle.REFUSED(), 0];
      for (uint256 j; j < 2; ++j) {
        oracle.set(vTokens[i], noPrices[j]);
        vm.expectRevert(abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, vTokens[i]));
        adapter.accrueAndRead(borrower, _market(address(vUsdt)));
      }
      oracle.set(vTokens[i], price);
    }
    adapter.accrueAndRead(borrower, _market(address(vUsdt)));
  }

  /// VM-3
  function test_accrueAndRead_refusesAReadingThatReverts() public {
    vm.mockCallRevert(
      address(comptroller), abi.encodeCall(comptroller.getAccountLiquidity, (borrower)), "something else"
    );
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.AccountUnreadable.selector, borrower, type(uint256).max));
    adapter.accrueAndRead(borrower, _market(address(vUsdt)));
  }

  /// VM-3: delisted after the guard's registration.
  function test_accrueAndRead_refusesAMarketThatIsListedNoLonger() public {
    comptroller.list(address(vUsdt), false);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, vUsdt));
    adapter.accrueAndRead(borrower, _market(address(vUsdt)));
  }

  /// VM-4: at one USD, and accrued first.
  function test_accrueAndRead_ofVai() public {
    vaiController.setInterest(borrower, 3e18);
    ILendingMarket.Position memory position = adapter.accrueAndRead(borrower, _market(address(vaiController)));
    assertEq(
      abi.encode(position), abi.encode(ILendingMarket.Position(address(vai), 1_003e18, 1_020e18, 53e18, 1e18, 0, true))
    );
    assertEq(adapter.storedDebt(borrower, _market(address(vaiController))), 53e18);
  }

  /// VM-1: W would be below zero. No account is like that, so the two sums disagree.
  function test_accrueAndRead_refusesAShortfallAboveTheDebt() public {
    comptroller.setWeightedCollateral(borrower, 0);
    comptroller.setExcessShortfall(1);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.ShortfallAboveDebt.selector, 1_000e18 + 1, 1_000e18));
    adapter.accrueAndRead(borrower, _market(address(vUsdt)));
  }
}
