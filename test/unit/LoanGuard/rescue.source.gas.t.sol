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
    bytes memory why =
      abi.encodeWithSelector(ILoanGuard.SourceUnreadable.selector, source, BoundedPrices.PriceGasTooLow.selector);
    assertEq(guard.rescueMany(_list(guardId), 0)[0].failure, why);
  }

  /// LG-20, LG-28: a caller that gives a rescue more gas has more prices read. By the source, health is 1.035.
  function test_source_aCallerWhoSendsMoreReadsMorePrices() public {
    source.setCost(190_000);
    source.setPrice(lastToken, 0.9e18);
    uint256 start = vm.snapshotState();
    assertFalse(_rescueInList(0));
    assertTrue(_rescueInList(6_000_000));
    assertTrue(vm.revertToState(start));
    guard.rescue{gas: 6_000_000}(guardId);
  }

  /// LG-28: a price that needs more than any price may is none, whatever the caller sends: it does not choose between the
  /// source's price of the last collateral, with which the loan is safe, and the protocol's.
  function test_attack_gasDoesNotChooseTheDearPrice() public {
    source.setCost(20_000);
    source.setCostOf(lastToken, 210_000);
    uint256 start = vm.snapshotState();
    uint256[6] memory sent = [uint256(2_000_000), 3_000_000, 4_000_000, 8_000_000, 16_000_000, 100_000_000];
    for (uint256 i; i < sent.length; ++i) {
      assertGt(guard.rescue{gas: sent[i]}(guardId), 0);
      assertTrue(vm.revertToState(start));
      assertTrue(_rescueInList(i * 2_000_000));
      assertTrue(vm.revertToState(start));
    }
    for (uint256 i; i < 2; ++i) {
      assertTrue(guard.rescueMany{gas: i == 0 ? 2_200_000 : 6_000_000}(_list(guardId), 0)[0].isRescued);
      assertTrue(vm.revertToState(start));
    }
  }

  /// LG-28: with prices on both sides of what one may cost, less gas gives the same outcome as plenty of it, or no rescue
  /// and the name of the gas.
  function testFuzz_attack_gasDoesNotChooseTheOutcome(uint256 cost, uint256 lastCost, uint256 gas) public {
    source.setCost(bound(cost, 0, 260_000));
    source.setCostOf(lastToken, bound(lastCost, 0, 260_000));
    (bool isRescued, bytes4 why) = _outcome(30_000_000);
    (bool isRescuedByLess, bytes4 whyByLess) = _outcome(bound(gas, 300_000, 8_000_000));
    if (isRescuedByLess) return assertTrue(isRescued, "only with less gas");
    if (whyByLess == ILoanGuard.HealthNotBelowTrigger.selector) return assertEq(whyByLess, why);
    assertTrue(whyByLess == ILoanGuard.SourceUnreadable.selector || whyByLess == bytes4(0), "gas is not named");
  }

  function _outcome(uint256 gas) private returns (bool isRescued, bytes4 why) {
    uint256 start = vm.snapshotState();
    bytes memory answer;
    (isRescued, answer) = address(guard).call{gas: gas}(abi.encodeCall(guard.rescue, (guardId)));
    if (!isRescued) why = bytes4(answer);
    assertTrue(vm.revertToState(start));
  }

  function _rescueInList(uint256 gasPerRescue) private returns (bool) {
    return guard.rescueMany(_list(guardId), gasPerRescue)[0].isRescued;
  }

  function _list(uint256 id) private pure returns (uint256[] memory ids) {
    ids = new uint256[](1);
    ids[0] = id;
  }

  /// LG-28, LG-26: whatever gas a caller of the adapter sends, it answers with the source's prices or not at all.
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
