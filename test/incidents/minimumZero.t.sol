// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {SwapExecutor} from "../../contracts/SwapExecutor.sol";
import {IPancakeV3SwapCallback} from "../../contracts/interfaces/IPancakeV3Pool.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {PancakePools} from "../../contracts/libraries/PancakePools.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {Product} from "../base/Product.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockV3Pool} from "../mocks/MockV3Pool.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// A constant-product pool without a fee, behind the interface of PancakeSwap's. A fee would only make the attack more
/// expensive.
contract ProductPool is MockV3Pool {
  function swap(address recipient, bool zeroForOne, int256 amountIn, uint160 limit, bytes calldata data)
    public
    override
    returns (int256, int256)
  {
    (IERC20 tokenIn, IERC20 tokenOut) = zeroForOne ? (token0, token1) : (token1, token0);
    amountOut = quote(tokenIn, tokenOut, uint256(amountIn));
    return super.swap(recipient, zeroForOne, amountIn, limit, data);
  }

  function quote(IERC20 tokenIn, IERC20 tokenOut, uint256 amountIn) public view returns (uint256) {
    uint256 reserveIn = tokenIn.balanceOf(address(this));
    return tokenOut.balanceOf(address(this)) * amountIn / (reserveIn + amountIn);
  }
}

/// The mistake: a run may deliver any amount.
contract MinimumZeroTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _minOf(IPlanRegistry.Terms memory, IPlanRegistry.Ticket calldata, bytes calldata)
    internal
    pure
    override
    returns (uint256)
  {
    return 0;
  }
}

/// The mistake: a verdict's price counts only if a signer has signed it.
contract UnheardPriceTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _ticketFloor(IPlanRegistry.Terms memory, IPlanRegistry.Ticket calldata, bytes calldata)
    internal
    pure
    override
    returns (uint256)
  {
    return 0;
  }
}

