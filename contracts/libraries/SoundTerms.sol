// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../interfaces/IPlanRegistry.sol";

/// @title What a plan may permit
/// @notice Refuses terms that cannot be meant, or that a person would only sign because a page lied to them.
library SoundTerms {
  /// A floor under how fast an executor can spend what an owner permits, whatever the owner has been made to sign.
  uint256 internal constant MIN_PERIOD_SECONDS = 60;
  /// More than 10 % below the fair price is not a fair price: a page that asks a person to sign it is phishing.
  uint256 internal constant MAX_SLIPPAGE_BPS = 1_000;

  /// @param loanGuard LoanGuard, to which no plan may deliver: a token sent there would belong to nobody.
  /// @param builtIn Whether the registry was built with the terms' price source.
  function requireSound(IPlanRegistry.Terms calldata terms, address loanGuard, bool builtIn) internal view {
    _requireParties(terms, loanGuard);
    _requireSchedule(terms);
    _requirePriceBound(terms, builtIn);
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

  /// A source that the registry was not built with is somebody's word: a page could name its own. It may tighten a limit
  /// price, never replace one.
  function _requirePriceBound(IPlanRegistry.Terms calldata terms, bool builtIn) private view {
    bool hasSource = terms.priceSource != address(0);
    bool hasLimit = terms.limitPriceWad != 0;
    if (!hasSource && !hasLimit) revert IPlanRegistry.PriceBoundMissing();
    if (hasSource && !builtIn && (!hasLimit || terms.priceSource.code.length == 0)) {
      revert IPlanRegistry.PriceSourceRefused(terms.priceSource);
    }
    uint256 most = hasSource ? MAX_SLIPPAGE_BPS : 0;
    if (terms.maxSlippageBps > most) revert IPlanRegistry.SlippageRefused(terms.maxSlippageBps, most);
  }
}
