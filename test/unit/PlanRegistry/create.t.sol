// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {RawPriceSource} from "../../mocks/RawPriceSource.sol";

contract PlanRegistryCreateTest is PlanBase {
  /// PR-1
  function test_StoresTheTermsAndStartsActive() public {
    IPlanRegistry.Terms memory terms = _terms();
    vm.expectEmit(address(registry));
    emit IPlanRegistry.PlanCreated(1, owner, address(executor), 0, terms);
    vm.prank(owner);
    uint256 planId = registry.create(terms);

    assertEq(planId, 1);
    assertEq(registry.planCount(), 1);
    IPlanRegistry.Plan memory plan = registry.plan(planId);
    assertEq(abi.encode(plan.terms), abi.encode(terms));
    assertEq(
      abi.encode(plan.state),
      abi.encode(IPlanRegistry.State(IPlanRegistry.Status.Active, 0, 0, 0, 0, 0, 1, 0)),
      "no history"
    );
    assertEq(_history(planId).length, 0);
  }

  /// PR-1
  function test_NumbersPlansFromOne() public {
    IPlanRegistry.Terms memory other = _terms();
    other.owner = stranger;
    assertEq(_create(_terms()), 1);
    assertEq(_create(other), 2);
    assertEq(registry.planCount(), 2);
    assertEq(registry.plan(1).terms.owner, owner);
    assertEq(registry.plan(2).terms.owner, stranger);
  }

  /// PR-33: every version of every plan's terms is found again, in whatever order plans are created and edited.
  function testFuzz_FindsTheTermsOfEveryPlanAndVersion(uint8[12] memory steps) public {
    uint104[] memory first = new uint104[](steps.length + 1);
    uint104[] memory newest = new uint104[](steps.length + 1);
    for (uint104 i; i < steps.length; ++i) {
      IPlanRegistry.Terms memory terms = _terms();
      terms.amountPerRun = 1_000 + i;
      uint256 planId = steps[i] % 2 == 0 ? 0 : bound(steps[i], 0, registry.planCount());
      if (planId == 0) {
        planId = _create(terms);
        first[planId] = terms.amountPerRun;
      } else {
        uint256 version = registry.plan(planId).state.version;
        vm.prank(owner);
        registry.edit(planId, version, 0, terms);
      }
      newest[planId] = terms.amountPerRun;
    }
    for (uint256 planId = 1; planId <= registry.planCount(); ++planId) {
      assertEq(registry.termsOf(planId, 1).amountPerRun, first[planId]);
      assertEq(registry.plan(planId).terms.amountPerRun, newest[planId]);
    }
  }

  /// PR-33
  function test_RevertWhen_ThereIsNoSuchPlanOrVersion() public {
    uint256 planId = _create(_terms());
    uint256[2][4] memory unknown = [[uint256(0), 1], [planId + 1, 1], [planId, 0], [planId, 2]];
    for (uint256 i; i < unknown.length; ++i) {
      vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanUnknown.selector, unknown[i][0]));
      registry.termsOf(unknown[i][0], unknown[i][1]);
    }
  }

  /// PR-1
  function testFuzz_RevertWhen_CallerIsNotTheOwner(address caller) public {
    vm.assume(caller != owner);
    IPlanRegistry.Terms memory terms = _terms();
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NotOwner.selector, caller, owner));
    vm.prank(caller);
    registry.create(terms);
    assertEq(registry.planCount(), 0);
  }

  /// PR-2, PR-4: all terms within the bounds are accepted and stored exactly.
  function testFuzz_TakesWhatIsWithinTheBounds(IPlanRegistry.Terms memory terms) public {
    (terms.owner, terms.executor) = (owner, address(executor));
    (terms.tokenIn, terms.tokenOut) = (address(usd), address(coin));
    vm.assume(terms.recipient > address(0xff) && terms.recipient.code.length == 0 && terms.recipient != loanGuard);
    terms.amountPerRun = uint104(bound(terms.amountPerRun, 1, type(uint104).max));
    terms.periodSeconds = uint32(bound(terms.periodSeconds, 60, type(uint32).max));
    terms.windowSeconds = uint32(bound(terms.windowSeconds, 1, terms.periodSeconds));
    terms.maxRuns = uint32(bound(terms.maxRuns, 1, type(uint32).max));
    terms.startAt = uint40(bound(terms.startAt, 0, type(uint40).max - 1));
    uint256 minExpiry = (terms.startAt > START ? terms.startAt : START) + 1;
    terms.expiresAt = uint40(bound(terms.expiresAt, minExpiry, type(uint40).max));
    terms.priceSource = address(source);
    terms.maxSlippageBps = uint16(bound(terms.maxSlippageBps, 0, 1_000));
    if (terms.limitPriceWad != 0) {
      terms.triggerPriceWad = uint128(bound(terms.triggerPriceWad, 0, terms.limitPriceWad));
    }
    assertEq(abi.encode(registry.plan(_create(terms)).terms), abi.encode(terms));
  }

  /// PR-2: the owner may be the recipient.
  function test_DeliversToTheOwnerIfAsked() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.recipient = owner;
    assertEq(registry.plan(_create(terms)).terms.recipient, owner);
  }

  /// PR-2
  function test_RevertWhen_TokensAreEqual() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.tokenOut = address(usd);
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.TokensRefused.selector, usd, usd));
  }

  /// PR-2
  function test_RevertWhen_TokenInHasNoCode() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.tokenIn = stranger;
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.TokensRefused.selector, stranger, coin));
  }

  /// PR-2
  function test_RevertWhen_TokenOutHasNoCode() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.tokenOut = stranger;
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.TokensRefused.selector, usd, stranger));
  }

  /// PR-2
  function test_RevertWhen_ExecutorIsTheOwner() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.owner = address(executor);
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.ExecutorRefused.selector, executor));
  }

  /// PR-2
  function test_RevertWhen_ExecutorHasNoCode() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.executor = stranger;
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.ExecutorRefused.selector, stranger));
  }

  /// PR-2
  function test_RevertWhen_RecipientCouldNotKeepTheDelivery() public {
    address[6] memory refused =
      [address(0), address(registry), address(executor), loanGuard, address(usd), address(coin)];
    for (uint256 i; i < refused.length; ++i) {
      IPlanRegistry.Terms memory terms = _terms();
      terms.recipient = refused[i];
      _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.RecipientRefused.selector, refused[i]));
    }
  }

  /// PR-2
  function test_RevertWhen_AmountIsZero() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.amountPerRun = 0;
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.AmountRefused.selector, 0));
  }

  /// PR-2
  function test_RevertWhen_PeriodIsUnderAMinute() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.periodSeconds, terms.windowSeconds) = (59, 1);
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.PeriodRefused.selector, 59, 60));
    terms.periodSeconds = 60;
    _create(terms);
  }

  /// PR-2
  function test_RevertWhen_WindowIsZero() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.windowSeconds = 0;
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.WindowRefused.selector, 0, PERIOD));
  }

  /// PR-2
  function test_RevertWhen_WindowIsLongerThanThePeriod() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.windowSeconds = PERIOD + 1;
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.WindowRefused.selector, PERIOD + 1, PERIOD));
    terms.windowSeconds = PERIOD;
    _create(terms);
  }

  /// PR-2
  function test_RevertWhen_ThereAreNoRuns() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.maxRuns = 0;
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.MaxRunsRefused.selector, 0));
  }

  /// PR-2
  function test_RevertWhen_ExpiryIsNotInTheFuture() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.startAt, terms.expiresAt) = (START - 10, START);
    _assertNotCreated(
      terms, abi.encodeWithSelector(IPlanRegistry.ExpiryRefused.selector, START, START - 10, block.timestamp)
    );
    terms.expiresAt = START + 1;
    _create(terms);
  }

  /// PR-2
  function test_RevertWhen_ExpiryIsNotAfterTheStart() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.startAt, terms.expiresAt) = (START + 10, START + 10);
    _assertNotCreated(
      terms, abi.encodeWithSelector(IPlanRegistry.ExpiryRefused.selector, START + 10, START + 10, block.timestamp)
    );
    terms.expiresAt = START + 11;
    _create(terms);
  }

  /// PR-4
  function test_RevertWhen_ThereIsNoPriceBound() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.priceSource, terms.maxSlippageBps) = (address(0), 0);
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.PriceBoundMissing.selector));
    terms.limitPriceWad = 1;
    _create(terms);
  }

  /// PR-4: an unknown source is accepted together with a limit price, never instead of it.
  function test_RevertWhen_UnknownSourceStandsAlone() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.priceSource = address(new RawPriceSource());
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.PriceSourceRefused.selector, terms.priceSource));
    terms.limitPriceWad = 1;
    _create(terms);
  }

  /// PR-4
  function test_RevertWhen_UnknownSourceHasNoCode() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.priceSource, terms.limitPriceWad) = (stranger, 1);
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.PriceSourceRefused.selector, stranger));
  }

  /// PR-4
  function test_RevertWhen_SlippageIsAboveTenPercent() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.maxSlippageBps = 1_001;
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.SlippageRefused.selector, 1_001, 1_000));
    terms.maxSlippageBps = 1_000;
    _create(terms);
  }

  /// PR-4: slippage is relative to a source's price; without a source it would promise a bound that does not exist.
  function test_RevertWhen_SlippageHasNoSource() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.priceSource, terms.limitPriceWad, terms.maxSlippageBps) = (address(0), 1, 1);
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.SlippageRefused.selector, 1, 0));
  }
}