/// A stranger buys before a run of 100 USD and sells right after it, with the most profitable stake. The operator is
/// honest: it passes the verdict's price, as the agent does.
contract MinimumZeroTest is IncidentBase, IPancakeV3SwapCallback {
  /// The stranger's capital: as much as the pool holds.
  uint256 private constant PURSE = 600_000e18;
  /// The agent's tolerance for price moves between verdict and block (packages/core/verdict/ticket.ts).
  uint256 private constant ROOM_BPS = 20;
  /// What 100 USD buy without interference.
  uint256 private constant FAIR = 166_638;

  ProductPool private pool;
  SwapExecutor private swapper;
  address private operator = makeAddr("operator");
  address private deployer = makeAddr("pool deployer");
  uint256 private stake;
  bool private isPriceLeftOut;
  bytes private refusal;

  /// The result of one stake. Base units.
  struct Outcome {
    uint256 stake;
    int256 profit;
    uint256 received;
  }

  /// 10 coins at 60,000 USD each.
  function setUp() public override {
    super.setUp();
    pool = ProductPool(PancakePools.poolOf(deployer, address(usd), address(coin), 500));
    vm.etch(address(pool), address(new ProductPool()).code);
    pool.initialize(address(usd), address(coin));
    usd.mint(address(pool), 600_000e18);
    coin.mint(address(pool), 10e8);
    usd.mint(stranger, PURSE);
  }

  /// A refused run does not undo the stranger's own trades.
  function attack() external override {
    swapper = Product.swapExecutor(registry, deployer, operator, makeAddr("rotator"));
    IPlanRegistry.Terms memory terms = _terms();
    terms.executor = address(swapper);
    uint256 planId = _create(terms);
    IPlanRegistry.Ticket memory ticket = _judged();

    _trade(address(usd), address(coin), stake);
    vm.prank(operator);
    try swapper.execute(planId, 1, ticket, "", _path(address(usd), address(coin))) {}
    catch (bytes memory reason) {
      refusal = reason;
    }
    _trade(address(coin), address(usd), coin.balanceOf(stranger));
  }

  /// IT-4: a stranger who can buy the whole pool takes three quarters of the owner's payment.
  function test_TheTwinsOwnerLosesThreeQuarters() public {
    _moveTo(address(new MinimumZeroTwin(address(source))));
    Outcome memory best = _search(_profitOf);
    assertEq(best.stake, PURSE);
    assertEq(best.profit, 75.000924763528422884e18);
    assertEq(best.received, 41_663);
  }

  /// IT-4: almost all of the plan's slippage, which is 50 bps of 100 USD. The search would find the same on this
  /// project's contract.
  function test_TheTwinThatHearsNoPriceGivesAwayTheWholeSlippage() public {
    _moveTo(address(new UnheardPriceTwin(address(source))));
    Outcome memory best = _search(_profitOf);
    assertGt(best.profit, 0.48e18);
    assertLt(best.received, FLOOR + 5);
    assertLt(_search(_lossOf).received, FLOOR + 5);
  }

  /// IT-4, PR-10, PR-27, SE-4: with any stake, the stranger takes at most the ticket's tolerance, and the owner loses
  /// no more.
  function test_OnOursTheBestStakeTakesTheTicketsRoomAtMost() public {
    uint256 least = _minByTicket();
    assertGt(least, FLOOR);
    Outcome memory best = _search(_profitOf);
    assertLe(best.profit, int256(uint256(AMOUNT) * ROOM_BPS / 10_000));
    // The search has reached the edge, where the stranger takes the whole tolerance.
    assertGt(best.profit, int256(uint256(AMOUNT) * (ROOM_BPS - 1) / 10_000));
    Outcome memory worst = _search(_lossOf);
    assertGe(worst.received, least);
    assertLe(FAIR - worst.received, FAIR * ROOM_BPS / 10_000 + 1);
  }

  /// IT-4: a larger stake only stops the run, and the stranger has traded for nothing.
  function test_OnOursALargeStakeTakesNothing() public {
    Outcome memory outcome = _try(PURSE);
    assertEq(outcome.profit, 0);
    assertEq(outcome.received, 0);
    stake = PURSE;
    this.attack();
    assertEq(bytes4(refusal), IPlanRegistry.FloorNotMet.selector);
    assertEq(usd.balanceOf(owner), FUNDS);
    assertEq(coin.balanceOf(recipient), 0);
  }

  /// IT-4, PR-27: an operator that colludes with the stranger omits the price; the plan's own floor still applies.
  function test_WithoutATicketsPriceThePlansOwnFloorStands() public {
    isPriceLeftOut = true;
    assertGt(_search(_profitOf).profit, 0.48e18);
    assertGe(_search(_lossOf).received, FLOOR);
  }

  /*//////////////////////////////////////////////////////////////
                              THE SEARCH
  //////////////////////////////////////////////////////////////*/

  /// Finds the stake with the highest `score`: on a grid over five powers of ten, and then on ever finer grids around
  /// the best. The gain grows with the stake until the run is refused, so the best stake is at that edge.
  function _search(function(Outcome memory) pure returns (int256) score) private returns (Outcome memory best) {
    best = _try(PURSE);
    (uint256 low, uint256 high) = (1e18, PURSE);
    for (uint256 each = low; each < high; each = each * 3 / 2) {
      Outcome memory outcome = _try(each);
      if (score(outcome) > score(best)) best = outcome;
    }
    (low, high) = (best.stake * 2 / 3, Math.min(best.stake * 3 / 2, PURSE));
    for (uint256 round; round < 6; ++round) {
      uint256 step = (high - low) / 10;
      for (uint256 each = low; each <= high; each += step) {
        Outcome memory outcome = _try(each);
        if (score(outcome) > score(best)) best = outcome;
      }
      (low, high) = (best.stake - Math.min(step, best.stake), Math.min(best.stake + step, PURSE));
    }
  }

  function _profitOf(Outcome memory outcome) private pure returns (int256) {
    return outcome.profit;
  }

  /// A refused run costs its owner nothing.
  function _lossOf(Outcome memory outcome) private pure returns (int256) {
    return outcome.received == 0 ? -1 : int256(FAIR) - int256(outcome.received);
  }

  /// Undone at the end.
  function _try(uint256 stake_) private returns (Outcome memory) {
    uint256 before = vm.snapshotState();
    stake = stake_;
    this.attack();
    assertEq(coin.balanceOf(stranger), 0);
    int256 profit = int256(usd.balanceOf(stranger)) - int256(PURSE);
    Outcome memory outcome = Outcome(stake_, profit, coin.balanceOf(recipient));
    assertTrue(vm.revertToStateAndDelete(before));
    return outcome;
  }

  /*//////////////////////////////////////////////////////////////
                            THE OPERATOR
  //////////////////////////////////////////////////////////////*/

  /// GO, at the pool's price before the stranger trades, plus the agent's tolerance.
  function _judged() private view returns (IPlanRegistry.Ticket memory ticket) {
    (ticket.verdict, ticket.evidenceHash) = (Verdict.GO, EVIDENCE);
    if (!isPriceLeftOut) ticket.maxPriceWad = _maxPriceWad();
  }

  function _maxPriceWad() private view returns (uint256) {
    uint256 quote = pool.quote(usd, coin, AMOUNT);
    return Math.mulDiv(uint256(AMOUNT) * (10_000 + ROOM_BPS), 1e18, quote * 10_000, Math.Rounding.Ceil);
  }

  function _minByTicket() private view returns (uint256) {
    return Math.ceilDiv(uint256(AMOUNT) * 1e18, _maxPriceWad());
  }

  function _trade(address tokenIn, address tokenOut, uint256 amountIn) private {
    pool.swap(stranger, tokenIn < tokenOut, int256(amountIn), 0, abi.encode(tokenIn));
  }

  /// The stranger's payment.
  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
    vm.prank(stranger);
    MockERC20(abi.decode(data, (address)))
      .transfer(address(pool), uint256(amount0Delta > 0 ? amount0Delta : amount1Delta));
  }

  function _path(address tokenIn, address tokenOut) private pure returns (bytes memory) {
    return abi.encodePacked(tokenIn, uint24(500), tokenOut);
  }
}
