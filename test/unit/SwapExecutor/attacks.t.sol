// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPancakeV3SwapCallback} from "../../../contracts/interfaces/IPancakeV3Pool.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {PancakePools} from "../../../contracts/libraries/PancakePools.sol";
import {Product} from "../../base/Product.sol";
import {SwapBase} from "../../base/SwapBase.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {MockV3Pool} from "../../mocks/MockV3Pool.sol";
import {Puppet} from "../../mocks/Puppet.sol";

/// Asks for its input, and then for as much again out of the executor's own balance.
contract GreedyPool is MockV3Pool {
  bytes public refusal;

  function swap(address recipient, bool zeroForOne, int256 amountIn, uint160 limit, bytes calldata data)
    public
    override
    returns (int256 amount0, int256 amount1)
  {
    (amount0, amount1) = super.swap(recipient, zeroForOne, amountIn, limit, data);
    address token = address(zeroForOne ? token0 : token1);
    try IPancakeV3SwapCallback(msg.sender).pancakeV3SwapCallback(amount0, amount1, abi.encode(token)) {}
    catch (bytes memory reason) {
      refusal = reason;
    }
  }
}

/// Somebody acts during a run, which a token on the route can enable. The bought token calls out when the pool pays it.
contract SwapExecutorAttacksTest is SwapBase {
  HookERC20 private hooked = new HookERC20("HOOK", 8);
  Puppet private puppet = new Puppet();

  function setUp() public override {
    super.setUp();
    _stockedPool(hooked);
    source.setPrice(address(hooked), PRICE_OUT_WAD);
  }

  /// SE-5: a donation to the executor during a run stops nothing and stays where it is.
  function testFuzz_attack_aGiftWithinARunStopsNoRun(uint64 gift, bool isOfTheBought) public {
    uint256 id = _hookedPlan();
    MockERC20 given = isOfTheBought ? MockERC20(address(hooked)) : usd;
    _hook(_call(address(given), abi.encodeCall(MockERC20.mint, (address(swapper), gift))), false);
    assertEq(_execute(id, _path(address(usd), address(hooked))), FLOOR);
    assertEq(hooked.balanceOf(recipient), FLOOR);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(given.balanceOf(address(swapper)), gift);
  }

  /// SE-4, SE-5: nor does it make up for a pool that pays too little.
  function test_attack_aGiftWithinARunDoesNotPayForIt() public {
    uint256 id = _hookedPlan();
    MockV3Pool(PancakePools.poolOf(POOL_DEPLOYER, address(usd), address(hooked), FEE)).setAmountOut(FLOOR - 1);
    _hook(_call(address(hooked), abi.encodeCall(MockERC20.mint, (address(swapper), 1_000e8))), false);
    _assertNotExecuted(
      id,
      _path(address(usd), address(hooked)),
      abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR)
    );
  }

  /// SE-10: nobody but the pool that swaps is paid, neither during a run nor outside of one: not by the registry, and
  /// not by what the executor holds.
  function testFuzz_attack_aStrangersCallbackIsPaidNothing(uint64 asked, bool isByTheRegistry) public {
    usd.mint(address(swapper), AMOUNT);
    bytes memory data = isByTheRegistry ? bytes("") : abi.encode(usd);
    bytes memory ask = abi.encodeCall(swapper.pancakeV3SwapCallback, (int256(uint256(asked)), -1, data));
    bytes memory refusal = abi.encodeWithSelector(ISwapExecutor.NotPool.selector, puppet);
    vm.expectRevert(refusal);
    puppet.act(address(swapper), ask);

    _hook(_call(address(swapper), ask), true);
    _execute(_hookedPlan(), _path(address(usd), address(hooked)));
    assertFalse(hooked.succeeded());
    assertEq(hooked.returned(), refusal);
    assertEq(usd.balanceOf(address(swapper)), AMOUNT);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
  }

  /// SE-10: and that pool only once.
  function test_attack_aPoolAsksTwice() public {
    GreedyPool greedy = GreedyPool(address(_placePool(new GreedyPool(), address(usd), address(coin), 100)));
    coin.mint(address(greedy), FLOOR);
    usd.mint(address(swapper), AMOUNT);
    _execute(planId, abi.encodePacked(usd, uint24(100), coin));
    assertEq(greedy.refusal(), abi.encodeWithSelector(ISwapExecutor.NotPool.selector, greedy));
    assertEq(usd.balanceOf(address(greedy)), AMOUNT);
    assertEq(usd.balanceOf(address(swapper)), AMOUNT);
  }

  /// PR-15, SE-9: an operator that is a contract, called during a run, can neither run, batch nor defer another.
  function test_attack_aRunWithinARunIsRefused() public {
    swapper = Product.swapExecutor(registry, POOL_DEPLOYER, address(puppet), rotator);
    operator = address(puppet);
    uint256 other = _create(_swapTerms());
    ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](1);
    orders[0] = ISwapExecutor.Order(other, 1, _unsigned(_go()), "", _path());

    bytes[2] memory calls = [
      abi.encodeCall(ISwapExecutor.execute, (other, 1, orders[0].ticket, "", _path())),
      abi.encodeCall(ISwapExecutor.defer, (other, 1, 7, orders[0].ticket, ""))
    ];
    for (uint256 i; i < 2; ++i) {
      uint256 id = _hookedPlan();
      _hook(abi.encodeCall(Puppet.act, (address(swapper), calls[i])), true);
      _execute(id, _path(address(usd), address(hooked)));
      assertFalse(hooked.succeeded());
      assertEq(hooked.returned(), abi.encodeWithSelector(IPlanRegistry.RunOpen.selector, id));
    }

    uint256 last = _hookedPlan();
    _hook(abi.encodeCall(Puppet.act, (address(swapper), abi.encodeCall(ISwapExecutor.executeBatch, (orders, 0)))), true);
    _execute(last, _path(address(usd), address(hooked)));
    assertTrue(hooked.succeeded());
    ISwapExecutor.Result[] memory results = abi.decode(abi.decode(hooked.returned(), (bytes)), (ISwapExecutor.Result[]));
    assertEq(results[0].failure, abi.encodeWithSelector(IPlanRegistry.RunOpen.selector, last));
    assertEq(_state(other).runs + _state(other).records, 0);
  }

  function _hookedPlan() private returns (uint256) {
    IPlanRegistry.Terms memory terms = _swapTerms();
    terms.tokenOut = address(hooked);
    return _create(terms);
  }

  function _hook(bytes memory call, bool swallows) private {
    hooked.hookNextTransfer(address(puppet), call, swallows);
  }

  function _call(address target, bytes memory call) private pure returns (bytes memory) {
    return abi.encodeCall(Puppet.act, (target, call));
  }
}
