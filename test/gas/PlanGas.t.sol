// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../contracts/PlanRegistry.sol";
import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Reasons} from "../../contracts/libraries/Reasons.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {PlanBase} from "../base/PlanBase.sol";
import {MockFeed} from "../mocks/MockFeed.sol";
import {TestExecutor} from "../mocks/TestExecutor.sol";

/// Each figure is a whole transaction, its 21,000 and its calldata included, on storage that is cold. A run delivers out of
/// the executor's own stock: what is measured is all that a run costs beyond its swap, with three token transfers' work in
/// it (pull, delivery, allowance). Run with `--isolate`; the figures are in snapshots/.
contract PlanGasTest is PlanBase {
  uint256 private signerKey;
  address private signer;
  ChainlinkPriceSource private chainlink;

  function setUp() public override {
    super.setUp();
    (signer, signerKey) = makeAddrAndKey("verdict signer");
    ChainlinkPriceSource.FeedConfig[] memory configs = new ChainlinkPriceSource.FeedConfig[](2);
    configs[0] = ChainlinkPriceSource.FeedConfig(address(usd), _feed(1e8), 1 hours);
    configs[1] = ChainlinkPriceSource.FeedConfig(address(coin), _feed(60_000e8), 1 hours);
    chainlink = new ChainlinkPriceSource(configs);
    address[] memory sources = new address[](1);
    sources[0] = address(chainlink);
    registry = new PlanRegistry(revocations, loanGuard, sources);
    executor = new TestExecutor(registry);
    coin.mint(address(executor), 1_000e8);
    executor.setAmountOut(FLOOR + 10);
    vm.prank(owner);
    usd.approve(address(registry), type(uint256).max);
    // The first of everything costs more, and happens once.
    uint256 first = _create(_chainlinkTerms());
    _run(first);
  }

  function _feed(int256 answer) private returns (IAggregatorV3) {
    MockFeed feed = new MockFeed(8);
    feed.set(answer, block.timestamp);
    return feed;
  }

  function _chainlinkTerms() private view returns (IPlanRegistry.Terms memory terms) {
    terms = _terms();
    terms.priceSource = address(chainlink);
  }

  function _limitTerms() private view returns (IPlanRegistry.Terms memory terms) {
    terms = _terms();
    (terms.priceSource, terms.maxSlippageBps, terms.limitPriceWad) = (address(0), 0, 700_000e28);
  }

  function test_create() public {
    IPlanRegistry.Terms memory terms = _chainlinkTerms();
    vm.prank(owner);
    registry.create(terms);
    vm.snapshotGasLastCall("plan", "create");
  }

  function test_edit() public {
    uint256 planId = _create(_chainlinkTerms());
    IPlanRegistry.Terms memory terms = _chainlinkTerms();
    vm.prank(owner);
    registry.edit(planId, 1, 0, terms);
    vm.snapshotGasLastCall("plan", "edit");
  }

  function test_runWithALimitPrice() public {
    _measureRun(_limitTerms(), "run, limit price");
  }

  function test_runWithTwoFeeds() public {
    _measureRun(_chainlinkTerms(), "run, two feeds");
  }

  function test_runWithTwoFeedsAndATicket() public {
    IPlanRegistry.Terms memory terms = _chainlinkTerms();
    terms.verdictSigner = signer;
    uint256 planId = _create(terms);
    IPlanRegistry.Ticket memory ticket = IPlanRegistry.Ticket(
      address(usd), address(coin), Verdict.GO, 700_000e28, AMOUNT, uint64(START), uint64(START) + 120, EVIDENCE
    );
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(signerKey, registry.digestOf(ticket));
    executor.runOn(planId, 1, ticket, abi.encodePacked(r, s, v));
    vm.snapshotGasLastCall("plan", "run, two feeds and a ticket");
  }

  function test_deferral() public {
    uint256 planId = _create(_chainlinkTerms());
    executor.defer(planId, Reasons.PRICE_IMPACT_HIGH, TestExecutor.Claim(Verdict.NO_GO, EVIDENCE));
    vm.snapshotGasLastCall("plan", "deferral");
  }

  function test_revokeAll() public {
    vm.prank(owner);
    revocations.revokeAll();
    vm.snapshotGasLastCall("plan", "revokeAll");
  }

  /// What a token's transfer alone costs, to compare with.
  function test_transferFrom() public {
    vm.prank(owner);
    usd.approve(address(this), type(uint256).max);
    usd.transferFrom(owner, address(executor), AMOUNT);
    vm.snapshotGasLastCall("plan", "bare transferFrom");
  }

  function _measureRun(IPlanRegistry.Terms memory terms, string memory name) private {
    uint256 planId = _create(terms);
    executor.run(planId, _go(), "");
    vm.snapshotGasLastCall("plan", name);
  }
}
