// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Reasons} from "../../contracts/libraries/Reasons.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {Product} from "../base/Product.sol";
import {SwapBase} from "../base/SwapBase.sol";
import {MockFeed} from "../mocks/MockFeed.sol";

/// Each figure is a whole transaction on cold storage, with its 21,000 and its calldata. Runs and deferrals go through
/// SwapExecutor with a ticket as the agent fills it in. The pool is a mock that pays from its own stock, takes
/// its payment and records its arguments, so its share does not measure a swap. Run with `--isolate`; the figures are in
/// snapshots/.
contract PlanGasTest is SwapBase {
  ChainlinkPriceSource private chainlink;

  function setUp() public override {
    super.setUp();
    ChainlinkPriceSource.FeedConfig[] memory configs = new ChainlinkPriceSource.FeedConfig[](2);
    configs[0] = ChainlinkPriceSource.FeedConfig(address(usd), _feed(1e8), 1 hours, 2, 95, 105);
    configs[1] = ChainlinkPriceSource.FeedConfig(address(coin), _feed(60_000e8), 1 hours, 0, 3_000, 1_200_000);
    chainlink = Product.chainlinkPriceSource(configs);
    address[] memory sources = new address[](1);
    sources[0] = address(chainlink);
    registry = Product.planRegistry(revocations, loanGuard, sources);
    swapper = Product.swapExecutor(registry, POOL_DEPLOYER, operator, rotator);
    vm.prank(owner);
    usd.approve(address(registry), type(uint256).max);
    // A first use costs more, and happens once.
    _runNew(_chainlinkTerms());
  }

  function test_create() public {
    IPlanRegistry.Terms memory terms = _chainlinkTerms();
    vm.prank(owner);
    registry.create(terms);
    vm.snapshotGasLastCall("plan", "create");
  }

  /// A limit price in place of a source is compared with the market once.
  function test_createByLimit() public {
    IPlanRegistry.Terms memory terms = _limitTerms();
    (terms.limitPriceWad, terms.farLimit) = (60_000e28, false);
    vm.prank(owner);
    registry.create(terms);
    vm.snapshotGasLastCall("plan", "create, limit price");
  }

  function test_edit() public {
    uint256 id = _create(_chainlinkTerms());
    IPlanRegistry.Terms memory terms = _chainlinkTerms();
    vm.prank(owner);
    registry.edit(id, 1, 0, terms);
    vm.snapshotGasLastCall("plan", "edit");
  }

  /// Two feeds cost more than a limit price, and a signature more than none. Any other order means that something else
  /// was measured.
  function test_runs() public {
    uint256 limit = _measureRun(_limitTerms(), "run, limit price");
    uint256 feeds = _measureRun(_chainlinkTerms(), "run, two feeds");
    IPlanRegistry.Terms memory terms = _chainlinkTerms();
    terms.verdictSigner = signer;
    uint256 signed = _measureRun(terms, "run, two feeds and a ticket");
    assertLt(limit, feeds);
    assertLt(feeds, signed);
  }

  function test_deferral() public {
    uint256 id = _create(_chainlinkTerms());
    IPlanRegistry.Ticket memory ticket = _ticket(Verdict.NO_GO);
    vm.prank(operator);
    swapper.defer(id, 1, Reasons.COST_HIGH, ticket, "");
    vm.snapshotGasLastCall("plan", "deferral");
    _assertKeepsItsEvidence(id, IPlanRegistry.Outcome.Deferred);
  }

  function test_revokeAll() public {
    vm.prank(owner);
    revocations.revokeAll();
    vm.snapshotGasLastCall("plan", "revokeAll");
  }

  /// The cost of a token's transfer alone, for comparison.
  function test_transferFrom() public {
    vm.prank(owner);
    usd.approve(address(this), type(uint256).max);
    usd.transferFrom(owner, address(pool), AMOUNT);
    vm.snapshotGasLastCall("plan", "bare transferFrom");
  }

  function _measureRun(IPlanRegistry.Terms memory terms, string memory name) private returns (uint256 gas) {
    uint256 id = _runNew(terms);
    gas = vm.snapshotGasLastCall("plan", name);
    _assertKeepsItsEvidence(id, IPlanRegistry.Outcome.Executed);
  }

  /// A new plan with these terms, and one run of it.
  function _runNew(IPlanRegistry.Terms memory terms) private returns (uint256 id) {
    id = _create(terms);
    IPlanRegistry.Ticket memory ticket = _ticket(Verdict.GO);
    bytes memory signature = terms.verdictSigner == address(0) ? bytes("") : _sign(ticket);
    bytes memory path = _path();
    vm.prank(operator);
    swapper.execute(id, 1, ticket, signature, path);
  }

  /// As the agent fills it in for every plan, with its price.
  function _ticket(Verdict verdict) private view returns (IPlanRegistry.Ticket memory ticket) {
    ticket = _ticketAtFloor();
    (ticket.verdict, ticket.maxPriceWad) = (verdict, 700_000e28);
  }

  /// With a hash of zero, the write would be too cheap.
  function _assertKeepsItsEvidence(uint256 id, IPlanRegistry.Outcome outcome) private view {
    IPlanRegistry.Run memory record = _history(id)[0];
    assertEq(uint8(record.outcome), uint8(outcome));
    assertNotEq(record.evidencePrefix, bytes19(0));
    assertEq(record.evidencePrefix, bytes19(EVIDENCE));
  }

  function _feed(int256 answer) private returns (IAggregatorV3) {
    MockFeed feed = new MockFeed(8);
    feed.set(answer, block.timestamp);
    return feed;
  }

  function _chainlinkTerms() private view returns (IPlanRegistry.Terms memory terms) {
    terms = _swapTerms();
    terms.priceSource = address(chainlink);
  }

  function _limitTerms() private view returns (IPlanRegistry.Terms memory terms) {
    terms = _swapTerms();
    (terms.priceSource, terms.maxSlippageBps, terms.limitPriceWad) = (address(0), 0, 700_000e28);
    terms.farLimit = true;
  }
}
