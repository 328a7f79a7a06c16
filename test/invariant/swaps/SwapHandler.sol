// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../../contracts/PlanRegistry.sol";
import {SwapExecutor} from "../../../contracts/SwapExecutor.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {HostilePool} from "./HostilePool.sol";
import {SwapMoves} from "./SwapMoves.sol";

/// An attacker with the operator's key chooses plans, order, routes and gas, sets the pools' prices, makes them take only
/// a part and call back, sends donations, and tries to stay operator. The rotator and the owners act too.
contract SwapHandler is SwapMoves {
  constructor(
    PlanRegistry registry_,
    SwapExecutor swapper_,
    HostilePool[3] memory pools_,
    MockPriceSource source_,
    MockERC20 usd_,
    MockERC20 coin_,
    MockERC20 between_
  ) SwapMoves(registry_, swapper_, pools_, source_, usd_, coin_, between_) {}

  /*//////////////////////////////////////////////////////////////
                             THE ATTACKER
  //////////////////////////////////////////////////////////////*/

  function executeBatch(uint256 seed) external rolls(seed) {
    seed = _any();
    uint256 gasLimit = _any();
    ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](1 + seed % 5);
    for (uint256 i; i < orders.length; ++i) {
      orders[i] = _order(uint256(keccak256(abi.encode(seed, i))));
    }
    _isHostile = _oneIn(2);
    _offer(seed, _any());
    (uint256[] memory owned, uint256[] memory delivered, uint256[] memory runs) = _picture();
    uint256 enough = swapper.gasLimitOf(orders.length, 0);
    // What hostile pools do depends on the dice, and another run of the same batch would throw others.
    gasLimit = seed % 4 == 0 && !_isHostile ? bound(gasLimit, 50_000, enough) : enough;
    bytes32 unstarved = gasLimit == enough ? bytes32(0) : _resultsWith(enough, orders);
    vm.prank(operator);
    try swapper.executeBatch{gas: gasLimit}(orders, 0) returns (ISwapExecutor.Result[] memory results) {
      _rule("SE-9: a run has gone without gas", gasLimit == enough || keccak256(abi.encode(results)) == unstarved);
      for (uint256 i; i < results.length; ++i) {
        if (!results[i].isExecuted) _requireRefused(results[i].failure);
      }
      _judge(orders, results, owned, delivered, runs);
    } catch {
      _count("batch that reverts", true);
      _rule("SE-9: a batch that reverted has moved something", _isAsBefore(owned, delivered, runs));
      _rule("SE-9: a batch with gas enough has reverted", gasLimit != enough);
    }
  }

  function execute(uint256 seed) external rolls(seed) {
    seed = _any();
    _isHostile = _oneIn(2);
    ISwapExecutor.Order memory order = _order(seed);
    _offer(seed, _any());
    (uint256[] memory owned, uint256[] memory delivered, uint256[] memory runs) = _picture();
    vm.prank(operator);
    try swapper.execute(order.planId, order.expectedVersion, order.ticket, order.signature, order.path) returns (
      uint256 received
    ) {
      ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](1);
      ISwapExecutor.Result[] memory results = new ISwapExecutor.Result[](1);
      (orders[0], results[0]) = (order, ISwapExecutor.Result(true, received, ""));
      _judge(orders, results, owned, delivered, runs);
    } catch (bytes memory reason) {
      _requireRefused(reason);
      _count("run", false);
      _rule("SE-5: a run that reverted has moved something", _isAsBefore(owned, delivered, runs));
    }
  }

  /// Without a run, nobody can use the callback or the donations.
  function intrude(uint256 seed) external rolls(seed) {
    seed = _any();
    uint256 planId = 1 + seed % registry.planCount();
    IPlanRegistry.OpenRun memory run = IPlanRegistry.OpenRun(planId, address(usd), address(coin), 1 + seed % 1e18, 0);
    vm.prank(seed % 2 == 0 ? operator : address(0xbad));
    try swapper.onRunOpened(run, _path(seed)) {
      _rule("SE-1: the callback has answered somebody else", false);
    } catch {}
    vm.prank(seed % 2 == 0 ? operator : address(pools[seed % 3]));
    try swapper.pancakeV3SwapCallback(int256(1 + seed % 1e18), -1, seed % 4 < 2 ? bytes("") : abi.encode(usd)) {
      _rule("SE-1: somebody who swaps nothing was paid", false);
    } catch {}
    vm.prank(seed % 2 == 0 ? rotator : address(0xbad));
    try swapper.executeBatch(new ISwapExecutor.Order[](1), 0) {
      _rule("SE-1: somebody else has operated", false);
    } catch {}
    ISwapExecutor.Order memory order = _order(seed / 2);
    _offer(1, 170_000);
    vm.prank(seed % 2 == 0 ? rotator : address(0xbad));
    try swapper.execute(order.planId, order.expectedVersion, order.ticket, order.signature, order.path) {
      _rule("SE-1: somebody else has operated", false);
    } catch {}
    vm.prank(seed % 2 == 0 ? rotator : address(0xbad));
    try swapper.defer(planId, 1, 1, order.ticket, "") {
      _rule("SE-1: somebody else has operated", false);
    } catch {}
  }

  function give(uint256 seed) external rolls(seed) {
    seed = _any();
    uint256 amount = _between(0, 1e18);
    if (seed % 3 == 0) {
      coin.mint(address(registry), amount);
      registryGifts += amount;
    } else if (seed % 2 == 0) {
      usd.mint(address(swapper), amount);
      usdGifts += amount;
    } else {
      coin.mint(address(swapper), amount);
      coinGifts += amount;
    }
  }

  /*//////////////////////////////////////////////////////////////
                        ROTATOR, OWNERS, WORLD
  //////////////////////////////////////////////////////////////*/

  function rotate(uint256 seed) external rolls(seed) {
    seed = _any();
    address next = address(uint160(0x0b0 + seed % 4));
    vm.prank(seed % 8 == 0 ? rotator : operator);
    try swapper.proposeOperator(next) {
      _rule("SE-1: an operator was proposed by another than the rotator", seed % 8 == 0);
      proposed = next;
    } catch {}
    address taker = seed % 3 == 0 ? next : address(uint160(0x0b0 + seed % 5));
    vm.prank(taker);
    try swapper.acceptOperator() {
      _rule("SE-1: an operator who was not proposed", taker == proposed);
      (operator, proposed) = (taker, address(0));
    } catch {}
  }

  function pause(uint256 seed) external rolls(seed) {
    seed = _any();
    uint256 planId = 1 + seed % registry.planCount();
    vm.startPrank(registry.plan(planId).terms.owner);
    if (seed % 2 == 0) registry.pause(planId);
    else try registry.resume(planId, 1, registry.plan(planId).state.runs) {} catch {}
    vm.stopPrank();
  }

  /// Blocks come more often than once a second, so a time may repeat.
  function pass(uint256 seed) external rolls(seed) {
    if (!_oneIn(4)) vm.warp(block.timestamp + _between(1, 3 hours));
    vm.roll(block.number + _between(1, 7));
  }

  /*//////////////////////////////////////////////////////////////
                                PRIVATE
  //////////////////////////////////////////////////////////////*/

  /// Each order's result matches what happened to its plan, and every owner has paid their plans' runs.
  function _judge(
    ISwapExecutor.Order[] memory orders,
    ISwapExecutor.Result[] memory results,
    uint256[] memory owned,
    uint256[] memory delivered,
    uint256[] memory runs
  ) private {
    uint256[] memory paid = new uint256[](owners.length);
    uint256[] memory received = new uint256[](owners.length);
    for (uint256 i; i < orders.length; ++i) {
      if (!results[i].isExecuted) {
        _count("run", false);
        _rule("SE-9: something was received by a run that failed", results[i].amountOut == 0);
        continue;
      }
      uint256 planId = orders[i].planId;
      IPlanRegistry.Plan memory plan = registry.plan(planId);
      uint256 which = uint160(plan.terms.owner) - 0x0a1;
      ++runs[planId];
      uint256 period = periodOf[planId];
      _ranUntil[planId] = block.timestamp - (block.timestamp - _start) % period + period;
      _count("run", true);
      paid[which] += plan.terms.amountPerRun;
      received[which] += results[i].amountOut;
      IPlanRegistry.Run memory run = registry.runs(planId, plan.state.records - 1, plan.state.records)[0];
      _rule("SE-9: another amount on record", run.amountOut == results[i].amountOut);
      _rule("PR-11: delivered below the floor", results[i].amountOut >= run.floor);
    }
    for (uint256 i; i < owners.length; ++i) {
      _rule("PR-11: an owner paid another amount", owned[i] - usd.balanceOf(owners[i]) == paid[i]);
      _rule(
        "PR-11: a recipient has another amount", coin.balanceOf(recipientOf(owners[i])) - delivered[i] == received[i]
      );
    }
    for (uint256 planId = 1; planId < runs.length; ++planId) {
      _rule("SE-9: a plan has run that the results do not tell of", registry.plan(planId).state.runs == runs[planId]);
    }
  }

  /// The same batch's results with another gas limit.
  function _resultsWith(uint256 gasLimit, ISwapExecutor.Order[] memory orders) private returns (bytes32 results) {
    uint256 snapshot = vm.snapshotState();
    vm.prank(operator);
    results = keccak256(abi.encode(swapper.executeBatch{gas: gasLimit}(orders, 0)));
    assert(vm.revertToStateAndDelete(snapshot));
  }

  function _picture() private view returns (uint256[] memory owned, uint256[] memory delivered, uint256[] memory runs) {
    owned = new uint256[](owners.length);
    delivered = new uint256[](owners.length);
    runs = new uint256[](registry.planCount() + 1);
    for (uint256 i; i < owners.length; ++i) {
      owned[i] = usd.balanceOf(owners[i]);
      delivered[i] = coin.balanceOf(recipientOf(owners[i]));
    }
    for (uint256 planId = 1; planId < runs.length; ++planId) {
      runs[planId] = registry.plan(planId).state.runs;
    }
  }

  function _isAsBefore(uint256[] memory owned, uint256[] memory delivered, uint256[] memory runs)
    private
    view
    returns (bool)
  {
    (uint256[] memory owned_, uint256[] memory delivered_, uint256[] memory runs_) = _picture();
    return keccak256(abi.encode(owned, delivered, runs)) == keccak256(abi.encode(owned_, delivered_, runs_));
  }
}
