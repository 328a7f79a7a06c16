// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {BatchCall} from "../../../contracts/libraries/BatchCall.sol";
import {RescueManyBase} from "../../base/RescueManyBase.sol";
import {HostileMarket} from "../../mocks/lending/HostileMarket.sol";

/// The gas of a list: each rescue has its whole budget, or nothing happens.
contract LoanGuardRescueManyGasTest is RescueManyBase {
  /// The most gas that a transaction on BNB Chain may have.
  uint256 private constant MAX_TX_GAS = 1 << 24;
  uint256 private constant MOST = 8;

  /// LG-20: as many as fit in a transaction, whatever they do, with the calldata's floor of 40 gas for a non-zero byte
  /// and 10 for a zero byte.
  function test_EightFitInATransaction() public view {
    uint256 calldataGas = 4 * 40 + 64 * 40 + MOST * 32 * 40;
    assertLe(21_000 + calldataGas + guard.gasLimitOf(MOST, 0), MAX_TX_GAS);
    assertGt(guard.gasLimitOf(MOST + 1, 0), MAX_TX_GAS);
    assertEq(guard.GAS_PER_RESCUE(), 2_000_000);
  }

  /// LG-20: enough for every rescue to use its whole budget.
  function test_TheGasLimitIsEnoughWhereEveryRescueBurnsItsGas() public {
    uint256 burning = _hostileGuard(makeAddr("accomplice"));
    hostile.behave(HostileMarket.Deed.BurnGas, 0);
    for (uint256 count = 1; count <= MOST; count += 5) {
      uint256[] memory list = new uint256[](count);
      for (uint256 i; i < count; ++i) {
        list[i] = burning;
      }
      uint256 gasLimit = guard.gasLimitOf(count, 0);
      ILoanGuard.Result[] memory results = guard.rescueMany{gas: gasLimit}(list, 0);
      for (uint256 i; i < count; ++i) {
        _assertFailed(results[i], "");
      }
    }
  }

  /// LG-20: at the least gas with which a list succeeds, its last rescue has the same gas as with the most: not even
  /// the 64th part that a call keeps back is missing.
  function test_ARescueHasItsWholeBudgetOrIsNotBegun() public {
    uint256 measured = _hostileGuard(makeAddr("measured borrower"));
    uint256[][3] memory lists = [_ids(measured), _ids(99, measured), _ids(ids[0], 99, measured)];
    for (uint256 i; i < 3; ++i) {
      _assertWholeBudget(lists[i]);
    }
  }

  /// LG-20: the caller may raise every rescue's budget. One below the minimum changes nothing, and one too high for the
  /// gas sent, up to the largest number, reverts the list by name: no argument and no gas starves its last rescue.
  function testFuzz_attack_theBudgetIsRaisedForAllOrNothingHappens(uint256 gasPerRescue, uint256 gasLimit) public {
    uint256[] memory list = _ids(ids[0], 99, _hostileGuard(makeAddr("measured borrower")));
    _assertBudget(list, gasPerRescue, bound(gasLimit, 100_000, 40_000_000));
    uint256 usual = bound(gasPerRescue, 0, 10_000_000);
    assertTrue(_assertBudget(list, usual, guard.gasLimitOf(3, usual)));
    _assertBudget(list, usual, bound(gasLimit, 100_000, guard.gasLimitOf(3, usual)));
    // A product with the 64 of 64/63 that wraps round to zero.
    assertFalse(_assertBudget(list, 1 << 250, 10_000_000));
  }

  /// LG-20: the first rescue has its budget, the second one does not, and neither happens.
  function test_RevertWhen_TheGasIsTooLowForTheNextRescue() public {
    vm.expectPartialRevert(BatchCall.GasTooLow.selector);
    guard.rescueMany{gas: 2_100_000}(_ids(ids[0], ids[1]), 0);
    for (uint256 i; i < 2; ++i) {
      assertEq(_debt(who[i]), 1_000e18);
      assertEq(token.balanceOf(who[i]), 10_000e18);
      assertEq(guard.guard(ids[i]).state.rescues, 0);
    }
    assertTrue(guard.rescueMany{gas: 2_300_000}(_ids(ids[0], ids[1]), 0)[1].isRescued);
  }

  /// Requires that with this gas limit the last rescue has its budget, or that the list is refused by name, and returns
  /// which.
  function _assertBudget(uint256[] memory list, uint256 gasPerRescue, uint256 gasLimit)
    private
    returns (bool isAccepted)
  {
    uint256 budget = gasPerRescue > guard.GAS_PER_RESCUE() ? gasPerRescue : guard.GAS_PER_RESCUE();
    uint256 start = vm.snapshotState();
    try guard.rescueMany{gas: gasLimit}(list, gasPerRescue) {
      // What a rescue has used before it reaches the adapter.
      assertGt(hostile.gasSeen(), budget - 100_000 - budget / 64, "a rescue was given less");
      assertLe(hostile.gasSeen(), budget, "a rescue was given more");
      isAccepted = true;
    } catch (bytes memory why) {
      assertEq(bytes4(why), BatchCall.GasTooLow.selector);
      assertEq(_debt(who[0]), 1_000e18);
    }
    vm.revertToState(start);
  }

  function _assertWholeBudget(uint256[] memory list) private {
    uint256 start = vm.snapshotState();
    uint256 enough = guard.gasLimitOf(list.length, 0);
    vm.revertToState(start);
    guard.rescueMany{gas: enough}(list, 0);
    uint256 budget = hostile.gasSeen();
    assertGt(budget, guard.GAS_PER_RESCUE() - 100_000);

    uint256 tooLittle = guard.GAS_PER_RESCUE();
    while (enough - tooLittle > 1) {
      uint256 gasLimit = (enough + tooLittle) / 2;
      vm.revertToState(start);
      try guard.rescueMany{gas: gasLimit}(list, 0) {
        assertEq(hostile.gasSeen(), budget, "begun with too little");
        enough = gasLimit;
      } catch (bytes memory why) {
        assertEq(bytes4(why), BatchCall.GasTooLow.selector);
        tooLittle = gasLimit;
      }
    }
    vm.revertToState(start);
  }
}
