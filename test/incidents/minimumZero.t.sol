// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {SwapExecutor} from "../../contracts/SwapExecutor.sol";
import {IPancakeV3Router} from "../../contracts/interfaces/IPancakeV3Router.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// A pool of constant product without a fee, behind the router's entry. A fee would only make the attack dearer.
contract ProductPool is IPancakeV3Router {
  using SafeERC20 for IERC20;

  function exactInput(ExactInputParams calldata params) external payable returns (uint256 amountOut) {
    IERC20 tokenIn = IERC20(address(bytes20(params.path[:20])));
    IERC20 tokenOut = IERC20(address(bytes20(params.path[23:43])));
    amountOut = quote(tokenIn, tokenOut, params.amountIn);
    require(amountOut >= params.amountOutMinimum, "Too little received");
    tokenIn.safeTransferFrom(msg.sender, address(this), params.amountIn);
    tokenOut.safeTransfer(params.recipient, amountOut);
  }

  function quote(IERC20 tokenIn, IERC20 tokenOut, uint256 amountIn) public view returns (uint256) {
    uint256 reserveIn = tokenIn.balanceOf(address(this));
    return tokenOut.balanceOf(address(this)) * amountIn / (reserveIn + amountIn);
  }
}

/// The mistake: a run may bring as little as it likes.
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

/// The mistake: a verdict's price counts where a signer has signed it and nowhere else.
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

/// A stranger buys ahead of a run of 100 USD and sells again right after, with the stake that pays best. The operator is
/// honest: it hands over the price of the verdict, as the agent does.
contract MinimumZeroTest is IncidentBase {
  /// What the stranger has: as much as the pool holds.
  uint256 private constant PURSE = 600_000e18;
  /// What the agent leaves for a price to move by between verdict and block (packages/core/verdict/ticket.ts).
  uint256 private constant ROOM_BPS = 20;
  /// 100 USD buy this much when nobody interferes.
  uint256 private constant FAIR = 166_638;

  ProductPool private pool;
  SwapExecutor private swapper;
  address private operator = makeAddr("operator");
  uint256 private stake;
  bool private isPriceLeftOut;
  bytes private refusal;

  /// What one stake has brought. Base units.
  struct Outcome {
    uint256 stake;
    int256 profit;
    uint256 received;
  }

  /// 10 coins at 60,000 USD each.
  function setUp() public override {
    super.setUp();
    pool = new ProductPool();
    usd.mint(address(pool), 600_000e18);
    coin.mint(address(pool), 10e8);
    usd.mint(stranger, PURSE);
    vm.startPrank(stranger);
    usd.approve(address(pool), type(uint256).max);
    coin.approve(address(pool), type(uint256).max);
    vm.stopPrank();
  }

  /// A run that is refused leaves the stranger's own trades as they are.
  function attack() external override {
    swapper = new SwapExecutor(registry, pool, operator, makeAddr("rotator"));
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

  /// IT-4: whoever can buy the whole pool takes three quarters of what the owner pays.
  function test_TheTwinsOwnerLosesThreeQuarters() public {
    _moveTo(address(new MinimumZeroTwin(address(source))));
    Outcome memory best = _search(_profitOf);
    assertEq(best.stake, PURSE);
    assertEq(best.profit, 75.000924763528422884e18);
    assertEq(best.received, 41_663);
  }

  /// IT-4: nearly all of the plan's slippage, which is 50 bps of 100 USD. What the search finds here it would find on ours.
  function test_TheTwinThatHearsNoPriceGivesAwayTheWholeSlippage() public {
    _moveTo(address(new UnheardPriceTwin(address(source))));
    Outcome memory best = _search(_profitOf);
    assertGt(best.profit, 0.48e18);
    assertLt(best.received, FLOOR + 5);
    assertLt(_search(_lossOf).received, FLOOR + 5);
  }

  /// IT-4, PR-10, PR-27, SE-4: with whatever stake, the stranger takes the ticket's room at most, and the owner loses no more.
  function test_OnOursTheBestStakeTakesTheTicketsRoomAtMost() public {
    uint256 least = _minByTicket();
    assertGt(least, FLOOR);
    Outcome memory best = _search(_profitOf);
    assertLe(best.profit, int256(uint256(AMOUNT) * ROOM_BPS / 10_000));
    // The search has gone to the edge: all that the room leaves.
    assertGt(best.profit, int256(uint256(AMOUNT) * (ROOM_BPS - 1) / 10_000));
    Outcome memory worst = _search(_lossOf);
    assertGe(worst.received, least);
    assertLe(FAIR - worst.received, FAIR * ROOM_BPS / 10_000 + 1);
  }

  /// IT-4: a stake beyond that only stops the run, and the stranger has traded for nothing.
  function test_OnOursALargeStakeTakesNothing() public {
    Outcome memory outcome = _try(PURSE);
    assertEq(outcome.profit, 0);
    assertEq(outcome.received, 0);
    stake = PURSE;
    this.attack();
    assertEq(refusal, abi.encodeWithSignature("Error(string)", "Too little received"));
    assertEq(usd.balanceOf(owner), FUNDS);
    assertEq(coin.balanceOf(recipient), 0);
  }

  /// IT-4, PR-27: an operator that is the stranger's friend leaves the price out; the plan's own floor stands.
  function test_WithoutATicketsPriceThePlansOwnFloorStands() public {
    isPriceLeftOut = true;
    assertGt(_search(_profitOf).profit, 0.48e18);
    assertGe(_search(_lossOf).received, FLOOR);
  }

  /*//////////////////////////////////////////////////////////////
                              THE SEARCH
  //////////////////////////////////////////////////////////////*/

  /// The stake by which `score` is highest: on a grid over five powers of ten, and then on ever finer ones round the best. The
  /// gain grows with the stake up to the one at which the run is refused, so that the edge is where the best is found.
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

  /// A run that is refused has cost its owner nothing.
  function _lossOf(Outcome memory outcome) private pure returns (int256) {
    return outcome.received == 0 ? -1 : int256(FAIR) - int256(outcome.received);
  }

  /// All of it is undone again.
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

  /// GO, at what the pool asks before the stranger comes, and the agent's room.
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
    vm.prank(stranger);
    pool.exactInput(
      IPancakeV3Router.ExactInputParams({
        path: _path(tokenIn, tokenOut),
        recipient: stranger,
        deadline: block.timestamp,
        amountIn: amountIn,
        amountOutMinimum: 0
      })
    );
  }

  function _path(address tokenIn, address tokenOut) private pure returns (bytes memory) {
    return abi.encodePacked(tokenIn, uint24(500), tokenOut);
  }
}
