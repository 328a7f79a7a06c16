// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {RawPriceSource} from "../../mocks/RawPriceSource.sol";
import {ScriptedExecutor} from "../../mocks/ScriptedExecutor.sol";

/// Which floor applies to a run, and which prices stop it beforehand. recordRun.t.sol tests that the floor is enforced.
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

  /// PR-10: with only a limit price, no source is called.
  function test_ALimitPriceAloneIsAFloor() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.priceSource, terms.maxSlippageBps, terms.limitPriceWad) = (address(0), 0, 59_000e28);
    uint256 id = _create(terms);
    executor.setAmountOut(169_491);
    _assertRefused(executor, id, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 169_491, 169_492));
    executor.setAmountOut(169_492);
    assertEq(_run(id), 169_492);
  }

  /// PR-10: a price change during the callback has no effect.
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

  /// PR-16: a limit price does not excuse a failing source.
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

  /// PR-10: a run cannot use a floor that does not fit its record.
  function test_RevertWhen_TheFloorDoesNotFit() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.amountPerRun, terms.limitPriceWad) = (type(uint104).max, 1);
    uint256 id = _create(terms);
    uint256 floor = uint256(type(uint104).max) * 1e18;
    _assertRefused(executor, id, abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, floor));
  }

  /*//////////////////////////////////////////////////////////////
                THE PRICE OF A TICKET THAT NOBODY SIGNED
  //////////////////////////////////////////////////////////////*/

  /// PR-27: a plan without a signer is also held to the verdict's price.
  function test_ATicketsPriceRaisesTheFloorOfAPlanWithoutASigner() public {
    // 100 USD at 59,000: ⌈169,491.5…⌉ > FLOOR.
    IPlanRegistry.Ticket memory ticket = _priced(59_000e28);
    executor.setAmountOut(169_491);
    _assertTicketRefused(ticket, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 169_491, 169_492));
    executor.setAmountOut(169_492);
    assertEq(executor.runOn(planId, 1, ticket, ""), 169_492);

    IPlanRegistry.Run memory record = _history(planId)[0];
    assertEq(record.floor, 169_492);
    assertEq(executor.opened().floor, 169_492);
    assertFalse(record.isAttested);
  }

  /// PR-27: rounded up, against the executor.
  function test_ATicketsPriceIsRoundedUp() public {
    uint256 exact = uint256(AMOUNT) * 1e18 / 200_000;
    _assertFloor(exact + 1, 200_000);
    _assertFloor(exact, 200_000);
    _assertFloor(exact - 1, 200_001);
  }

  /// PR-27: it raises the floor of a limit price as well as of a source.
  function test_ATicketsPriceRaisesALimitPricesFloor() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.priceSource, terms.maxSlippageBps, terms.limitPriceWad) = (address(0), 0, 59_000e28);
    planId = _create(terms);
    _assertFloor(58_000e28, 172_414);
    _assertFloor(60_000e28, 169_492);
  }

  /// PR-27: a higher price, or none, leaves the plan's own floor unchanged.
  function test_ATicketsPriceNeverLowersTheFloor() public {
    _assertFloor(61_000e28, FLOOR);
    _assertFloor(type(uint128).max, FLOOR);
    _assertFloor(type(uint256).max, FLOOR);
    _assertFloor(0, FLOOR);
  }

  /// PR-27: a price whose floor does not fit the record stops the run; nothing wraps.
  function test_RevertWhen_TheTicketsFloorDoesNotFit() public {
    uint256 funds = uint256(AMOUNT) * 1e18;
    _assertTicketRefused(_priced(1), _tooHigh(funds));
    // The lowest price whose floor fits, and one below.
    uint256 least = Math.ceilDiv(funds, type(uint104).max);
    _assertTicketRefused(_priced(least - 1), _tooHigh(Math.ceilDiv(funds, least - 1)));
    _assertFloor(least, Math.ceilDiv(funds, least));
  }

  /// PR-27: the higher of the plan's own floor and the ticket's applies, whatever the ticket's price.
  function testFuzz_TheHigherOfBothFloorsCounts(uint256 maxPriceWad, uint128 limitPriceWad, uint104 amount) public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.amountPerRun = uint104(bound(amount, 1, FUNDS));
    terms.limitPriceWad = uint128(bound(limitPriceWad, 1e28, type(uint128).max));
    if (maxPriceWad % 2 == 0) maxPriceWad = bound(maxPriceWad, 1e28, 1e34);
    planId = _create(terms);
    uint256 own = Math.max(
      Math.mulDiv(terms.amountPerRun, 1e18, terms.limitPriceWad, Math.Rounding.Ceil),
      Math.mulDiv(uint256(terms.amountPerRun) * 9_950, PRICE_IN_WAD, PRICE_OUT_WAD * 10_000, Math.Rounding.Ceil)
    );
    uint256 byTicket = maxPriceWad == 0 ? 0 : Math.mulDiv(terms.amountPerRun, 1e18, maxPriceWad, Math.Rounding.Ceil);
    if (byTicket > type(uint104).max) return _assertTicketRefused(_priced(maxPriceWad), _tooHigh(byTicket));
    _assertFloor(maxPriceWad, Math.max(own, byTicket));
  }

  /// PR-27: of an unsigned ticket, only verdict, price and evidence count.
  function testFuzz_NothingElseOfAnUnsignedTicketCounts(
    address[2] memory tokens,
    uint256 maxAmountIn,
    uint64[2] memory times,
    bytes32 evidenceHash,
    bool isPriced,
    bytes memory signature
  ) public {
    uint256 price = isPriced ? 59_000e28 : 0;
    executor.setAmountOut(169_492);
    IPlanRegistry.Ticket memory ticket =
      IPlanRegistry.Ticket(tokens[0], tokens[1], Verdict.GO, price, maxAmountIn, times[0], times[1], evidenceHash);
    executor.runOn(planId, 1, ticket, signature);
    IPlanRegistry.Run memory record = _history(planId)[0];
    assertEq(record.floor, isPriced ? 169_492 : FLOOR);
    assertEq(record.evidencePrefix, bytes19(evidenceHash));
    assertFalse(record.isAttested);
  }

  function _priced(uint256 maxPriceWad) private pure returns (IPlanRegistry.Ticket memory ticket) {
    ticket = _unsigned(_go());
    ticket.maxPriceWad = maxPriceWad;
  }

  function _tooHigh(uint256 floor) private pure returns (bytes memory) {
    return abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, floor);
  }

  function _assertTicketRefused(IPlanRegistry.Ticket memory ticket, bytes memory reason) private {
    bytes memory before = _picture(planId);
    vm.expectRevert(reason);
    executor.runOn(planId, 1, ticket, "");
    assertEq(_picture(planId), before, "a refused run has changed something");
  }

  /// One unit less is refused, and exactly the floor is accepted. Leaves no run behind.
  function _assertFloor(uint256 maxPriceWad, uint256 floor) private {
    uint256 before = vm.snapshotState();
    coin.mint(address(executor), floor);
    executor.setAmountOut(floor - 1);
    _assertTicketRefused(
      _priced(maxPriceWad), abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, floor - 1, floor)
    );
    executor.setAmountOut(floor);
    assertEq(executor.runOn(planId, 1, _priced(maxPriceWad), ""), floor);
    assertEq(_history(planId)[0].floor, floor);
    assertTrue(vm.revertToStateAndDelete(before));
  }
}
