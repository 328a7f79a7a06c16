// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {console} from "forge-std/console.sol";

import {ForkBase} from "../base/ForkBase.sol";
import {CollateralThief} from "./CollateralThief.sol";
import {PlanThief} from "./PlanThief.sol";
import {RescueThief} from "./RescueThief.sol";

/// @notice A campaign on Venus's and PancakeSwap's real code. The attacker holds every key of the agent and all the
/// capital that a flash loan could give. What it takes from owners is printed beside what their terms allow.
/// `npm run lab -- extraction --attacks 10000` makes that many runs and rescues. Without a number there are 60.
contract ExtractionForkTest is ForkBase {
  PlanThief private plans;
  RescueThief private loans;
  CollateralThief private sales;

  function setUp() public override {
    super.setUp();
    plans = new PlanThief(bowline, operator);
    plans.prepare();
    loans = new RescueThief(bowline);
  }

  /// CG-9, CG-10: a stolen keeper of guards that sell collateral and leave the route to it takes what the terms allow a
  /// rescue to cost, and nothing beyond.
  function test_extractionByASellersKeeper() public {
    sales = new CollateralThief(bowline);
    uint256 wanted = vm.envOr("EXTRACTION_ATTACKS", uint256(60)) / 4;
    for (uint256 i; i < 3 * wanted && sales.rescues() < wanted; ++i) {
      sales.attack(uint256(keccak256(abi.encode("sales", i))));
    }
    console.log("Sales of collateral: signed cost | borrower's max loss | attacker's best");
    uint256[3] memory costs = [uint256(100e2), 200e2, 500e2];
    for (uint256 i; i < 3; ++i) {
      console.log(
        string.concat(_bps(int256(costs[i])), " | ", _bps(int256(sales.maxLoss(i))), " | ", _bps(sales.maxGain(i)))
      );
      assertLe(sales.maxLoss(i), costs[i], "a borrower has lost more than the signed cost");
      assertLe(sales.maxGain(i), int256(costs[i]), "the attacker has gained more than the signed cost");
      // An attacker that takes nothing would show nothing.
      assertGe(sales.maxLoss(i) * 2, costs[i], "the attacker has not come near the bound");
    }
    console.log("Sales tried, made:", sales.tries(), sales.rescues());
    assertGe(sales.rescues(), wanted, "too little has succeeded");
  }

  /// IN-39
  function test_extraction() public {
    uint256 wanted = vm.envOr("EXTRACTION_ATTACKS", uint256(60));
    // Batches have four orders at most, and lists three rescues: more tries than this mean that too few succeed.
    for (uint256 i; i < 2 * wanted && plans.runs() + loans.rescues() < wanted; ++i) {
      uint256 seed = uint256(keccak256(abi.encode("extraction", i)));
      if (i % 3 == 0) plans.attack(seed);
      else loans.attack(seed);
    }
    _tell();
    assertGe(plans.runs() + loans.rescues(), wanted, "too little has succeeded");
    assertGe(plans.runs() * 4, plans.orders(), "fewer than a quarter of the orders have run");
    assertGe(loans.rescues() * 10, loans.tries() * 3, "fewer than 30 % of the rescues have come");
    assertGe(plans.runs() * 4, wanted, "too few runs");
    assertGe(loans.rescues() * 4, wanted, "too few rescues");
    assertGt(loans.bySource(), 0, "no rescue by a price source");
    for (uint256 i; i < 3; ++i) {
      PlanThief.Row memory row = plans.row(i);
      assertLe(row.maxLoss, row.bound, "an owner has lost more than the signed slippage");
      assertLe(row.maxGain, int256(row.bound), "the attacker has gained more than the signed slippage");
      // An attacker that takes nothing would show nothing.
      assertGt(row.runs, 0, "no run with this bound");
      assertGe(row.maxLoss * 2, row.bound, "the attacker has not come near the bound");
    }
    assertEq(loans.maxExcess(), 0, "a rescue has repaid more than the target needs");
    assertEq(loans.maxFee(), 0, "something was taken of a repayment");
    assertLe(loans.maxGain(), 0, "the attacker has gained by a rescue");
  }

  function _tell() private view {
    console.log("In basis points of what was paid, by the feeds:");
    console.log("signed bound | runs | owners' mean loss | owners' max loss | attacker's best batch");
    for (uint256 i; i < 3; ++i) {
      PlanThief.Row memory row = plans.row(i);
      int256 mean = row.paid == 0 ? int256(0) : row.lost * 1e6 / int256(row.paid);
      console.log(
        string.concat(
          _bps(int256(row.bound)),
          " | ",
          vm.toString(row.runs),
          " | ",
          _bps(mean),
          " | ",
          _bps(int256(row.maxLoss)),
          " | ",
          _bps(row.maxGain)
        )
      );
    }
    console.log(string.concat("Rescues: beyond the target ", _bps(int256(loans.maxExcess())), " (signed: 0.00)"));
    console.log(string.concat("Rescues: lost on the way ", _bps(int256(loans.maxFee())), " (signed: 0.00)"));
    console.log("Rescues: the attacker's best gain, USD base units (signed: 0):", loans.maxGain());
    console.log("Orders sent, runs made:", plans.orders(), plans.runs());
    console.log("Rescues tried, made, by a price source:", loans.tries(), loans.rescues(), loans.bySource());
  }

  /// Of hundredths of a basis point.
  function _bps(int256 hundredths) private pure returns (string memory) {
    uint256 size = uint256(hundredths < 0 ? -hundredths : hundredths);
    string memory digits = vm.toString(size % 100);
    return string.concat(hundredths < 0 ? "-" : "", vm.toString(size / 100), size % 100 < 10 ? ".0" : ".", digits);
  }
}
