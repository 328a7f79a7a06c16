// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {IPancakeV3Pool} from "../../../contracts/interfaces/IPancakeV3Pool.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {BatchCall} from "../../../contracts/libraries/BatchCall.sol";
import {Product} from "../../base/Product.sol";
import {SwapBase} from "../../base/SwapBase.sol";
import {GasBurnerERC20} from "../../mocks/GasBurnerERC20.sol";

contract SwapExecutorExecuteBatchTest is SwapBase {
  address private gauge = makeAddr("gas gauge");

  function setUp() public override {
    super.setUp();
    // Answers every call with the gas it was given, less 2 for the instruction: GAS PUSH0 MSTORE PUSH1 32 PUSH0 RETURN.
    vm.etch(gauge, hex"5a5f5260205ff3");
    _create(_swapTerms());
    _create(_swapTerms());
  }

  /// SE-9: each as `execute` would, with its result at its order's index.
  function test_RunsEveryPlan() public {
    ISwapExecutor.Result[] memory results = _executeBatch(_orders());
    for (uint256 i; i < 3; ++i) {
      assertEq(abi.encode(results[i]), abi.encode(ISwapExecutor.Result(true, FLOOR, "")));
      assertEq(_state(planId + i).runs, 1);
    }
    assertEq(usd.balanceOf(owner), FUNDS - 3 * AMOUNT);
    assertEq(coin.balanceOf(recipient), 3 * FLOOR);
    assertEq(usd.balanceOf(address(swapper)) + coin.balanceOf(address(swapper)), 0);
  }

  /// SE-9: a refused plan does not affect the others, and its reason is reported.
  function test_OneThatIsRefusedStopsNoOther() public {
    vm.prank(owner);
    registry.cancel(planId + 1);
    bytes memory why = abi.encodeWithSelector(IPlanRegistry.PlanNotActive.selector, IPlanRegistry.Status.Cancelled);
    vm.expectEmit(address(swapper));
    emit ISwapExecutor.RunFailed(planId + 1, why);
    ISwapExecutor.Result[] memory results = _executeBatch(_orders());
    assertEq(abi.encode(results[1]), abi.encode(ISwapExecutor.Result(false, 0, why)));
    assertTrue(results[0].isExecuted && results[2].isExecuted);
    assertEq(usd.balanceOf(owner), FUNDS - 2 * AMOUNT);
  }

  /// SE-9, PR-27: each order is held to its own ticket's price.
  function test_OneThatIsBelowItsTicketsPriceStopsNoOther() public {
    ISwapExecutor.Order[] memory orders = _orders();
    orders[1].ticket.maxPriceWad = 59_000e28;
    ISwapExecutor.Result[] memory results = _executeBatch(orders);
    bytes memory why = abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR, 169_492);
    assertEq(abi.encode(results[1]), abi.encode(ISwapExecutor.Result(false, 0, why)));
    assertTrue(results[0].isExecuted && results[2].isExecuted);
    assertEq(usd.balanceOf(owner), FUNDS - 2 * AMOUNT);
  }

  /// SE-9: the same plan twice is one run.
  function test_ASecondOrderOfTheSameSlotIsRefused() public {
    ISwapExecutor.Order[] memory orders = _orders();
    orders[2] = orders[0];
    vm.roll(3);
    ISwapExecutor.Result[] memory results = _executeBatch(orders);
    assertTrue(results[0].isExecuted);
    assertEq(results[2].failure, abi.encodeWithSelector(IPlanRegistry.SlotUsed.selector, START, START + PERIOD));
    assertEq(_state(planId).runs, 1);
  }

  /// SE-9: copies at most an error's selector and four words; otherwise one plan could spend the next one's gas.
  function test_CopiesNoMoreOfAFailureThanAnErrorHas() public {
    bytes memory long = new bytes(10_000);
    long[0] = 0x7f;
    long[131] = 0x01;
    long[132] = 0x02;
    vm.mockCallRevert(address(pool), abi.encodeWithSelector(IPancakeV3Pool.swap.selector), long);
    ISwapExecutor.Result[] memory results = _executeBatch(_orders());
    assertEq(results[0].failure.length, 132);
    assertEq(results[0].failure[0], bytes1(0x7f));
    assertEq(results[0].failure[131], bytes1(0x01));
  }

  /// SE-9: a plan whose token burns all gas burns only its own budget, wherever in the batch it is.
  function testFuzz_OneThatBurnsItsGasStarvesNoOther(uint8 place, uint8 blockNumber) public {
    place = place % 3;
    GasBurnerERC20 burner = new GasBurnerERC20();
    uint256 burning = _burningPlan(burner);
    ISwapExecutor.Order[] memory orders = _orders();
    (orders[place].planId, orders[place].path) = (burning, _path(address(burner), address(coin)));
    vm.roll(blockNumber);

    uint256 gasLimit = swapper.gasLimitOf(3, 0);
    vm.prank(operator);
    ISwapExecutor.Result[] memory results = swapper.executeBatch{gas: gasLimit}(orders, 0);
    for (uint256 i; i < 3; ++i) {
      assertEq(results[i].isExecuted, i != place);
    }
    assertEq(results[place].failure, "");
  }

  /// SE-9: with any amount of gas, it executes all orders or none: at no amount does the batch succeed without its last
  /// plan.
  function testFuzz_TooLittleGasRevertsEverything(uint256 gasLimit) public {
    gasLimit = bound(gasLimit, 100_000, swapper.gasLimitOf(3, 0));
    ISwapExecutor.Order[] memory orders = _orders();
    vm.prank(operator);
    try swapper.executeBatch{gas: gasLimit}(orders, 0) returns (ISwapExecutor.Result[] memory results) {
      assertTrue(results[0].isExecuted && results[1].isExecuted && results[2].isExecuted);
    } catch {
      assertEq(usd.balanceOf(owner), FUNDS);
      assertEq(_state(planId).runs + _state(planId + 1).runs + _state(planId + 2).runs, 0);
    }
  }

  /// SE-9: enough for every run to use its whole budget.
  function test_TheGasLimitIsEnoughWhereEveryRunBurnsItsGas() public {
    GasBurnerERC20 burner = new GasBurnerERC20();
    ISwapExecutor.Order[] memory orders = _orders();
    for (uint256 i; i < 3; ++i) {
      (orders[i].planId, orders[i].path) = (_burningPlan(burner), _path(address(burner), address(coin)));
    }
    uint256 gasLimit = swapper.gasLimitOf(3, 0);
    vm.prank(operator);
    ISwapExecutor.Result[] memory results = swapper.executeBatch{gas: gasLimit}(orders, 0);
    assertFalse(results[0].isExecuted || results[1].isExecuted || results[2].isExecuted);
  }

  /// SE-9: at the smallest gas limit that the batch accepts, each run has its budget to the unit: neither the 64th part
  /// that a call keeps back nor the cost of the call itself is taken from it.
  function test_ARunHasItsWholeBudgetOrIsNotBegun() public {
    swapper = Product.swapExecutor(IPlanRegistry(gauge), POOL_DEPLOYER, operator, rotator);
    uint256 start = vm.snapshotState();
    for (uint256 count = 1; count <= 3; ++count) {
      (uint256 tooLow, uint256 enough) = (700_000, swapper.gasLimitOf(count, 0));
      assertTrue(_assertWholeBudgets(start, count, 0, enough));
      while (enough - tooLow > 1) {
        uint256 gasLimit = (tooLow + enough) / 2;
        if (_assertWholeBudgets(start, count, 0, gasLimit)) enough = gasLimit;
        else tooLow = gasLimit;
      }
    }
  }

  /// SE-9: the caller may raise every run's budget. One below the minimum changes nothing, and one too high for the gas
  /// sent, up to the largest number, reverts the batch by name: no argument and no gas starves its last run.
  function testFuzz_attack_theBudgetIsRaisedForAllOrNothingRuns(uint256 gasPerRun, uint256 gasLimit) public {
    swapper = Product.swapExecutor(IPlanRegistry(gauge), POOL_DEPLOYER, operator, rotator);
    uint256 start = vm.snapshotState();
    _assertWholeBudgets(start, 3, gasPerRun, bound(gasLimit, 100_000, 20_000_000));
    uint256 usual = bound(gasPerRun, 0, 5_000_000);
    assertTrue(_assertWholeBudgets(start, 3, usual, swapper.gasLimitOf(3, usual)));
    _assertWholeBudgets(start, 3, usual, bound(gasLimit, 100_000, swapper.gasLimitOf(3, usual)));
    // A product with the 64 of 64/63 that wraps round to zero.
    assertFalse(_assertWholeBudgets(start, 3, 1 << 250, 5_000_000));
  }

  /// SE-9: as many as the agent puts into one transaction fit there with the budget of each.
  function test_FifteenFitInATransaction() public view {
    assertEq(swapper.GAS_PER_RUN(), 1_000_000);
    uint256 calldataGas = 40 * (100 + 15 * 21 * 32);
    assertLe(21_000 + calldataGas + swapper.gasLimitOf(15, 0), 1 << 24);
    assertGt(swapper.gasLimitOf(16, 0), 1 << 24);
  }

  /// SE-9: enough for the first run and not for the second, so the first is undone as well.
  function test_RevertWhen_GasIsTooLowForTheNextRun() public {
    ISwapExecutor.Order[] memory orders = _orders();
    bytes memory before = _picture(planId);
    vm.expectPartialRevert(BatchCall.GasTooLow.selector);
    vm.prank(operator);
    swapper.executeBatch{gas: 1_100_000}(orders, 0);
    assertEq(_picture(planId), before);
    uint256 enough = swapper.gasLimitOf(3, 0);
    vm.prank(operator);
    assertTrue(swapper.executeBatch{gas: enough}(orders, 0)[0].isExecuted);
  }

  /// SE-9: over three blocks, each order is first once.
  function test_TheFirstChangesFromBlockToBlock() public {
    ISwapExecutor.Order[] memory orders = _orders();
    for (uint256 i; i < 3; ++i) {
      vm.roll(300 + i);
      vm.warp(START + i * PERIOD);
      vm.recordLogs();
      _executeBatch(orders);
      assertEq(_firstRecorded(), planId + i);
    }
  }

  /// SE-9
  function test_RevertWhen_ThereIsNothingToDo() public {
    vm.expectRevert(ISwapExecutor.OrdersMissing.selector);
    _executeBatch(new ISwapExecutor.Order[](0));
  }

  /// SE-1
  function testFuzz_RevertWhen_CallerIsNotTheOperator(address caller) public {
    vm.assume(caller != operator);
    ISwapExecutor.Order[] memory orders = _orders();
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotOperator.selector, caller));
    vm.prank(caller);
    swapper.executeBatch(orders, 0);
  }

  function _orders() private view returns (ISwapExecutor.Order[] memory orders) {
    orders = new ISwapExecutor.Order[](3);
    for (uint256 i; i < 3; ++i) {
      orders[i] = ISwapExecutor.Order(planId + i, 1, _unsigned(_go()), "", _path());
    }
  }

  function _executeBatch(ISwapExecutor.Order[] memory orders) private returns (ISwapExecutor.Result[] memory) {
    vm.prank(operator);
    return swapper.executeBatch(orders, 0);
  }

  /// Requires that with this gas limit each run has exactly its budget, or that the batch is refused by name, and
  /// returns which.
  function _assertWholeBudgets(uint256 start, uint256 count, uint256 gasPerRun, uint256 gasLimit)
    private
    returns (bool isAccepted)
  {
    uint256 budget = gasPerRun > swapper.GAS_PER_RUN() ? gasPerRun : swapper.GAS_PER_RUN();
    ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](count);
    // The first call to the registry in a transaction costs more, and so must the first one here.
    assertTrue(vm.revertToState(start));
    vm.prank(operator);
    try swapper.executeBatch{gas: gasLimit}(orders, gasPerRun) returns (ISwapExecutor.Result[] memory results) {
      for (uint256 i; i < count; ++i) {
        assertEq(results[i].amountOut, budget - 2, "a run was given another budget");
      }
      return true;
    } catch (bytes memory why) {
      assertEq(bytes4(why), BatchCall.GasTooLow.selector);
    }
  }

  /// Its token burns all its gas on a transfer.
  function _burningPlan(GasBurnerERC20 burner) private returns (uint256) {
    source.setPrice(address(burner), PRICE_IN_WAD);
    coin.mint(address(_newPool(address(burner), address(coin))), FLOOR);
    IPlanRegistry.Terms memory terms = _swapTerms();
    terms.tokenIn = address(burner);
    return _create(terms);
  }

  function _firstRecorded() private returns (uint256) {
    Vm.Log[] memory logs = vm.getRecordedLogs();
    for (uint256 i; i < logs.length; ++i) {
      if (logs[i].topics[0] == IPlanRegistry.RunRecorded.selector) return uint256(logs[i].topics[1]);
    }
    revert("nothing recorded");
  }
}
