// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {Product} from "../../base/Product.sol";
import {SwapBase} from "../../base/SwapBase.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {Puppet} from "../../mocks/Puppet.sol";

/// Somebody acts during a swap, which a token on the route can enable. The bought token calls out when the router pays
/// it.
contract SwapExecutorAttacksTest is SwapBase {
  HookERC20 private hooked = new HookERC20("HOOK", 8);
  Puppet private puppet = new Puppet();

  function setUp() public override {
    super.setUp();
    hooked.mint(address(router), 1_000e8);
    source.setPrice(address(hooked), PRICE_OUT_WAD);
  }

  /// SE-5: a donation during a swap stops nothing and does not stay: of the sold token it goes to the owner, of the
  /// bought token to the recipient.
  function testFuzz_attack_aGiftWithinASwapStopsNoRun(uint64 gift, bool isOfTheBought) public {
    uint256 id = _hookedPlan();
    _hook(_gift(isOfTheBought ? MockERC20(address(hooked)) : usd, gift), false);
    uint256 delivered = _execute(id, _path(address(usd), address(hooked)));
    assertEq(delivered, FLOOR + (isOfTheBought ? gift : 0));
    assertEq(hooked.balanceOf(recipient), delivered);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT + (isOfTheBought ? 0 : gift));
    assertEq(hooked.balanceOf(address(swapper)) + usd.balanceOf(address(swapper)), 0);
  }

  /// SE-4, SE-5: nor does it make up for a router that pays too little.
  function test_attack_aGiftWithinASwapDoesNotPayForARun() public {
    uint256 id = _hookedPlan();
    router.setAmountOut(FLOOR - 1);
    _hook(_gift(hooked, 1_000e8), false);
    _assertNotExecuted(
      id, _path(address(usd), address(hooked)), abi.encodeWithSignature("Error(string)", "Too little received")
    );
  }

  /// SE-5, SE-8: during the delivery, where only the plan's own recipient or token can act, a donation stops only that
  /// run.
  function test_attack_aGiftWithinTheDeliveryStopsThatRunAlone() public {
    uint256 id = _hookedPlan();
    bytes memory atDelivery = abi.encodeCall(HookERC20.hookNextTransfer, (address(puppet), _gift(usd, 5), false));
    _hook(abi.encodeCall(Puppet.act, (address(hooked), atDelivery)), false);
    ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](2);
    orders[0] = ISwapExecutor.Order(id, 1, _unsigned(_go()), "", _path(address(usd), address(hooked)));
    orders[1] = ISwapExecutor.Order(planId, 1, _unsigned(_go()), "", _path());
    vm.prank(operator);
    ISwapExecutor.Result[] memory results = swapper.executeBatch(orders);
    assertEq(results[0].failure, abi.encodeWithSelector(ISwapExecutor.LeftBehind.selector, usd, 5));
    assertTrue(results[1].isExecuted);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
  }

  /// PR-15, SE-7: an operator that is a contract, called during a run, can neither run, batch nor defer another.
  function test_attack_aRunWithinARunIsRefused() public {
    swapper = Product.swapExecutor(registry, router, address(puppet), rotator);
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
    _hook(abi.encodeCall(Puppet.act, (address(swapper), abi.encodeCall(ISwapExecutor.executeBatch, (orders)))), true);
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

  function _gift(MockERC20 token, uint256 amount) private view returns (bytes memory) {
    return abi.encodeCall(Puppet.act, (address(token), abi.encodeCall(MockERC20.mint, (address(swapper), amount))));
  }
}
