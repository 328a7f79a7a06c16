// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The minimum delivery of a run
/// @notice Rounds up, in the owner's favour. Amounts fit 104 bits and prices 128, so no product overflows. A price used
/// only as a divisor may be of any size.
library Floor {
  uint256 internal constant BPS = 10_000;

  /// @notice tokenOut base units for `amountIn` at the source's prices, less the permitted slippage. ⌈amountIn ·
  /// priceIn · (1 − slippage) / priceOut⌉. Requires priceOut > 0 and slippageBps ≤ 10_000.
  function fromPricesUp(uint256 amountIn, uint256 priceInWad, uint256 priceOutWad, uint256 slippageBps)
    internal
    pure
    returns (uint256)
  {
    return _divUp(amountIn * priceInWad * (BPS - slippageBps), priceOutWad * BPS);
  }

  /// @notice tokenOut base units for `amountIn` if 1e18 of them may cost at most `limitPriceWad` tokenIn base units.
  /// ⌈amountIn · 1e18 / limitPrice⌉. Requires limitPriceWad > 0.
  function fromLimitUp(uint256 amountIn, uint256 limitPriceWad) internal pure returns (uint256) {
    return _divUp(amountIn * 1e18, limitPriceWad);
  }

  /// @notice The source's price, in tokenIn base units per 1e18 tokenOut base units, raised by the permitted slippage.
  /// ⌊priceOut · 1e18 / (priceIn · (1 − slippage))⌋. Requires priceIn > 0 and slippageBps < 10_000.
  function priceDown(uint256 priceInWad, uint256 priceOutWad, uint256 slippageBps) internal pure returns (uint256) {
    return priceOutWad * 1e18 * BPS / (priceInWad * (BPS - slippageBps));
  }

  function _divUp(uint256 a, uint256 b) private pure returns (uint256) {
    return a == 0 ? 0 : (a - 1) / b + 1;
  }
}
