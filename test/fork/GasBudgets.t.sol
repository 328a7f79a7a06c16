// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {IResilientOracle} from "../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {GuardTerms} from "../base/GuardTerms.sol";
import {PlanForkBase} from "../base/PlanForkBase.sol";
import {IVenusUser} from "./RescueVenus.t.sol";

/// What a Chainlink aggregator reads for an answer: who may read it, its settings, the answer.
contract CostlyAggregator {
  uint256 private _access = 1;
  uint256 private _settings = 1;
  int256 private _answer;

  constructor(int256 answer) {
    _answer = answer;
  }

  function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
    require(_access != 0 && _settings != 0);
    return (1, _answer, block.timestamp, block.timestamp, 1);
  }
}

/// What the proxy in front of it reads: who may read it, and the aggregator. The local chain's feeds have neither.
contract CostlyFeed {
  uint256 private _access;
  address private _aggregator;

  function point(address aggregator) external {
    (_access, _aggregator) = (1, aggregator);
  }

  function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
    require(_access != 0);
    return CostlyAggregator(_aggregator).latestRoundData();
  }
}

/// @notice The dearest run and the dearest rescue that a list is made for need at most 10/13 of their budgets: 30 % are to
/// spare. On cold storage, as transactions of their own.
/// forge-config: default.isolate = true
contract GasBudgetsForkTest is PlanForkBase {
  IResilientOracle private constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);
  uint256 private constant START = 1_000_000e18;

  /// SE-9: over three pools, by Venus's prices, on a signed verdict, to a recipient that has none of the token yet.
  function test_run_overThreePoolsWithATicket() public {
    (address signer, uint256 key) = makeAddrAndKey("verdict signer");
    IPlanRegistry.Terms memory terms = _terms();
    (terms.tokenIn, terms.verdictSigner, terms.recipient) = (Bsc.USDC, signer, makeAddr("recipient"));
    uint256 planId = _create(terms);
    deal(Bsc.USDC, owner, BUDGET);
    vm.prank(owner);
    IERC20(Bsc.USDC).approve(address(bowline.planRegistry), BUDGET);
    IPlanRegistry.Ticket memory ticket = IPlanRegistry.Ticket({
      tokenIn: Bsc.USDC,
      tokenOut: Bsc.BTCB,
      verdict: Verdict.GO,
      maxPriceWad: ORACLE.getUnderlyingPrice(Bsc.V_BTC) * 102 / 100,
      maxAmountIn: terms.amountPerRun,
      issuedAt: uint64(block.timestamp),
      expiresAt: uint64(block.timestamp) + 120,
      evidenceHash: keccak256("evidence")
    });
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, bowline.planRegistry.digestOf(ticket));
    bytes memory signature = abi.encodePacked(r, s, v);
    bytes memory path = abi.encodePacked(Bsc.USDC, uint24(100), Bsc.USDT, uint24(500), Bsc.WBNB, uint24(2500), Bsc.BTCB);

    uint256 snapshot = vm.snapshotState();
    ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](1);
    orders[0] = ISwapExecutor.Order(planId, 1, ticket, signature, path);
    vm.prank(operator);
    assertTrue(bowline.swapExecutor.executeBatch(orders, 0)[0].isExecuted);
    emit log_named_uint("a batch of one run over three pools", vm.lastCallGas().gasTotalUsed);
    assertTrue(vm.revertToState(snapshot));

    uint256 budget = bowline.swapExecutor.GAS_PER_RUN() * 10 / 13;
    vm.prank(address(bowline.swapExecutor));
    bowline.planRegistry.pullFunds{gas: budget}(planId, 1, ticket, signature, path);
    emit log_named_uint("of it, the run", vm.lastCallGas().gasTotalUsed);
  }

  /// LG-20: five collaterals and five debts, VAI's too, in a guard that watches Chainlink's feeds, as costly as theirs.
  function test_rescue_ofFiveCollateralsByTheSource() public {
    uint256 guardId = _watchedGuard();
    uint256 snapshot = vm.snapshotState();
    uint256[] memory ids = new uint256[](1);
    ids[0] = guardId;
    assertTrue(bowline.loanGuard.rescueMany(ids, 0)[0].isRescued);
    emit log_named_uint("a list of one, of five collaterals by the source", vm.lastCallGas().gasTotalUsed);
    assertTrue(bowline.loanGuard.guard(guardId).state.isBySource);
    assertTrue(vm.revertToState(snapshot));

    uint256 budget = bowline.loanGuard.GAS_PER_RESCUE() * 10 / 13;
    vm.prank(address(bowline.loanGuard));
    bowline.loanGuard.rescueFor{gas: budget}(guardId, owner);
    emit log_named_uint("of it, the rescue", vm.lastCallGas().gasTotalUsed);
  }

  function _watchedGuard() private returns (uint256 guardId) {
    address[5] memory tokens = [Bsc.BTCB, Bsc.ETH, Bsc.USDC, Bsc.USDT, Bsc.WBNB];
    address[5] memory vTokens = [Bsc.V_BTC, Bsc.V_ETH, Bsc.V_USDC, Bsc.V_USDT, Bsc.V_BNB];
    address[] memory entered = new address[](5);
    vm.deal(owner, 10 ether);
    vm.startPrank(owner);
    for (uint256 i; i < 5; ++i) {
      entered[i] = vTokens[i];
      uint256 amount = START / 100 * 1e18 / ORACLE.getUnderlyingPrice(vTokens[i]);
      if (i == 4) {
        (bool supplied,) = Bsc.V_BNB.call{value: 10 ether}(abi.encodeWithSignature("mint()"));
        assertTrue(supplied);
        continue;
      }
      deal(tokens[i], owner, amount);
      IERC20(tokens[i]).approve(vTokens[i], amount);
      assertEq(IVenusUser(vTokens[i]).mint(amount), 0);
    }
    IVenusUser(Bsc.COMPTROLLER).enterMarkets(entered);
    for (uint256 i; i < 5; ++i) {
      uint256 usd = i == 3 ? 15_000 : 100;
      assertEq(IVenusUser(vTokens[i]).borrow(usd * 1e36 / ORACLE.getUnderlyingPrice(vTokens[i])), 0);
    }
    assertEq(IVenusUser(Bsc.VAI_CONTROLLER).mintVAI(100e18), 0);
    USDT.approve(address(bowline.loanGuard), type(uint256).max);
    bytes32 market = MarketAddress.toMarket(Bsc.V_USDT);
    ILendingMarket.Position memory position = bowline.venusMarket.accrueAndRead(owner, market);
    uint256 health = position.weightedCollateralValue * 1e18 / position.debtValue;
    ILoanGuard.Terms memory terms = GuardTerms.plain(owner, address(bowline.venusMarket), market, 50_000e18);
    terms.priceSource = address(bowline.chainlinkPriceSource);
    (terms.triggerHealthWad, terms.targetHealthWad) = (uint64(health * 98 / 100), uint64(health * 110 / 100));
    (terms.capPerDay, terms.minRepay, terms.cooldownSeconds) = (100_000e18, 1e18, 1 hours);
    guardId = bowline.loanGuard.register(terms);
    vm.stopPrank();
    deal(Bsc.USDT, owner, 20_000e18);
    vm.roll(block.number + 1_000);
    for (uint256 i; i < 5; ++i) {
      (IAggregatorV3 feed,,,,,) = bowline.chainlinkPriceSource.feedOf(tokens[i]);
      (, int256 answer,,,) = feed.latestRoundData();
      vm.etch(address(feed), address(new CostlyFeed()).code);
      CostlyFeed(address(feed)).point(address(new CostlyAggregator(i < 2 ? answer * 80 / 100 : answer)));
    }
  }
}
