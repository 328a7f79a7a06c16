// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
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
    assertLe(21_000 + calldataGas + guard.gasLimitOf(MOST), MAX_TX_GAS);
    assertGt(guard.gasLimitOf(MOST + 1), MAX_TX_GAS);
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
      uint256 gasLimit = guard.gasLimitOf(count);
      ILoanGuard.Result[] memory results = guard.rescueMany{gas: gasLimit}(list);
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

  /// LG-20: the first rescue has its budget, the second one does not, and neither happens.
  function test_RevertWhen_TheGasIsTooLowForTheNextRescue() public {
    vm.expectPartialRevert(ILoanGuard.GasTooLow.selector);
    guard.rescueMany{gas: 2_100_000}(_ids(ids[0], ids[1]));
    for (uint256 i; i < 2; ++i) {
      assertEq(_debt(who[i]), 1_000e18);
      assertEq(token.balanceOf(who[i]), 10_000e18);
      assertEq(guard.guard(ids[i]).state.rescues, 0);
    }
    assertTrue(guard.rescueMany{gas: 2_300_000}(_ids(ids[0], ids[1]))[1].isRescued);
  }

  function _assertWholeBudget(uint256[] memory list) private {
    uint256 start = vm.snapshotState();
    uint256 enough = guard.gasLimitOf(list.length);
    vm.revertToState(start);
    guard.rescueMany{gas: enough}(list);
    uint256 budget = hostile.gasSeen();
    assertGt(budget, guard.GAS_PER_RESCUE() - 100_000);

    uint256 tooLittle = guard.GAS_PER_RESCUE();
    while (enough - tooLittle > 1) {
      uint256 gasLimit = (enough + tooLittle) / 2;
      vm.revertToState(start);
      try guard.rescueMany{gas: gasLimit}(list) {
        assertEq(hostile.gasSeen(), budget, "begun with too little");
        enough = gasLimit;
      } catch (bytes memory why) {
        assertEq(bytes4(why), ILoanGuard.GasTooLow.selector);
        tooLittle = gasLimit;
      }
    }
    vm.revertToState(start);
  }
}
