// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {VenusMarketBase} from "../../base/VenusMarketBase.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {RawPriceSource} from "../../mocks/RawPriceSource.sol";
import {MockVToken} from "../../mocks/venus/MockVToken.sol";

/// Collateral of 1,000 USDT at a threshold of 80 %, and of 2 BNB at 600 USD and 75 %.
contract VenusMarketWeightedCollateralByTest is VenusMarketBase {
  MockPriceSource private source = new MockPriceSource();

  function setUp() public override {
    super.setUp();
    vUsdt.setBalance(borrower, 500e18, 2e18);
    vBnb.setBalance(borrower, 8e18, 0.25e18);
    comptroller.setThreshold(borrower, address(vUsdt), 0.8e18);
    comptroller.setThreshold(borrower, address(vBnb), 0.75e18);
  }

  /// LG-26: each collateral at the source's price, the native coin's at WBNB's.
  function test_weightedCollateralBy_countsAtTheSourcesPrices() public {
    source.setPrice(address(usdt), 0.99e18);
    source.setPrice(address(wbnb), 500e18);
    assertEq(_value(), 792e18 + 750e18);
  }

  /// LG-26: one that the source does not price counts at the protocol's price, whether it has no feed or a broken one.
  function test_weightedCollateralBy_fallsBackToTheProtocolPerCollateral() public {
    assertEq(_value(), 800e18 + 900e18);
    source.setPrice(address(wbnb), 500e18);
    assertEq(_value(), 800e18 + 750e18);
  }

  /// LG-26: a gift of a collateral that the source does not price does not blind it.
  function test_attack_aGiftDoesNotBlindTheSource() public {
    source.setPrice(address(usdt), 0.5e18);
    source.setPrice(address(wbnb), 300e18);
    uint256 before = _value();
    comptroller.setThreshold(borrower, address(vUsdc), 0.8e18);
    vUsdc.setBalance(borrower, 1, 1e18);
    assertApproxEqAbs(_value(), before, 1e12);
  }

  /// LG-26: neither what weighs nothing nor what nobody holds is priced.
  function test_weightedCollateralBy_pricesOnlyCollateral() public {
    source.setPrice(address(usdt), 1e18);
    comptroller.setThreshold(borrower, address(vBnb), 0);
    oracle.set(address(vBnb), oracle.REFUSED());
    vUsdc.setBalance(borrower, 0, 1e18);
    comptroller.setThreshold(borrower, address(vUsdc), 0.8e18);
    oracle.set(address(vUsdc), oracle.REFUSED());
    assertEq(_value(), 800e18);
  }

  /// LG-26: without either price the account has no value.
  function test_weightedCollateralBy_refusesACollateralWithoutAnyPrice() public {
    oracle.set(address(vBnb), oracle.REFUSED());
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, vBnb));
    _value();
  }

  /// LG-26
  function test_weightedCollateralBy_refusesAFailingReading() public {
    vBnb.setSnapshotCode(9);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.AccountUnreadable.selector, borrower, 9));
    _value();
  }

  /// LG-26: what is supplied counts only once its owner has entered the market, also while a loan stands elsewhere.
  function test_weightedCollateralBy_leavesOutWhatIsNotEnabledAsCollateral() public {
    MockVToken vBtc = new MockVToken(address(new MockERC20("BTCB", 18)));
    oracle.set(address(vBtc), 60_000e18);
    comptroller.list(address(vBtc), true);
    comptroller.setThreshold(borrower, address(vBtc), 0.8e18);
    vBtc.setBalance(borrower, 10e18, 1e18);
    assertEq(_value(), 1_700e18);
    comptroller.enter(borrower, address(vBtc));
    assertEq(_value(), 1_700e18 + 480_000e18);
  }

  /// LG-26: a source is asked with a limit of gas for each collateral, whatever the caller sends, and cannot change state.
  function test_attack_theSourceIsBounded() public {
    RawPriceSource raw = new RawPriceSource();
    raw.set(RawPriceSource.Manner.BurnAllGas, "", 0);
    assertLt(_gasOf(raw, 1_500_000), 600_000);
    assertLt(_gasOf(raw, 8_000_000), 600_000);
    assertEq(adapter.weightedCollateralBy(makeAddr("no code"), borrower, _market(address(vUsdt))), 1_700e18);
  }

  function _gasOf(RawPriceSource raw, uint256 gasGiven) private view returns (uint256) {
    uint256 gasBefore = gasleft();
    assertEq(adapter.weightedCollateralBy{gas: gasGiven}(address(raw), borrower, _market(address(vUsdt))), 1_700e18);
    return gasBefore - gasleft();
  }

  function _value() private view returns (uint256) {
    return adapter.weightedCollateralBy(address(source), borrower, _market(address(vUsdt)));
  }
}
