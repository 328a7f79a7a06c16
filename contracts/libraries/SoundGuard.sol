// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {ILoanGuard} from "../interfaces/ILoanGuard.sol";

/// @title Limits on a guard's terms
/// @notice Refuses terms that could not rescue, or that would rescue repeatedly.
library SoundGuard {
  uint256 internal constant MIN_TRIGGER_WAD = 1e18;
  uint256 internal constant MAX_TARGET_WAD = 10e18;

  function requireSound(ILoanGuard.Terms calldata terms) internal view {
    if (terms.triggerHealthWad < MIN_TRIGGER_WAD) {
      revert ILoanGuard.TriggerRefused(terms.triggerHealthWad, MIN_TRIGGER_WAD);
    }
    // With a closer target, the next price tick would put the loan at risk again.
    uint256 minTargetWad = Math.ceilDiv(uint256(terms.triggerHealthWad) * 102, 100);
    if (terms.targetHealthWad < minTargetWad || terms.targetHealthWad > MAX_TARGET_WAD) {
      revert ILoanGuard.TargetRefused(terms.targetHealthWad, minTargetWad, MAX_TARGET_WAD);
    }
    if (terms.minRepay == 0 || terms.minRepay > terms.capPerRescue || terms.minRepay > terms.capPerDay) {
      revert ILoanGuard.MinRepayRefused(terms.minRepay, terms.capPerRescue, terms.capPerDay);
    }
    if (terms.expiresAt <= block.timestamp) revert ILoanGuard.ExpiryRefused(terms.expiresAt, block.timestamp);
  }
}
