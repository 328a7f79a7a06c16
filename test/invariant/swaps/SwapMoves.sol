// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../../contracts/PlanRegistry.sol";
import {SwapExecutor} from "../../../contracts/SwapExecutor.sol";
import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {Rules} from "../Rules.sol";
import {HostilePool, ISwapListener} from "./HostilePool.sol";

/// Who and what there is: three owners with three plans each, three pools, and what the attacker does out of a pool that
/// swaps.
abstract contract SwapMoves is Rules, ISwapListener {
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
  mapping(uint256 planId => uint256) internal _ranUntil;
  uint256 internal immutable _start = block.timestamp;
  bool internal transient _isHostile;
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

  /// Out of a pool that swaps, before it is paid and after.
  function onSwap(bool isPaid) external {
    if (!_isHostile || _isMoving) return;
    _isMoving = true;
    uint256 which = _roll(_inside.length);
    // The pool that swaps may ask once.
    if (which != 4 || isPaid) _count(_inside[which], _move(which, msg.sender));
    _isMoving = false;
  }

  function _any() internal returns (uint256) {
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
    if (which == 1) call = abi.encodeCall(swapper.executeBatch, (orders, 0));
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
      call = abi.encodeCall(swapper.defer, (orders[0].planId, 1, 1, orders[0].ticket, ""));
    }
    bytes memory answer;
    vm.prank(from);
    (succeeded, answer) = target.call(call);
    // A list itself never fails.
    if (which == 1 && succeeded) succeeded = abi.decode(answer, (ISwapExecutor.Result[]))[0].isExecuted;
    if (succeeded) revert MovePassed(_inside[which]);
  }

  /// The attacker sets the pools' prices, and whether each takes all of its input.
  function _offer(uint256 seed, uint256 amountOut) internal {
    amountOut = bound(amountOut, seed % 3 == 0 ? 0 : 167_000, 170_000);
    pools[0].setAmountOut(amountOut);
    pools[2].setAmountOut(amountOut);
    pools[1].setAmountOut(1 + seed % 1e24);
    for (uint256 i; i < 3; ++i) {
      pools[i].setTakenBps((seed >> i) % 8 == 5 ? bound(amountOut, 1, 10_001) : 10_000);
    }
  }

  function _order(uint256 seed) internal view returns (ISwapExecutor.Order memory order) {
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

  function _path(uint256 seed) internal view returns (bytes memory) {
    if (seed % 32 == 3) return abi.encodePacked(address(coin), uint24(500), address(usd));
    if (seed % 32 == 4) return abi.encodePacked(address(usd), uint24(500), address(0xdead));
    if (seed % 32 == 5) return hex"1234";
    if (seed % 32 == 6) return abi.encodePacked(address(usd), uint24(2_500), address(coin));
    if (seed % 2 == 0) return abi.encodePacked(address(usd), uint24(500), between, uint24(500), address(coin));
    return abi.encodePacked(address(usd), uint24(500), address(coin));
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
      maxSlippageBps: uint16(50 * plan),
      farLimit: false,
      triggerPriceWad: 0
    });
    vm.prank(owners[owner]);
    periodOf[registry.create(terms)] = terms.periodSeconds;
  }
}
