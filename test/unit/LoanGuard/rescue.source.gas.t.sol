// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LoanGuard} from "../../../contracts/LoanGuard.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {GuardTerms} from "../../base/GuardTerms.sol";
import {Product} from "../../base/Product.sol";
import {VenusMarketBase} from "../../base/VenusMarketBase.sol";
import {CostlyPriceSource} from "../../mocks/CostlyPriceSource.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {MockVToken} from "../../mocks/venus/MockVToken.sol";

/// Eight collaterals, whose prices cost nearly all the gas that prices may. The source prices the first seven at 0.9 USD
/// and the last at 1.7 USD, Venus all at 1 USD. By either, health is 1.15 or more, and the trigger is 1.05: only if the
/// source's last price were missing would its health be below, at 1.049.
contract LoanGuardRescueSourceGasTest is VenusMarketBase {
  uint256 private constant COUNT = 8;
  CostlyPriceSource private source = new CostlyPriceSource();
  LoanGuard private guard;
  uint256 private guardId;
  address private lastToken;

  function setUp() public override {
    super.setUp();
    address[] memory one = new address[](1);
    address[] memory sources = new address[](1);
    (one[0], sources[0]) = (address(adapter), address(source));
    guard = Product.loanGuard(Product.revocations(), one, sources);
    for (uint256 i; i < COUNT; ++i) {
      MockVToken vToken = new MockVToken(address(new MockERC20("COLLATERAL", 18)));
      _list(address(vToken), 1e18);
      vToken.setBalance(borrower, 1_150e18 / COUNT, 1e18);
      comptroller.setThreshold(borrower, address(vToken), 1e18);
      lastToken = vToken.underlying();
      source.setPrice(lastToken, i == COUNT - 1 ? 1.7e18 : 0.9e18);
    }
    comptroller.setWeightedCollateral(borrower, 1_150e18);
    usdt.mint(borrower, 1_000e18);
    ILoanGuard.Terms memory terms = GuardTerms.plain(borrower, address(adapter), _market(address(vUsdt)), 1_000e18);
    (terms.priceSource, terms.minRepay) = (address(source), 1e18);
    terms.expiresAt = uint40(block.timestamp + 1 days);
    vm.startPrank(borrower);
    usdt.approve(address(guard), type(uint256).max);
    guardId = guard.register(terms);
    vm.stopPrank();
  }

  /// LG-28: with the gas that the reading has, the last price may be starved by those before it. Then the reading fails as
  /// a whole, and says so.
  function testFuzz_attack_costlyPricesMakeNoPrice(uint256 cost) public {
    source.setCost(bound(cost, 100_000, 195_000));
    (bool done, bytes memory why) = address(guard).call(abi.encodeCall(guard.rescue, (guardId)));
    assertFalse(done, "by a price that the source did not give");
    assertTrue(
      bytes4(why) == ILoanGuard.HealthNotBelowTrigger.selector || bytes4(why) == ILoanGuard.SourceUnreadable.selector
    );
  }

  /// LG-20, LG-28: so does a list with too little gas for the source: the error names the source, and not a health that
  /// nobody has computed.
  function test_source_starvedInAListIsNamed() public {
    source.setCost(190_000);
    uint256[] memory ids = new uint256[](1);
    ids[0] = guardId;
    bytes memory why =
      abi.encodeWithSelector(ILoanGuard.SourceUnreadable.selector, source, BoundedPrices.PriceGasTooLow.selector);
    assertEq(guard.rescueMany(ids, 0)[0].failure, why);
  }

  /// LG-20, LG-28: where prices have become dearer than they may be, a caller that gives a rescue more gas gives the source
  /// and each price more too. By the source, health is 1.035.
  function test_source_aCallerWhoSendsMoreReadsDearerPrices() public {
    source.setCost(300_000);
    source.setPrice(lastToken, 0.9e18);
    uint256[] memory ids = new uint256[](1);
    ids[0] = guardId;
    assertFalse(guard.rescueMany(ids, 0)[0].isRescued);
    uint256 start = vm.snapshotState();
    assertTrue(guard.rescueMany(ids, 6_000_000)[0].isRescued);
    assertTrue(vm.revertToState(start));
    guard.rescue{gas: 6_000_000}(guardId);
  }

  /// LG-28, VM-8: whatever gas a caller of the adapter sends, it answers with the source's prices or not at all.
  function testFuzz_attack_littleGasMakesNoPrice(uint256 gas) public {
    source.setCost(195_000);
    uint256 value = _value(type(uint256).max);
    assertEq(value, 1_150e18);
    gas = bound(gas, 1_400_000, 1_800_000);
    // As warm as in a rescue.
    try this.valueWith(gas) returns (uint256 answer) {
      assertEq(answer, value, "by a price that the source did not give");
    } catch {}
  }

  function valueWith(uint256 gas) external view returns (uint256) {
    return _value(gas);
  }

  function _value(uint256 gas) private view returns (uint256) {
    return adapter.weightedCollateralBy{gas: gas}(address(source), borrower, _market(address(vUsdt)));
  }
}
