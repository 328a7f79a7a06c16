// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";

/// The terms that tests of guards start from.
library GuardTerms {
  /// Out of the borrower's own tokens; trigger 1.05, target 1.25, one cap for a rescue and a day, any amount, no cooldown, by
  /// anybody, by the protocol's prices, for 30 days.
  function plain(address borrower, address adapter, bytes32 market, uint256 cap)
    internal
    view
    returns (ILoanGuard.Terms memory terms)
  {
    (terms.borrower, terms.funder, terms.adapter, terms.market) = (borrower, borrower, adapter, market);
    (terms.triggerHealthWad, terms.targetHealthWad) = (1.05e18, 1.25e18);
    (terms.capPerRescue, terms.capPerDay, terms.minRepay) = (uint128(cap), uint128(cap), 1);
    terms.expiresAt = uint40(block.timestamp + 30 days);
  }
}
