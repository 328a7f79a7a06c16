// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {IPancakeV3Pool} from "../../contracts/interfaces/IPancakeV3Pool.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {PancakePools} from "../../contracts/libraries/PancakePools.sol";
import {Bsc} from "../../script/Bsc.sol";
import {Contracts} from "../../script/Contracts.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {IPoolLiquidity} from "./HostileRoute.t.sol";
import {IPancakeV3, IPool} from "./RunPlan.t.sol";

interface IPoolPrice {
  function slot0()
    external
    view
    returns (uint160 sqrtPriceX96, int24, uint16, uint16, uint16, uint32 feeProtocol, bool unlocked);
}

/// Holds the operator's and the verdict key, is the only one with liquidity in pools of its own, and trades at the honest
/// ones before and after it runs its victim's plans. The market is fair between its attacks: no pool is off the feeds.
contract PlanThief is Test {
  /// Hundredths of a basis point; USD with 18 decimals.
  struct Row {
    uint256 bound;
    uint256 runs;
    uint256 paid;
    int256 lost;
    uint256 maxLoss;
    int256 maxGain;
  }

  uint256 private constant WAD = 1e18;
  uint256 private constant UNIT = 1e6;
  uint24 private constant THIEFS_FEE = 10_000;
  uint24 private constant FEE = 500;
  uint256 private constant CAPITAL = 1e33;
  uint256 private constant PLANS_OF_A_CLASS = 8;
  /// The route through the honest pool alone.
  uint256 private constant HONEST = 5;
  uint160 private constant MIN_SQRT_PRICE = 4295128740;
  uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

  Contracts private bowline;
  address private operator;
  address private immutable victim = makeAddr("victim");
  uint256 private verdictKey;
  address private verdictSigner;
  /// The dollar first; then what is bought and sold for it.
  address[4] private tokens = [Bsc.USDT, Bsc.WBNB, Bsc.BTCB, Bsc.ETH];
  address[4] private feeds = [Bsc.USDT_FEED, Bsc.BNB_FEED, Bsc.BTC_FEED, Bsc.ETH_FEED];
  uint256[4] private base;
  /// USD with 18 decimals, in this attack.
  mapping(address token => uint256) private priceWad;
  MockERC20 private immutable middle = new MockERC20("THIEF", 18);
  address[] private thiefsPools;
  uint16[3] private slippages = [uint16(30), 100, 300];
  uint256[] private planIds;
  Row[3] private _rows;
  /// What the trade before the runs has bought.
  uint256 private _taken;
  uint256 public orders;
  uint256 public runs;

  constructor(Contracts memory bowline_, address operator_) {
    (bowline, operator) = (bowline_, operator_);
    (verdictSigner, verdictKey) = makeAddrAndKey("stolen verdict key");
    for (uint256 i; i < 4; ++i) {
      // To the digits of a feed.
      (, int256 answer,,,) = IAggregatorV3(feeds[i]).latestRoundData();
      base[i] = uint256(answer);
      deal(tokens[i], address(this), CAPITAL);
      deal(tokens[i], victim, CAPITAL);
      vm.prank(victim);
      IERC20(tokens[i]).approve(address(bowline.planRegistry), type(uint256).max);
    }
    middle.mint(address(this), CAPITAL);
    _news(0);
  }

  /// After construction, because pools call back.
  function prepare() external {
    for (uint256 i = 1; i < 4; ++i) {
      _open(Bsc.USDT, tokens[i], THIEFS_FEE);
      _open(address(middle), tokens[i], FEE);
    }
    _open(address(middle), Bsc.USDT, FEE);
    for (uint256 class; class < 3; ++class) {
      for (uint256 i; i < PLANS_OF_A_CLASS; ++i) {
        planIds.push(_plan(slippages[class], i));
      }
    }
  }

  function row(uint256 class) external view returns (Row memory seen) {
    seen = _rows[class];
    seen.bound = uint256(slippages[class]) * 100;
  }

  /*//////////////////////////////////////////////////////////////
                               ONE ATTACK
  //////////////////////////////////////////////////////////////*/

  /// Up to four plans of one slippage, alone or as a batch, in one block.
  function attack(uint256 seed) external {
    uint256 class = seed % 3;
    // Any time in the slot, and any order of the batch.
    vm.warp(block.timestamp + 60 + _roll(seed, 1) % 59);
    vm.roll(block.number + 1 + _roll(seed, 2) % 4);
    _news(seed);
    _arbitrage();
    (ISwapExecutor.Order[] memory list, bool isBuying) = _orders(seed, class);
    _dress(seed, class, isBuying);

    int256 thiefBefore = _wealth(address(this));
    uint256 stake = _roll(seed, 3) % 2 == 0 ? 0 : 1_000e18 << (_roll(seed, 4) % 12);
    IPlanRegistry.Terms memory first = bowline.planRegistry.plan(list[0].planId).terms;
    address[2] memory moved = _front(seed, stake, first.tokenIn, first.tokenOut);
    (uint256 paid, int256 lost) = _runAll(class, list);
    _back(moved);
    if (paid == 0) return;
    int256 gain = (_wealth(address(this)) - thiefBefore) * int256(UNIT) / int256(paid);
    Row storage done = _rows[class];
    if (done.maxGain == 0 || gain > done.maxGain) done.maxGain = gain;
    done.paid += paid;
    done.lost += lost;
  }

  /// Checks by balances alone what the records say.
  function _runAll(uint256 class, ISwapExecutor.Order[] memory list) private returns (uint256 paid, int256 lost) {
    int256 before = _wealth(victim);
    orders += list.length;
    vm.prank(operator);
    ISwapExecutor.Result[] memory results = bowline.swapExecutor.executeBatch(list, 0);
    for (uint256 i; i < list.length; ++i) {
      if (!results[i].isExecuted) continue;
      paid += _judge(class, bowline.planRegistry.plan(list[i].planId).terms, results[i].amountOut);
    }
    lost = before - _wealth(victim);
  }

  function _judge(uint256 class, IPlanRegistry.Terms memory terms, uint256 received) private returns (uint256 paid) {
    Row storage done = _rows[class];
    ++runs;
    ++done.runs;
    paid = terms.amountPerRun * priceWad[terms.tokenIn] / WAD;
    uint256 worth = received * priceWad[terms.tokenOut] / WAD;
    // Rounded down: the floor is in base units, and a base unit of what costs more than a dollar is more than one here.
    if (paid > worth) done.maxLoss = Math.max(done.maxLoss, (paid - worth) * UNIT / paid);
  }

  /// Returns also whether the first one buys. The thief's pools rob one direction, and would pay the other.
  function _orders(uint256 seed, uint256 class)
    private
    view
    returns (ISwapExecutor.Order[] memory list, bool isBuying)
  {
    list = new ISwapExecutor.Order[](1 + _roll(seed, 10) % 4);
    uint256 first = _roll(seed, 11);
    for (uint256 i; i < list.length; ++i) {
      uint256 planId = planIds[class * PLANS_OF_A_CLASS + (first + i) % PLANS_OF_A_CLASS];
      IPlanRegistry.Plan memory plan = bowline.planRegistry.plan(planId);
      list[i].planId = planId;
      list[i].expectedVersion = plan.state.version;
      (list[i].ticket, list[i].signature) = _ticket(plan.terms);
      if (i == 0) isBuying = plan.terms.tokenIn == Bsc.USDT;
      uint256 kind = isBuying == (plan.terms.tokenIn == Bsc.USDT) ? _roll(seed, 20 + i) % 8 : HONEST;
      list[i].path = _route(kind, plan.terms.tokenIn, plan.terms.tokenOut);
    }
  }

  /// GO, at whatever price and amount; at none where nobody asks for one.
  function _ticket(IPlanRegistry.Terms memory terms)
    private
    view
    returns (IPlanRegistry.Ticket memory ticket, bytes memory signature)
  {
    ticket.verdict = Verdict.GO;
    if (terms.verdictSigner == address(0)) return (ticket, "");
    (ticket.tokenIn, ticket.tokenOut) = (terms.tokenIn, terms.tokenOut);
    (ticket.maxPriceWad, ticket.maxAmountIn) = (type(uint256).max, type(uint256).max);
    (ticket.issuedAt, ticket.expiresAt) = (uint64(block.timestamp), uint64(block.timestamp + 900));
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(verdictKey, bowline.planRegistry.digestOf(ticket));
    signature = abi.encodePacked(r, s, v);
  }

  /// Half of them through the thief's own pool; else through two or three of which some are the thief's, or the honest.
  function _route(uint256 kind, address tokenIn, address tokenOut) private view returns (bytes memory) {
    if (kind < 4) return abi.encodePacked(tokenIn, THIEFS_FEE, tokenOut);
    if (kind == 4) return abi.encodePacked(tokenIn, FEE, address(middle), FEE, tokenOut);
    bool isBtc = tokenIn == Bsc.BTCB || tokenOut == Bsc.BTCB;
    if (!isBtc || kind == HONEST) return abi.encodePacked(tokenIn, FEE, tokenOut);
    bool isBought = tokenOut == Bsc.BTCB;
    if (kind == 6) {
      return isBought
        ? abi.encodePacked(tokenIn, FEE, Bsc.WBNB, uint24(2500), tokenOut)
        : abi.encodePacked(tokenIn, uint24(2500), Bsc.WBNB, FEE, tokenOut);
    }
    return isBought
      ? abi.encodePacked(tokenIn, FEE, address(middle), FEE, Bsc.WBNB, uint24(2500), tokenOut)
      : abi.encodePacked(tokenIn, uint24(2500), Bsc.WBNB, FEE, address(middle), FEE, tokenOut);
  }

  /// Sets the thief's pools to where their swaps end a little above the floor, a little below it, or far below.
  function _dress(uint256 seed, uint256 class, bool isBuying) private {
    uint256 bps = uint256(slippages[class]) * 100;
    // One in eight asks for nine tenths of the payment, which only a registry without a floor would give.
    uint256 off = _roll(seed, 32) % 8 == 0 ? UNIT * 9 / 10 : bps + 200 - _roll(seed, 31) % 1_500;
    for (uint256 i = 1; i < 4; ++i) {
      _setPrice(Bsc.USDT, tokens[i], THIEFS_FEE, _off(i, off, 1e4, isBuying));
      _setPrice(address(middle), tokens[i], FEE, _off(i, off, 1e3, isBuying));
    }
    _setPrice(address(middle), Bsc.USDT, FEE, priceWad[Bsc.USDT]);
  }

  /// The price at which a swap loses `off` with its fees: dearer for who buys, cheaper for who sells.
  function _off(uint256 i, uint256 off, uint256 fees, bool isBuying) private view returns (uint256) {
    uint256 fair = priceWad[tokens[i]];
    return isBuying ? fair * (UNIT - fees) / (UNIT - off) : fair * (UNIT - off) / (UNIT - fees);
  }

  /// Trades before the first run, nearly always in its direction.
  function _front(uint256 seed, uint256 stake, address tokenIn, address tokenOut)
    private
    returns (address[2] memory moved)
  {
    if (stake == 0) return moved;
    moved = _roll(seed, 41) % 8 == 0 ? [tokenOut, tokenIn] : [tokenIn, tokenOut];
    uint256 amount = stake * WAD / priceWad[moved[0]];
    _taken = IERC20(moved[1]).balanceOf(address(this));
    _swap(_poolOf(moved[0], moved[1], FEE), moved[0], moved[1], amount, 0);
    _taken = IERC20(moved[1]).balanceOf(address(this)) - _taken;
  }

  function _back(address[2] memory moved) private {
    if (moved[0] == address(0)) return;
    _swap(_poolOf(moved[0], moved[1], FEE), moved[1], moved[0], _taken, 0);
  }

  /*//////////////////////////////////////////////////////////////
                               THE MARKET
  //////////////////////////////////////////////////////////////*/

  /// New answers, and Venus's prices are the same.
  function _news(uint256 seed) private {
    for (uint256 i; i < 4; ++i) {
      uint256 answer = i == 0 || seed == 0 ? base[i] : base[i] * (9_700 + _roll(seed, 50 + i) % 601) / 10_000;
      priceWad[tokens[i]] = answer * 1e10;
      vm.mockCall(
        feeds[i],
        abi.encodeCall(IAggregatorV3.latestRoundData, ()),
        abi.encode(1, answer, block.timestamp, block.timestamp, 1)
      );
      vm.mockCall(
        Bsc.RESILIENT_ORACLE, abi.encodeWithSignature("getPrice(address)", tokens[i]), abi.encode(answer * 1e10)
      );
    }
  }

  function _arbitrage() private {
    for (uint256 i = 1; i < 4; ++i) {
      _setPrice(Bsc.USDT, tokens[i], FEE, priceWad[tokens[i]]);
    }
    _setPrice(Bsc.WBNB, Bsc.BTCB, 2500, priceWad[Bsc.BTCB]);
  }

  function _setPrice(address a, address b, uint24 fee, uint256 bUsd) private {
    address pool = _poolOf(a, b, fee);
    (uint160 now_,,,,,,) = IPoolPrice(pool).slot0();
    uint160 wanted = _sqrtPrice(a, b, bUsd);
    if (wanted == now_) return;
    // A falling price takes token0.
    (address token0, address token1) = a < b ? (a, b) : (b, a);
    if (wanted < now_) _swap(pool, token0, token1, CAPITAL, wanted);
    else _swap(pool, token1, token0, CAPITAL, wanted);
  }

  function _sqrtPrice(address a, address b, uint256 bUsd) private view returns (uint160) {
    (uint256 of0, uint256 of1) = a < b ? (_usdOf(a), bUsd) : (bUsd, _usdOf(a));
    return uint160(Math.sqrt(Math.mulDiv(of0, 1 << 192, of1)));
  }

  /// The thief's token stands for a dollar.
  function _usdOf(address token) private view returns (uint256) {
    return token == address(middle) ? WAD : priceWad[token];
  }

  function _swap(address pool, address tokenIn, address tokenOut, uint256 amountIn, uint160 limit) private {
    bool zeroForOne = tokenIn < tokenOut;
    if (limit == 0) limit = zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE;
    IPancakeV3Pool(pool).swap(address(this), zeroForOne, int256(amountIn), limit, abi.encode(tokenIn));
  }

  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
    IERC20(abi.decode(data, (address))).transfer(msg.sender, uint256(amount0Delta > 0 ? amount0Delta : amount1Delta));
  }

  function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
    (address token0, address token1) = abi.decode(data, (address, address));
    IERC20(token0).transfer(msg.sender, amount0);
    IERC20(token1).transfer(msg.sender, amount1);
  }

  function _open(address a, address b, uint24 fee) private {
    address pool = IPancakeV3(Bsc.PANCAKE_FACTORY).createPool(a, b, fee);
    IPool(pool).initialize(_sqrtPrice(a, b, _usdOf(b)));
    bytes memory data = a < b ? abi.encode(a, b) : abi.encode(b, a);
    IPoolLiquidity(pool).mint(address(this), -887_200, 887_200, 1e26, data);
    thiefsPools.push(pool);
  }

  function _poolOf(address a, address b, uint24 fee) private pure returns (address) {
    return PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, a, b, fee);
  }

  /// In USD with 18 decimals. What the thief's pools hold is the thief's, with PancakeSwap's part of their fees.
  function _wealth(address account) private view returns (int256 usd) {
    for (uint256 i; i < 4; ++i) {
      uint256 amount = IERC20(tokens[i]).balanceOf(account);
      for (uint256 j; account == address(this) && j < thiefsPools.length; ++j) {
        amount += IERC20(tokens[i]).balanceOf(thiefsPools[j]);
      }
      usd += int256(Math.mulDiv(amount, priceWad[tokens[i]], WAD));
    }
  }

  /// Of three sizes, two sources, with and without a signer; one in four sells.
  function _plan(uint16 slippage, uint256 i) private returns (uint256) {
    address token = tokens[1 + i % 3];
    bool isSelling = i % 4 == 3;
    uint256 usd = [uint256(1_000e18), 10_000e18, 50_000e18][(i / 3) % 3];
    IPlanRegistry.Terms memory terms = IPlanRegistry.Terms({
      owner: victim,
      recipient: victim,
      executor: address(bowline.swapExecutor),
      verdictSigner: i % 2 == 0 ? address(0) : verdictSigner,
      tokenIn: isSelling ? token : Bsc.USDT,
      tokenOut: isSelling ? Bsc.USDT : token,
      amountPerRun: uint104(isSelling ? usd * WAD / priceWad[token] : usd),
      startAt: uint40(block.timestamp),
      periodSeconds: 60,
      windowSeconds: 60,
      maxRuns: type(uint32).max,
      expiresAt: type(uint40).max,
      priceSource: i < 4 ? address(bowline.venusPriceSource) : address(bowline.chainlinkPriceSource),
      limitPriceWad: 0,
      maxSlippageBps: slippage,
      farLimit: false,
      triggerPriceWad: 0
    });
    vm.prank(victim);
    return bowline.planRegistry.create(terms);
  }

  function _roll(uint256 seed, uint256 what) private pure returns (uint256) {
    return uint256(keccak256(abi.encode(seed, what)));
  }
}
