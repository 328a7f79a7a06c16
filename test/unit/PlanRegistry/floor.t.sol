// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {RawPriceSource} from "../../mocks/RawPriceSource.sol";
import {ScriptedExecutor} from "../../mocks/ScriptedExecutor.sol";

/// Which floor a run stands against, and which prices stop it before it begins. That the floor is kept is recordRun.t.sol's.
contract PlanRegistryFloorTest is PlanBase {
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    planId = _create(_terms());
  }

  /// PR-10
  function test_TheHigherFloorCounts() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.limitPriceWad = 59_000e28; // ⌈100 / 59,000 · 1e8⌉ = 169,492 > FLOOR
    uint256 strict = _create(terms);
    terms.limitPriceWad = 61_000e28; // ⌈100 / 61,000 · 1e8⌉ = 163,935 < FLOOR
    uint256 loose = _create(terms);

    _assertRefused(executor, strict, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR, 169_492));
    executor.setAmountOut(169_492);
    _run(strict);
    assertEq(_history(strict)[0].floor, 169_492);
    _run(loose);
    assertEq(_history(loose)[0].floor, FLOOR);
  }

  /// PR-10: with a limit price alone no source is asked.
  function test_ALimitPriceAloneIsAFloor() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.priceSource, terms.maxSlippageBps, terms.limitPriceWad) = (address(0), 0, 59_000e28);
    uint256 id = _create(terms);
    executor.setAmountOut(169_491);
    _assertRefused(executor, id, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 169_491, 169_492));
    executor.setAmountOut(169_492);
    assertEq(_run(id), 169_492);
  }

  /// PR-10: a price that moves within the callback changes nothing.
  function test_TheFloorIsWorkedOutBeforeThePull() public {
    ScriptedExecutor scripted = _scripted();
    uint256 id = _planFor(scripted);
    scripted.beforeDelivery(
      address(source), abi.encodeCall(source.setPrice, (address(coin), PRICE_OUT_WAD * 1_000_000))
    );
    scripted.setAmountOut(FLOOR - 1);
    _assertRefused(scripted, id, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR));
    scripted.setAmountOut(FLOOR);
    scripted.run(id, _go(), "");
    assertTrue(scripted.reply(0).succeeded);
    assertEq(_history(id)[0].floor, FLOOR);
  }

  /// PR-16
  function test_RevertWhen_TheSourceRefuses() public {
    source.setPrice(address(coin), 0);
    _assertRefused(
      executor,
      planId,
      abi.encodeWithSelector(
        BoundedPrices.PriceSourceFailed.selector,
        source,
        abi.encodeWithSignature("TokenNotPriced(address)", address(coin))
      )
    );
  }

  /// PR-16: a limit price does not excuse a source that fails.
  function test_RevertWhen_TheSourceFailsBesideALimitPrice() public {
    RawPriceSource raw = new RawPriceSource();
    IPlanRegistry.Terms memory terms = _terms();
    (terms.priceSource, terms.limitPriceWad) = (address(raw), 60_000e28);
    uint256 id = _create(terms);
    raw.set(RawPriceSource.Manner.BurnAllGas, "", 0);
    _assertRefused(executor, id, abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, raw, ""));
    raw.set(RawPriceSource.Manner.Return, abi.encode(0, 1), 64);
    _assertRefused(executor, id, abi.encodeWithSelector(BoundedPrices.PriceOutOfRange.selector, raw, 0, 1));
  }

  /// PR-10: a floor that no record could hold is no floor to run against.
  function test_RevertWhen_TheFloorDoesNotFit() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.amountPerRun, terms.limitPriceWad) = (type(uint104).max, 1);
    uint256 id = _create(terms);
    uint256 floor = uint256(type(uint104).max) * 1e18;
    _assertRefused(executor, id, abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, floor));
  }
}
