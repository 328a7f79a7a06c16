// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../interfaces/IPlanRegistry.sol";
import {BoundedPrices} from "./BoundedPrices.sol";
import {Floor} from "./Floor.sol";

/// @title Limits on a plan's terms
/// @notice Refuses terms that make no sense, or that a person would sign only if a page misled them.
library SoundTerms {
  /// Limits how fast an executor can spend what an owner permits, even if the owner was tricked into signing.
  uint256 internal constant MIN_PERIOD_SECONDS = 60;
  /// 10 % below the fair price. A page that asks for a signature beyond that is phishing.
  uint256 internal constant MAX_SLIPPAGE_BPS = 1_000;

  /// @param loanGuard The LoanGuard, to which no plan may deliver: tokens sent there could not be recovered.
  /// @param builtIn Whether the registry was deployed with the terms' price source.
  function requireSound(IPlanRegistry.Terms calldata terms, address loanGuard, bool builtIn) internal view {
    _requireParties(terms, loanGuard);
    _requireSchedule(terms);
    _requirePriceBound(terms, builtIn);
  }

  /// @notice Refuses a limit price that is more than 10 % worse than the market, which a malicious page could propose
  /// in place of a source. The first source that prices both tokens defines the market. If none does, the limit is
  /// refused too: a submitter could choose a moment when a source is stale, or send too little gas.
  function requireNearLimit(IPlanRegistry.Terms calldata terms, address[] storage sources) internal view {
    for (uint256 i; i < sources.length; ++i) {
      (uint256 priceInWad, uint256 priceOutWad) = BoundedPrices.readOrZero(sources[i], terms.tokenIn, terms.tokenOut);
      if (priceInWad == 0) continue;
      uint256 maxPriceWad = Floor.priceDown(priceInWad, priceOutWad, MAX_SLIPPAGE_BPS);
      if (terms.limitPriceWad > maxPriceWad) revert IPlanRegistry.LimitTooFar(terms.limitPriceWad, maxPriceWad);
      return;
    }
    revert IPlanRegistry.LimitUnchecked(terms.tokenIn, terms.tokenOut);
  }

  function _requireParties(IPlanRegistry.Terms calldata terms, address loanGuard) private view {
    if (terms.tokenIn == terms.tokenOut || terms.tokenIn.code.length == 0 || terms.tokenOut.code.length == 0) {
      revert IPlanRegistry.TokensRefused(terms.tokenIn, terms.tokenOut);
    }
    if (terms.executor == terms.owner || terms.executor.code.length == 0) {
      revert IPlanRegistry.ExecutorRefused(terms.executor);
    }
    address recipient = terms.recipient;
    if (
      recipient == address(0) || recipient == address(this) || recipient == terms.executor || recipient == loanGuard
        || recipient == terms.tokenIn || recipient == terms.tokenOut
    ) revert IPlanRegistry.RecipientRefused(recipient);
    if (terms.amountPerRun == 0) revert IPlanRegistry.AmountRefused(terms.amountPerRun);
  }

  function _requireSchedule(IPlanRegistry.Terms calldata terms) private view {
    if (terms.periodSeconds < MIN_PERIOD_SECONDS) {
      revert IPlanRegistry.PeriodRefused(terms.periodSeconds, MIN_PERIOD_SECONDS);
    }
    if (terms.windowSeconds == 0 || terms.windowSeconds > terms.periodSeconds) {
      revert IPlanRegistry.WindowRefused(terms.windowSeconds, terms.periodSeconds);
    }
    if (terms.maxRuns == 0) revert IPlanRegistry.MaxRunsRefused(terms.maxRuns);
    if (terms.expiresAt <= block.timestamp || terms.expiresAt <= terms.startAt) {
      revert IPlanRegistry.ExpiryRefused(terms.expiresAt, terms.startAt, block.timestamp);
    }
  }

  /// A source that the registry was not deployed with is untrusted: a page could name its own. It may tighten a limit
  /// price but never replace one.
  function _requirePriceBound(IPlanRegistry.Terms calldata terms, bool builtIn) private view {
    bool hasSource = terms.priceSource != address(0);
    bool hasLimit = terms.limitPriceWad != 0;
    if (!hasSource && !hasLimit) revert IPlanRegistry.PriceBoundMissing();
    if (hasSource && !builtIn && (!hasLimit || terms.priceSource.code.length == 0)) {
      revert IPlanRegistry.PriceSourceRefused(terms.priceSource);
    }
    uint256 most = hasSource ? MAX_SLIPPAGE_BPS : 0;
    if (terms.maxSlippageBps > most) revert IPlanRegistry.SlippageRefused(terms.maxSlippageBps, most);
    // A limit below the trigger accepts only prices at which the plan does not run.
    bool isBeyondLimit = hasLimit && terms.limitPriceWad < terms.triggerPriceWad;
    if (terms.triggerPriceWad != 0 && (!hasSource || isBeyondLimit)) {
      revert IPlanRegistry.TriggerPriceRefused(terms.triggerPriceWad, terms.limitPriceWad);
    }
  }
}
