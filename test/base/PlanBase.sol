// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Test} from "forge-std/Test.sol";

import {PlanRegistry} from "../../contracts/PlanRegistry.sol";
import {Revocations} from "../../contracts/Revocations.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockPriceSource} from "../mocks/MockPriceSource.sol";
import {Puppet} from "../mocks/Puppet.sol";
import {ScriptedExecutor} from "../mocks/ScriptedExecutor.sol";
import {TestExecutor} from "../mocks/TestExecutor.sol";
import {Product} from "./Product.sol";

/// A registry, a funded owner, an honest executor, and terms with an open slot: 100 USD into a coin of 60,000 USD with
/// eight decimals, daily, in the first hour, at most 0.5 % below the source's price.
abstract contract PlanBase is Test {
  using SafeERC20 for IERC20;

  uint40 internal constant START = 1_760_000_000;
  uint32 internal constant PERIOD = 1 days;
  uint32 internal constant WINDOW = 1 hours;
  uint104 internal constant AMOUNT = 100e18;
  uint256 internal constant FUNDS = 10_000e18;
  uint256 internal constant PRICE_IN_WAD = 1e18;
  uint256 internal constant PRICE_OUT_WAD = 60_000e28;
  /// ⌈100 / 60,000 · 0.995 · 1e8⌉; the exact value ends in a third.
  uint256 internal constant FLOOR = 165_834;
  bytes32 internal constant EVIDENCE = keccak256("evidence");

  Revocations internal revocations;
  PlanRegistry internal registry;
  MockPriceSource internal source;
  MockERC20 internal usd;
  MockERC20 internal coin;
  TestExecutor internal executor;
  address internal owner = makeAddr("owner");
  address internal recipient = makeAddr("recipient");
  address internal stranger = makeAddr("stranger");
  address internal loanGuard = address(new Puppet());
  address internal signer;
  uint256 internal signerKey;

  function setUp() public virtual {
    vm.warp(START);
    (signer, signerKey) = makeAddrAndKey("verdict signer");
    usd = new MockERC20("USD", 18);
    coin = new MockERC20("COIN", 8);
    source = new MockPriceSource();
    source.setPrice(address(usd), PRICE_IN_WAD);
    source.setPrice(address(coin), PRICE_OUT_WAD);

    address[] memory sources = new address[](1);
    sources[0] = address(source);
    revocations = Product.revocations();
    registry = Product.planRegistry(revocations, loanGuard, sources);

    executor = new TestExecutor(registry);
    _equip(executor);
    usd.mint(owner, FUNDS);
    vm.prank(owner);
    usd.approve(address(registry), type(uint256).max);
  }

  /// Valid terms with a slot open now.
  function _terms() internal view returns (IPlanRegistry.Terms memory) {
    return IPlanRegistry.Terms({
      owner: owner,
      recipient: recipient,
      executor: address(executor),
      verdictSigner: address(0),
      tokenIn: address(usd),
      tokenOut: address(coin),
      amountPerRun: AMOUNT,
      startAt: START,
      periodSeconds: PERIOD,
      windowSeconds: WINDOW,
      maxRuns: 12,
      expiresAt: START + 365 days,
      priceSource: address(source),
      limitPriceWad: 0,
      maxSlippageBps: 50,
      farLimit: false,
      triggerPriceWad: 0
    });
  }

  function _create(IPlanRegistry.Terms memory terms) internal returns (uint256 planId) {
    vm.prank(terms.owner);
    return registry.create(terms);
  }

  function _assertNotCreated(IPlanRegistry.Terms memory terms, bytes memory reason) internal {
    uint256 count = registry.planCount();
    vm.expectRevert(reason);
    vm.prank(terms.owner);
    registry.create(terms);
    assertEq(registry.planCount(), count);
  }

  /// Terms that protect their owner only by a limit price, which accepts one base unit of the coin.
  function _laxTerms() internal view returns (IPlanRegistry.Terms memory terms) {
    terms = _terms();
    (terms.priceSource, terms.maxSlippageBps) = (address(0), 0);
    (terms.limitPriceWad, terms.farLimit) = (type(uint128).max, true);
  }

  /// A plan of the stranger with worthless tokens, which this executor can run at will.
  function _worthlessPlan(TestExecutor executor_) internal returns (uint256 planId) {
    (MockERC20 tokenIn, MockERC20 tokenOut) = (new MockERC20("IN", 18), new MockERC20("OUT", 18));
    tokenIn.mint(stranger, AMOUNT);
    tokenOut.mint(address(executor_), 1);
    executor_.setAmountOut(1);
    vm.prank(stranger);
    tokenIn.approve(address(registry), AMOUNT);
    IPlanRegistry.Terms memory terms = _laxTerms();
    (terms.owner, terms.executor) = (stranger, address(executor_));
    (terms.tokenIn, terms.tokenOut) = (address(tokenIn), address(tokenOut));
    return _create(terms);
  }

  /// A plan with the base terms but another executor.
  function _planFor(TestExecutor executor_) internal returns (uint256 planId) {
    IPlanRegistry.Terms memory terms = _terms();
    terms.executor = address(executor_);
    return _create(terms);
  }

  /// A plan with the base terms but another pair of tokens, at the same prices.
  function _planOf(address tokenIn, address tokenOut) internal returns (uint256 planId) {
    source.setPrice(tokenIn, PRICE_IN_WAD);
    source.setPrice(tokenOut, PRICE_OUT_WAD);
    IPlanRegistry.Terms memory terms = _terms();
    (terms.tokenIn, terms.tokenOut) = (tokenIn, tokenOut);
    planId = _create(terms);
    vm.prank(owner);
    IERC20(tokenIn).forceApprove(address(registry), type(uint256).max);
  }

  function _scripted() internal returns (ScriptedExecutor scripted) {
    scripted = new ScriptedExecutor(registry);
    _equip(scripted);
  }

  function _go() internal pure returns (TestExecutor.Claim memory) {
    return TestExecutor.Claim(Verdict.GO, EVIDENCE);
  }

  /// The ticket for a plan without a signer.
  function _unsigned(TestExecutor.Claim memory claim) internal pure returns (IPlanRegistry.Ticket memory ticket) {
    (ticket.verdict, ticket.evidenceHash) = (claim.verdict, claim.evidenceHash);
  }

  /// GO at the floor's own price, for exactly one run of the base terms.
  function _ticketAtFloor() internal view returns (IPlanRegistry.Ticket memory) {
    return IPlanRegistry.Ticket({
      tokenIn: address(usd),
      tokenOut: address(coin),
      verdict: Verdict.GO,
      maxPriceWad: (uint256(AMOUNT) * 1e18 + FLOOR - 1) / FLOOR,
      maxAmountIn: AMOUNT,
      issuedAt: uint64(block.timestamp),
      expiresAt: uint64(block.timestamp) + 120,
      evidenceHash: EVIDENCE
    });
  }

  function _sign(IPlanRegistry.Ticket memory ticket) internal view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(signerKey, registry.digestOf(ticket));
    return abi.encodePacked(r, s, v);
  }

  function _run(uint256 planId) internal returns (uint256 amountOut) {
    return executor.run(planId, _go(), "");
  }

  /// Runs the plan and requires a revert with exactly this reason that changes nothing.
  function _assertRefused(TestExecutor executor_, uint256 planId, bytes memory reason) internal {
    bytes memory before = _picture(planId);
    vm.expectRevert(reason);
    executor_.run(planId, _go(), "");
    assertEq(_picture(planId), before, "a refused run has changed something");
  }

  function _state(uint256 planId) internal view returns (IPlanRegistry.State memory) {
    return registry.plan(planId).state;
  }

  function _history(uint256 planId) internal view returns (IPlanRegistry.Run[] memory) {
    return registry.runs(planId, 0, type(uint256).max);
  }

  /// Everything that a refused run must leave unchanged: balances of both tokens, the plan, its records.
  function _picture(uint256 planId) internal view returns (bytes memory) {
    IPlanRegistry.Plan memory plan = registry.plan(planId);
    return abi.encode(
      _balances(plan.terms.tokenIn, plan.terms), _balances(plan.terms.tokenOut, plan.terms), plan, _history(planId)
    );
  }

  function _balances(address token, IPlanRegistry.Terms memory terms) private view returns (uint256[4] memory) {
    IERC20 t = IERC20(token);
    return [
      t.balanceOf(terms.owner),
      t.balanceOf(terms.executor),
      t.balanceOf(terms.recipient),
      t.balanceOf(address(registry))
    ];
  }

  function _equip(TestExecutor executor_) private {
    coin.mint(address(executor_), 1_000e8);
    executor_.setAmountOut(FLOOR);
  }
}
