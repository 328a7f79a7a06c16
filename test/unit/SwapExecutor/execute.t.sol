// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {PancakePools} from "../../../contracts/libraries/PancakePools.sol";
import {SwapBase} from "../../base/SwapBase.sol";
import {FeeERC20} from "../../mocks/FeeERC20.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {MockV3Pool} from "../../mocks/MockV3Pool.sol";
import {SilentERC20} from "../../mocks/SilentERC20.sol";
import {StickyERC20} from "../../mocks/StickyERC20.sol";
import {TestExecutor} from "../../mocks/TestExecutor.sol";

contract SwapExecutorExecuteTest is SwapBase {
  uint160 private constant MIN_SQRT_PRICE = 4295128739;
  uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970342;

  /// SE-1, SE-5, PR-11, PR-12
  function test_TurnsTheOwnersFundsIntoTheRecipientsCoins() public {
    uint256 stock = coin.balanceOf(address(pool));
    assertEq(_execute(planId, _path()), FLOOR);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(pool)), AMOUNT);
    assertEq(coin.balanceOf(address(pool)), stock - FLOOR);
    assertEq(coin.balanceOf(recipient), FLOOR);
    _assertHoldsNothing();

    IPlanRegistry.Run memory record = _history(planId)[0];
    assertEq(record.amountIn, AMOUNT);
    assertEq(record.amountOut, FLOOR);
    assertEq(uint8(record.verdict), uint8(Verdict.GO));
    assertEq(record.evidencePrefix, bytes19(EVIDENCE));
  }

  /// SE-4: the pool gets all of the funds, no price limit, and the registry as recipient, in either direction.
  function test_AsksThePoolForAllOfTheFunds() public {
    _execute(planId, _path());
    bool zeroForOne = usd < coin;
    assertEq(
      abi.encode(pool.asked()),
      abi.encode(
        MockV3Pool.Asked({
          recipient: address(registry),
          zeroForOne: zeroForOne,
          amountSpecified: int256(uint256(AMOUNT)),
          sqrtPriceLimitX96: zeroForOne ? MIN_SQRT_PRICE + 1 : MAX_SQRT_PRICE - 1,
          data: ""
        })
      )
    );
    uint256 back = _swapPlanOf(address(coin), address(usd));
    coin.mint(owner, AMOUNT);
    _execute(back, _path(address(coin), address(usd)));
    assertEq(pool.asked().zeroForOne, !zeroForOne);
    assertEq(pool.asked().sqrtPriceLimitX96, zeroForOne ? MAX_SQRT_PRICE - 1 : MIN_SQRT_PRICE + 1);
  }

  /// SE-4, PR-27: the price of an unsigned ticket raises the floor.
  function test_HoldsThePoolToTheTicketsFloor() public {
    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    ticket.maxPriceWad = 59_000e28;
    pool.setAmountOut(169_491);
    vm.prank(operator);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 169_491, 169_492));
    swapper.execute(planId, 1, ticket, "", _path());
    pool.setAmountOut(169_492);
    vm.prank(operator);
    assertEq(swapper.execute(planId, 1, ticket, "", _path()), 169_492);
  }

  /// SE-5: the whole output of the swap is delivered.
  function testFuzz_DeliversAllThatTheSwapBrings(uint256 amountOut) public {
    amountOut = bound(amountOut, FLOOR, type(uint104).max);
    coin.mint(address(pool), amountOut);
    pool.setAmountOut(amountOut);
    assertEq(_execute(planId, _path()), amountOut);
    assertEq(coin.balanceOf(recipient), amountOut);
    _assertHoldsNothing();
  }

  /// SE-1
  function testFuzz_RevertWhen_CallerIsNotTheOperator(address caller) public {
    vm.assume(caller != operator);
    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotOperator.selector, caller));
    vm.prank(caller);
    swapper.execute(planId, 1, ticket, "", _path());
  }

  /// PR-9: the registry's own errors are passed on.
  function test_RevertWhen_VerdictIsNotGo() public {
    IPlanRegistry.Ticket memory ticket = _unsigned(TestExecutor.Claim(Verdict.CAUTION, EVIDENCE));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.VerdictNotGo.selector, Verdict.CAUTION));
    vm.prank(operator);
    swapper.execute(planId, 1, ticket, "", _path());
  }

  /*//////////////////////////////////////////////////////////////
                               THE ROUTE
  //////////////////////////////////////////////////////////////*/

  /// SE-4, SE-5: each pool's whole output is the next one's input, and the last pays the registry.
  function testFuzz_GoesOverOneToThreePools(uint256 pools, uint24[3] memory fees, uint104[2] memory between) public {
    pools = bound(pools, 1, 3);
    address[4] memory tokens = [address(usd), address(0), address(0), address(coin)];
    bytes memory path = abi.encodePacked(usd);
    MockV3Pool[3] memory route;
    uint256 amount = AMOUNT;
    for (uint256 i; i < pools; ++i) {
      tokens[i + 1] = i + 1 == pools ? address(coin) : address(new MockERC20("BETWEEN", 18));
      uint256 amountOut = i + 1 == pools ? FLOOR : bound(between[i], 1, type(uint104).max);
      route[i] = _placePool(new MockV3Pool(), tokens[i], tokens[i + 1], fees[i]);
      route[i].setAmountOut(amountOut);
      MockERC20(tokens[i + 1]).mint(address(route[i]), amountOut);
      path = abi.encodePacked(path, fees[i], tokens[i + 1]);
    }
    assertEq(_execute(planId, path), FLOOR);
    for (uint256 i; i < pools; ++i) {
      assertEq(MockERC20(tokens[i]).balanceOf(address(route[i])), amount, "the pool's input");
      assertEq(uint256(route[i].asked().amountSpecified), amount);
      assertEq(route[i].asked().recipient, i + 1 == pools ? address(registry) : address(swapper));
      assertEq(MockERC20(tokens[i]).balanceOf(address(swapper)), 0);
      amount = route[i].amountOut();
    }
    _assertHoldsNothing();
  }

  /// SE-4: a pool that nobody has created.
  function test_RevertWhen_ThereIsNoPool() public {
    address missing = PancakePools.poolOf(POOL_DEPLOYER, address(usd), address(coin), 2_500);
    _assertNotExecuted(
      planId,
      abi.encodePacked(usd, uint24(2_500), coin),
      abi.encodeWithSelector(ISwapExecutor.PoolMissing.selector, missing)
    );
  }

  /// SE-4: no pool, and one pool more than there may be.
  function test_RevertWhen_PathIsTooShortOrTooLong() public {
    testFuzz_RevertWhen_PathIsMalformed(20);
    testFuzz_RevertWhen_PathIsMalformed(112);
  }

  /// SE-4
  function testFuzz_RevertWhen_PathIsMalformed(uint256 length) public {
    length = bound(length, 0, 400);
    vm.assume(length != 43 && length != 66 && length != 89);
    // The tokens are in the right places, so only the length is wrong.
    bytes memory path = new bytes(length);
    for (uint256 i; i < 20 && length >= 40; ++i) {
      (path[i], path[length - 20 + i]) = (bytes20(address(usd))[i], bytes20(address(coin))[i]);
    }
    _assertNotExecuted(planId, path, abi.encodeWithSelector(ISwapExecutor.PathMalformed.selector, length));
  }

  /// SE-4
  function test_RevertWhen_PathStartsWrong() public {
    _assertNotExecuted(
      planId,
      _path(stranger, address(coin)),
      abi.encodeWithSelector(ISwapExecutor.PathEndsWrong.selector, stranger, coin)
    );
  }

  /// SE-4
  function test_RevertWhen_PathEndsWrong() public {
    _assertNotExecuted(
      planId, _path(address(usd), stranger), abi.encodeWithSelector(ISwapExecutor.PathEndsWrong.selector, usd, stranger)
    );
  }

  /// SE-4: the plan's token in the middle of the path is not enough.
  function test_RevertWhen_PathOnlyPassesThroughTokenOut() public {
    bytes memory path = abi.encodePacked(_path(), uint24(100), stranger);
    _assertNotExecuted(planId, path, abi.encodeWithSelector(ISwapExecutor.PathEndsWrong.selector, usd, stranger));
  }

  /*//////////////////////////////////////////////////////////////
                             BAD ROUTES
  //////////////////////////////////////////////////////////////*/

  /// SE-4, PR-13
  function test_RevertWhen_TheRoutePaysTooLittle() public {
    pool.setAmountOut(FLOOR - 1);
    _assertNotExecuted(planId, _path(), abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR));
    pool.setAmountOut(0);
    _assertNotExecuted(planId, _path(), abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 0, FLOOR));
  }

  /// SE-4: a pool that runs dry asks for a part. It would be paid the whole amount and keep the rest.
  function testFuzz_RevertWhen_ThePoolTakesLess(uint256 takenBps) public {
    takenBps = bound(takenBps, 0, 9_999);
    pool.setTakenBps(takenBps);
    uint256 taken = uint256(AMOUNT) * takenBps / 10_000;
    _assertNotExecuted(
      planId, _path(), abi.encodeWithSelector(ISwapExecutor.PoolTookLess.selector, pool, taken, AMOUNT)
    );
  }

  /// SE-4: nor may a later pool leave a rest here.
  function testFuzz_RevertWhen_ALaterPoolTakesLess(uint256 takenBps) public {
    takenBps = bound(takenBps, 1, 9_999);
    (bytes memory path, MockV3Pool second) = _overTwoPools();
    second.setTakenBps(takenBps);
    _assertNotExecuted(
      planId, path, abi.encodeWithSelector(ISwapExecutor.PoolTookLess.selector, second, 1e18 * takenBps / 10_000, 1e18)
    );
  }

  /// SE-5: a later pool is paid what the one before has paid, and no unit of what somebody has left here.
  function test_RevertWhen_ALaterPoolTakesMore() public {
    (bytes memory path, MockV3Pool second) = _overTwoPools();
    second.setTakenBps(10_001);
    MockERC20 between = MockERC20(address(bytes20(_slice(path, 23))));
    _assertNotExecuted(
      planId, path, abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, swapper, 1e18, 1e18 + 1e14)
    );
    between.mint(address(swapper), 1e18);
    _assertNotExecuted(
      planId, path, abi.encodeWithSelector(ISwapExecutor.PoolTookLess.selector, second, 1e18 + 1e14, 1e18)
    );
  }

  /*//////////////////////////////////////////////////////////////
                           GIFTS AND TOKENS
  //////////////////////////////////////////////////////////////*/

  /// SE-5: a donation stays where it is.
  function testFuzz_AGiftDoesNotStopARun(uint256 giftIn, uint256 giftOut) public {
    giftIn = bound(giftIn, 1, 1e30);
    giftOut = bound(giftOut, 1, 1e30);
    usd.mint(address(swapper), giftIn);
    coin.mint(address(swapper), giftOut);
    assertEq(_execute(planId, _path()), FLOOR);
    assertEq(usd.balanceOf(address(swapper)), giftIn);
    assertEq(coin.balanceOf(address(swapper)), giftOut);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(coin.balanceOf(recipient), FLOOR);
    _assertAllowsNothing();
  }

  /// SE-5: nor does it make up for a swap's shortfall.
  function test_AGiftDoesNotPayForARun() public {
    usd.mint(address(swapper), 1);
    coin.mint(address(swapper), 1);
    pool.setAmountOut(FLOOR - 1);
    _assertNotExecuted(planId, _path(), abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR));
  }

  function test_WorksWithTokensThatReturnNothing() public {
    (SilentERC20 silentIn, SilentERC20 silentOut) = (new SilentERC20(), new SilentERC20());
    silentIn.mint(owner, FUNDS);
    silentOut.mint(address(_newPool(address(silentIn), address(silentOut))), 2 * FLOOR);
    uint256 id = _swapPlanOf(address(silentIn), address(silentOut));
    _execute(id, _path(address(silentIn), address(silentOut)));
    vm.warp(START + PERIOD);
    _execute(id, _path(address(silentIn), address(silentOut)));
    assertEq(silentOut.balanceOf(recipient), 2 * FLOOR);
    assertEq(silentIn.balanceOf(address(swapper)) + silentOut.balanceOf(address(swapper)), 0);
  }

  /// SE-5: nothing is allowed to anybody, even of a token whose allowances do not fall as they are used.
  function test_AllowsNobodyAnything() public {
    (usd, coin) = (new StickyERC20("USD", 18), new StickyERC20("COIN", 8));
    usd.mint(owner, AMOUNT);
    pool = _newPool(address(usd), address(coin));
    coin.mint(address(pool), FLOOR);
    _execute(_swapPlanOf(address(usd), address(coin)), _path());
    assertEq(coin.balanceOf(recipient), FLOOR);
    _assertHoldsNothing();
  }

  /// SE-5, PR-12: a tokenOut with a fee charges it twice, and the amount received counts.
  function test_MeasuresATokenOutThatTakesAFee() public {
    FeeERC20 taxed = new FeeERC20("TAX", 8, 100);
    _stockedPool(taxed).setAmountOut(2 * FLOOR);
    uint256 arrived = 2 * FLOOR - 2 * FLOOR / 100;
    uint256 received = arrived - arrived / 100;
    assertEq(_execute(_swapPlanOf(address(usd), address(taxed)), _path(address(usd), address(taxed))), received);
    assertEq(taxed.balanceOf(recipient), received);
    assertEq(taxed.balanceOf(address(swapper)) + taxed.balanceOf(address(registry)), 0);
  }

  /// Over a token of which the first pool pays 1e18.
  function _overTwoPools() private returns (bytes memory path, MockV3Pool second) {
    MockERC20 between = new MockERC20("BETWEEN", 18);
    MockV3Pool first = _newPool(address(usd), address(between));
    first.setAmountOut(1e18);
    between.mint(address(first), 1e18);
    second = _newPool(address(between), address(coin));
    coin.mint(address(second), FLOOR);
    path = abi.encodePacked(usd, FEE, between, FEE, coin);
  }

  function _slice(bytes memory path, uint256 from) private pure returns (bytes memory rest) {
    rest = new bytes(path.length - from);
    for (uint256 i; i < rest.length; ++i) {
      rest[i] = path[from + i];
    }
  }

  function _swapPlanOf(address tokenIn, address tokenOut) private returns (uint256) {
    uint256 id = _planOf(tokenIn, tokenOut);
    IPlanRegistry.Terms memory terms = registry.plan(id).terms;
    terms.executor = address(swapper);
    return _create(terms);
  }

  function _assertHoldsNothing() private view {
    assertEq(usd.balanceOf(address(swapper)), 0);
    assertEq(coin.balanceOf(address(swapper)), 0);
    _assertAllowsNothing();
  }

  function _assertAllowsNothing() private view {
    address[3] memory spenders = [address(pool), address(registry), POOL_DEPLOYER];
    for (uint256 i; i < 3; ++i) {
      assertEq(usd.allowance(address(swapper), spenders[i]), 0);
      assertEq(coin.allowance(address(swapper), spenders[i]), 0);
    }
  }
}
