// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPancakeV3Router} from "../../../contracts/interfaces/IPancakeV3Router.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {SwapBase} from "../../base/SwapBase.sol";
import {FeeERC20} from "../../mocks/FeeERC20.sol";
import {SilentERC20} from "../../mocks/SilentERC20.sol";
import {StickyERC20} from "../../mocks/StickyERC20.sol";
import {TestExecutor} from "../../mocks/TestExecutor.sol";

contract SwapExecutorExecuteTest is SwapBase {
  /// SE-1, SE-5, PR-11, PR-12
  function test_TurnsTheOwnersFundsIntoTheRecipientsCoins() public {
    uint256 stock = coin.balanceOf(address(router));
    assertEq(_execute(planId, _path()), FLOOR);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(router)), AMOUNT);
    assertEq(coin.balanceOf(address(router)), stock - FLOOR);
    assertEq(coin.balanceOf(recipient), FLOOR);
    _assertHoldsNothing();

    IPlanRegistry.Run memory record = _history(planId)[0];
    assertEq(record.amountIn, AMOUNT);
    assertEq(record.amountOut, FLOOR);
    assertEq(uint8(record.verdict), uint8(Verdict.GO));
    assertEq(record.evidencePrefix, bytes26(EVIDENCE));
  }

  /// SE-4: the router gets the registry's floor as its minimum, all of the funds, and this contract as recipient.
  function test_AsksTheRouterForTheFloor() public {
    _execute(planId, _path());
    assertEq(
      abi.encode(router.asked()),
      abi.encode(
        IPancakeV3Router.ExactInputParams({
          path: _path(),
          recipient: address(swapper),
          deadline: block.timestamp,
          amountIn: AMOUNT,
          amountOutMinimum: FLOOR
        })
      )
    );
  }

  /// SE-4, PR-27: the price of an unsigned ticket sets the router's minimum.
  function test_AsksTheRouterForTheTicketsFloor() public {
    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    ticket.maxPriceWad = 59_000e28;
    router.setAmountOut(169_491);
    vm.prank(operator);
    vm.expectRevert("Too little received");
    swapper.execute(planId, 1, ticket, "", _path());
    router.setAmountOut(169_492);
    vm.prank(operator);
    swapper.execute(planId, 1, ticket, "", _path());
    assertEq(router.asked().amountOutMinimum, 169_492);
  }

  /// SE-5: the whole output of the swap is delivered.
  function testFuzz_DeliversAllThatTheSwapBrings(uint256 amountOut) public {
    amountOut = bound(amountOut, FLOOR, type(uint104).max);
    coin.mint(address(router), amountOut);
    router.setAmountOut(amountOut);
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

  /// SE-3
  function testFuzz_GoesOverAnyNumberOfPools(uint256 pools, bytes32 seed) public {
    pools = bound(pools, 1, 12);
    bytes memory path = abi.encodePacked(address(usd));
    for (uint256 i = 1; i < pools; ++i) {
      seed = keccak256(abi.encode(seed));
      path = abi.encodePacked(path, uint24(uint256(seed)), address(bytes20(seed)));
    }
    path = abi.encodePacked(path, uint24(2_500), address(coin));
    assertEq(_execute(planId, path), FLOOR);
    assertEq(router.asked().path, path);
    _assertHoldsNothing();
  }

  /// SE-3
  function testFuzz_RevertWhen_PathIsMalformed(uint256 length) public {
    length = bound(length, 0, 400);
    vm.assume(length < 43 || (length - 20) % 23 != 0);
    // The tokens are in the right places, so only the length is wrong.
    bytes memory path = new bytes(length);
    for (uint256 i; i < 20 && length >= 40; ++i) {
      (path[i], path[length - 20 + i]) = (bytes20(address(usd))[i], bytes20(address(coin))[i]);
    }
    _assertNotExecuted(planId, path, abi.encodeWithSelector(ISwapExecutor.PathMalformed.selector, length));
  }

  /// SE-3
  function test_RevertWhen_PathStartsWrong() public {
    _assertNotExecuted(
      planId,
      _path(stranger, address(coin)),
      abi.encodeWithSelector(ISwapExecutor.PathEndsWrong.selector, stranger, coin)
    );
  }

  /// SE-3
  function test_RevertWhen_PathEndsWrong() public {
    _assertNotExecuted(
      planId, _path(address(usd), stranger), abi.encodeWithSelector(ISwapExecutor.PathEndsWrong.selector, usd, stranger)
    );
  }

  /// SE-3: the plan's token in the middle of the path is not enough.
  function test_RevertWhen_PathOnlyPassesThroughTokenOut() public {
    bytes memory path = abi.encodePacked(_path(), uint24(100), stranger);
    _assertNotExecuted(planId, path, abi.encodeWithSelector(ISwapExecutor.PathEndsWrong.selector, usd, stranger));
  }

  /*//////////////////////////////////////////////////////////////
                             BAD ROUTES
  //////////////////////////////////////////////////////////////*/

  /// SE-4: the router itself stops a route that pays too little.
  function test_RevertWhen_TheRoutePaysTooLittle() public {
    router.setAmountOut(FLOOR - 1);
    _assertNotExecuted(planId, _path(), abi.encodeWithSignature("Error(string)", "Too little received"));
  }

  /// SE-4, PR-13: and if the router did not, the registry would.
  function test_RevertWhen_TheRouterIgnoresItsMinimum() public {
    router.ignoreMinimum();
    router.setAmountOut(FLOOR - 1);
    _assertNotExecuted(planId, _path(), abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR));
    router.setAmountOut(0);
    _assertNotExecuted(planId, _path(), abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 0, FLOOR));
  }

  /// SE-4: if the part that was taken pays the floor of the whole, the rest returns to the owner.
  function testFuzz_WhatTheRouterDoesNotTakeGoesBackToTheOwner(uint256 takenBps, uint256 gift) public {
    takenBps = bound(takenBps, 0, 9_999);
    gift = bound(gift, 0, 1e30);
    usd.mint(address(swapper), gift);
    router.setTakenBps(takenBps);
    uint256 taken = uint256(AMOUNT) * takenBps / 10_000;

    assertEq(_execute(planId, _path()), FLOOR);

    assertEq(usd.balanceOf(owner), FUNDS - taken);
    assertEq(usd.balanceOf(address(swapper)), gift);
    assertEq(coin.balanceOf(recipient), FLOOR);
    assertEq(_history(planId)[0].floor, FLOOR);
    _assertAllowsNothing();
  }

  /// SE-5: the router may take this run's funds and no unit of other tokens here.
  function test_RevertWhen_TheRouterTakesMoreThanTheFunds() public {
    usd.mint(address(swapper), AMOUNT);
    router.setTakenBps(10_001);
    uint256 taken = uint256(AMOUNT) * 10_001 / 10_000;
    _assertNotExecuted(
      planId, _path(), abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, router, AMOUNT, taken)
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
    router.ignoreMinimum();
    router.setAmountOut(FLOOR - 1);
    _assertNotExecuted(planId, _path(), abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR));
  }

  /// SE-5: the second of two runs needs no leftover allowance, which a strict token confirms.
  function test_WorksWithTokensThatReturnNothing() public {
    (SilentERC20 silentIn, SilentERC20 silentOut) = (new SilentERC20(), new SilentERC20());
    silentIn.mint(owner, FUNDS);
    silentOut.mint(address(router), 2 * FLOOR);
    uint256 id = _swapPlanOf(address(silentIn), address(silentOut));
    _execute(id, _path(address(silentIn), address(silentOut)));
    vm.warp(START + PERIOD);
    _execute(id, _path(address(silentIn), address(silentOut)));
    assertEq(silentOut.balanceOf(recipient), 2 * FLOOR);
    assertEq(silentIn.balanceOf(address(swapper)) + silentOut.balanceOf(address(swapper)), 0);
    assertEq(silentIn.allowance(address(swapper), address(router)), 0);
    assertEq(silentOut.allowance(address(swapper), address(registry)), 0);
  }

  /// SE-5: no allowance is left even if using one does not reduce it.
  function test_TakesBackItsAllowances() public {
    (usd, coin) = (new StickyERC20("USD", 18), new StickyERC20("COIN", 8));
    usd.mint(owner, AMOUNT);
    coin.mint(address(router), FLOOR);
    _execute(_swapPlanOf(address(usd), address(coin)), _path());
    assertEq(coin.balanceOf(recipient), FLOOR);
    _assertHoldsNothing();
  }

  /// SE-5, PR-12: a tokenOut with a fee charges it twice, and the amount received counts.
  function test_MeasuresATokenOutThatTakesAFee() public {
    FeeERC20 taxed = new FeeERC20("TAX", 8, 100);
    taxed.mint(address(router), 10 * FLOOR);
    router.setAmountOut(2 * FLOOR);
    uint256 arrived = 2 * FLOOR - 2 * FLOOR / 100;
    uint256 received = arrived - arrived / 100;
    assertEq(_execute(_swapPlanOf(address(usd), address(taxed)), _path(address(usd), address(taxed))), received);
    assertEq(taxed.balanceOf(recipient), received);
    assertEq(taxed.balanceOf(address(swapper)), 0);
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
    assertEq(usd.allowance(address(swapper), address(router)), 0);
    assertEq(usd.allowance(address(swapper), address(registry)), 0);
    assertEq(coin.allowance(address(swapper), address(router)), 0);
    assertEq(coin.allowance(address(swapper), address(registry)), 0);
  }
}
