// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../contracts/PlanRegistry.sol";
import {SwapExecutor} from "../../contracts/SwapExecutor.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockPriceSource} from "../mocks/MockPriceSource.sol";
import {HostilePool, ISwapListener} from "./HostilePool.sol";
import {Rules} from "./Rules.sol";

/// An attacker with the operator's key chooses plans, order, routes and gas, sets the pools' prices, makes them take only
/// a part and call back, sends donations, and tries to stay operator. The rotator and the owners act too.
contract SwapHandler is Rules, ISwapListener {
  struct Before {
    uint256 runs;
    uint256 owner;
    uint256 recipient;
  }

  /// What must be refused inside a swap.
  bytes32[7] private _inside = [
    bytes32("run inside a run"),
    bytes32("batch inside a run"),
    bytes32("callback of a run by a pool"),
    bytes32("payment of another pool"),
    bytes32("payment twice"),
    bytes32("payment from the registry"),
    bytes32("deferral inside a run")
  ];

  PlanRegistry public immutable registry;
  SwapExecutor public immutable swapper;
  /// Dollars to coins directly, dollars to the token between, and from there to coins.
  HostilePool[3] public pools;
  MockPriceSource public immutable source;
  MockERC20 public immutable usd;
  MockERC20 public immutable coin;
  MockERC20 public immutable between;
  address public immutable rotator;
  /// Each owner has one recipient, to whom no other owner's plan delivers.
  address[3] public owners = [address(0x0a1), address(0x0a2), address(0x0a3)];

  /// Donations to the executor, which stay there.
  uint256 public usdGifts;
  uint256 public coinGifts;
  /// Donations of coins to the registry, which stay there and count as nobody's delivery.
  uint256 public registryGifts;
  /// The operator as tracked by the handler.
  address public operator;
  address public proposed;
  mapping(uint256 planId => uint256) public periodOf;
  /// The end of the slot that has run last.
  mapping(uint256 planId => uint256) private _ranUntil;
  uint256 private immutable _start = block.timestamp;
  bool private transient _isHostile;
  bool private transient _isMoving;

  constructor(
    PlanRegistry registry_,
    SwapExecutor swapper_,
    HostilePool[3] memory pools_,
    MockPriceSource source_,
    MockERC20 usd_,
    MockERC20 coin_,
    MockERC20 between_
  ) {
    registry = registry_;
    swapper = swapper_;
    pools = pools_;
    source = source_;
    usd = usd_;
    coin = coin_;
    between = between_;
    for (uint256 i; i < 3; ++i) {
      pools_[i].setHandler(this);
    }
    for (uint256 i; i < _inside.length; ++i) {
      _expect(_inside[i]);
    }
    rotator = swapper_.rotator();
    operator = swapper_.operator();
    for (uint256 i; i < owners.length; ++i) {
      usd.mint(owners[i], 1e27);
      vm.prank(owners[i]);
      usd.approve(address(registry), type(uint256).max);
      for (uint256 plan; plan < 3; ++plan) {
        _create(i, plan);
      }
    }
  }

  function recipientOf(address owner) public pure returns (address) {
    return address(uint160(owner) + 0x100);
  }

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
    _offer(seed, _any());
    (uint256[] memory owned, uint256[] memory delivered, uint256[] memory runs) = _picture();
    uint256 enough = swapper.gasLimitOf(orders.length);
    gasLimit = seed % 4 == 0 ? bound(gasLimit, 50_000, enough) : enough;
    bytes32 unstarved = gasLimit == enough ? bytes32(0) : _resultsWith(enough, orders);
    vm.prank(operator);
    try swapper.executeBatch{gas: gasLimit}(orders) returns (ISwapExecutor.Result[] memory results) {
      _rule("IN-26: a run has gone without gas", gasLimit == enough || keccak256(abi.encode(results)) == unstarved);
      _judge(orders, results, owned, delivered, runs);
    } catch {
      _count("batch that reverts", true);
      _rule("IN-26: a batch that reverted has moved something", _isAsBefore(owned, delivered, runs));
      _rule("IN-26: a batch with gas enough has reverted", gasLimit != enough);
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
    } catch {
      _count("run", false);
      _rule("IN-22: a run that reverted has moved something", _isAsBefore(owned, delivered, runs));
    }
  }

  /// Out of a pool that swaps, before it is paid and after.
  function onSwap(bool isPaid) external {
    if (!_isHostile || _isMoving) return;
    _isMoving = true;
    uint256 which = _roll(_inside.length);
    // The pool that swaps may ask once.
    if (which != 4 || isPaid) _count(_inside[which], _move(which, msg.sender));
    _isMoving = false;
  }

  /// Without a run, nobody can use the callback or the donations.
  function intrude(uint256 seed) external rolls(seed) {
    seed = _any();
    uint256 planId = 1 + seed % registry.planCount();
    IPlanRegistry.OpenRun memory run = IPlanRegistry.OpenRun(planId, address(usd), address(coin), 1 + seed % 1e18, 0);
    vm.prank(seed % 2 == 0 ? operator : address(0xbad));
    try swapper.onRunOpened(run, _path(seed)) {
      _rule("IN-25: the callback has answered somebody else", false);
    } catch {}
    vm.prank(seed % 2 == 0 ? operator : address(pools[seed % 3]));
    try swapper.pancakeV3SwapCallback(int256(1 + seed % 1e18), -1, seed % 4 < 2 ? bytes("") : abi.encode(usd)) {
      _rule("IN-25: somebody who swaps nothing was paid", false);
    } catch {}
    vm.prank(seed % 2 == 0 ? rotator : address(0xbad));
    try swapper.executeBatch(new ISwapExecutor.Order[](1)) {
      _rule("IN-25: somebody else has operated", false);
    } catch {}
    ISwapExecutor.Order memory order = _order(seed / 2);
    _offer(1, 170_000);
    vm.prank(seed % 2 == 0 ? rotator : address(0xbad));
    try swapper.execute(order.planId, order.expectedVersion, order.ticket, order.signature, order.path) {
      _rule("IN-25: somebody else has operated", false);
    } catch {}
    vm.prank(seed % 2 == 0 ? rotator : address(0xbad));
    try swapper.defer(planId, 1, 1, order.ticket, "") {
      _rule("IN-25: somebody else has operated", false);
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
      _rule("IN-25: an operator was proposed by another than the rotator", seed % 8 == 0);
      proposed = next;
    } catch {}
    address taker = seed % 3 == 0 ? next : address(uint160(0x0b0 + seed % 5));
    vm.prank(taker);
    try swapper.acceptOperator() {
      _rule("IN-25: an operator who was not proposed", taker == proposed);
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

  function _any() private returns (uint256) {
    return _roll(type(uint256).max);
  }

  /// @param pool The pool that swaps.
  function _move(uint256 which, address pool) private returns (bool succeeded) {
    ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](1);
    orders[0] = _order(2 * _roll(1e18) + 7);
    bytes memory call;
    address from = operator;
    address target = address(swapper);
    if (which == 0) {
      ISwapExecutor.Order memory order = orders[0];
      call = abi.encodeCall(
        swapper.execute, (order.planId, order.expectedVersion, order.ticket, order.signature, order.path)
      );
    }
    if (which == 1) call = abi.encodeCall(swapper.executeBatch, (orders));
    if (which == 2) {
      IPlanRegistry.OpenRun memory run = IPlanRegistry.OpenRun(1, address(usd), address(coin), 1, 0);
      (from, call) = (pool, abi.encodeCall(swapper.onRunOpened, (run, _path(7))));
    }
    if (which == 3 || which == 4) {
      bytes memory payment = _oneIn(2) ? bytes("") : abi.encode(usd);
      call = abi.encodeCall(swapper.pancakeV3SwapCallback, (int256(1 + _roll(1e18)), -1, payment));
      from = which == 4 ? pool : address(pools[0]) == pool ? address(pools[1]) : address(pools[0]);
    }
    if (which == 5) (from, target, call) = (pool, address(registry), abi.encodeCall(registry.payTo, (pool)));
    if (which == 6) {
      call = abi.encodeCall(swapper.defer, (1 + _roll(registry.planCount()), 1, 1, orders[0].ticket, ""));
    }
    bytes memory answer;
    vm.prank(from);
    (succeeded, answer) = target.call(call);
    // A list itself never fails.
    if (which == 1 && succeeded) succeeded = abi.decode(answer, (ISwapExecutor.Result[]))[0].isExecuted;
    if (succeeded) _rule(string.concat("IN-33: ", text(_inside[which])), false);
  }

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
        _rule("IN-24: something was received by a run that failed", results[i].amountOut == 0);
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
      _rule("IN-24: another amount on record", run.amountOut == results[i].amountOut);
      _rule("IN-23: delivered below the floor", results[i].amountOut >= run.floor);
    }
    for (uint256 i; i < owners.length; ++i) {
      _rule("IN-23: an owner paid another amount", owned[i] - usd.balanceOf(owners[i]) == paid[i]);
      _rule(
        "IN-23: a recipient has another amount", coin.balanceOf(recipientOf(owners[i])) - delivered[i] == received[i]
      );
    }
    for (uint256 planId = 1; planId < runs.length; ++planId) {
      _rule("IN-24: a plan has run that the results do not tell of", registry.plan(planId).state.runs == runs[planId]);
    }
  }

  /// The same batch's results with another gas limit.
  function _resultsWith(uint256 gasLimit, ISwapExecutor.Order[] memory orders) private returns (bytes32 results) {
    uint256 snapshot = vm.snapshotState();
    vm.prank(operator);
    results = keccak256(abi.encode(swapper.executeBatch{gas: gasLimit}(orders)));
    assert(vm.revertToStateAndDelete(snapshot));
  }

  /// The attacker sets the pools' prices, and whether each takes all of its input.
  function _offer(uint256 seed, uint256 amountOut) private {
    amountOut = bound(amountOut, seed % 3 == 0 ? 0 : 167_000, 170_000);
    pools[0].setAmountOut(amountOut);
    pools[2].setAmountOut(amountOut);
    pools[1].setAmountOut(1 + seed % 1e24);
    for (uint256 i; i < 3; ++i) {
      pools[i].setTakenBps((seed >> i) % 8 == 5 ? bound(amountOut, 1, 10_001) : 10_000);
    }
  }

  function _order(uint256 seed) private view returns (ISwapExecutor.Order memory order) {
    order.planId = seed % 32 == 0 ? 99 : _due(seed);
    order.expectedVersion = seed % 32 == 1 ? 2 : 1;
    order.ticket.verdict = seed % 32 == 2 ? Verdict.CAUTION : Verdict.GO;
    order.path = _path(seed);
  }

  /// A plan that may run now, if there is one.
  function _due(uint256 seed) private view returns (uint256 planId) {
    uint256 count = registry.planCount();
    for (uint256 i; i < count; ++i) {
      planId = 1 + (seed / 64 + i) % count;
      uint256 period = periodOf[planId];
      if (period == 0) continue;
      uint256 since = (block.timestamp - _start) % period;
      if (since < 1 hours && block.timestamp - since >= _ranUntil[planId]) return planId;
    }
  }

  function _path(uint256 seed) private view returns (bytes memory) {
    if (seed % 32 == 3) return abi.encodePacked(address(coin), uint24(500), address(usd));
    if (seed % 32 == 4) return abi.encodePacked(address(usd), uint24(500), address(0xdead));
    if (seed % 32 == 5) return hex"1234";
    if (seed % 32 == 6) return abi.encodePacked(address(usd), uint24(2_500), address(coin));
    if (seed % 2 == 0) return abi.encodePacked(address(usd), uint24(500), between, uint24(500), address(coin));
    return abi.encodePacked(address(usd), uint24(500), address(coin));
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

  function _create(uint256 owner, uint256 plan) private {
    IPlanRegistry.Terms memory terms = IPlanRegistry.Terms({
      owner: owners[owner],
      recipient: recipientOf(owners[owner]),
      executor: address(swapper),
      verdictSigner: address(0),
      tokenIn: address(usd),
      tokenOut: address(coin),
      amountPerRun: 100e18,
      startAt: uint40(block.timestamp),
      periodSeconds: uint32(1 hours * (1 + plan)),
      windowSeconds: uint32(1 hours),
      maxRuns: type(uint32).max,
      expiresAt: type(uint40).max,
      priceSource: address(source),
      limitPriceWad: 0,
      maxSlippageBps: uint16(50 * plan)
    });
    vm.prank(owners[owner]);
    periodOf[registry.create(terms)] = terms.periodSeconds;
  }
}
