// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title A desk at which one maker sells by signed quotes
/// @notice For chains without a market to trade on. The maker signs a quote for one buyer, who redeems it once, before
/// it expires. The desk holds the maker's tokens and has no other owner.
interface IQuoteDesk {
  /// @notice A quote that the maker signs (EIP-712). Amounts are base units.
  struct Quote {
    /// The only account that may redeem the quote.
    address buyer;
    address tokenIn;
    /// The amount that the buyer pays, through an allowance to the desk.
    uint256 amountIn;
    address tokenOut;
    /// The amount that the buyer receives.
    uint256 amountOut;
    /// Chosen by the maker. Each nonce is valid for one quote.
    uint256 nonce;
    /// First second at which the quote has expired.
    uint256 expiresAt;
  }

  event QuoteRedeemed(
    uint256 indexed nonce, address indexed buyer, address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut
  );
  event QuoteCancelled(uint256 indexed nonce);
  event InventoryWithdrawn(address indexed token, address indexed to, uint256 amount);

  error NotMaker(address caller);
  error NotBuyer(address caller, address buyer);
  error QuoteExpired(uint256 expiresAt);
  error QuoteUsedUp(uint256 nonce);
  error SignatureRefused();
  error SameToken(address token);
  error DeliveryInexact(uint256 expected, uint256 deskFell, uint256 buyerRose);

  /// @notice Takes `amountIn` from the caller and pays `amountOut`, both exactly, or reverts.
  /// @param signature The maker's signature, by its key or as a contract (ERC-1271).
  function redeem(Quote calldata quote, bytes calldata signature) external;

  /// @notice Invalidates a nonce, whether or not a quote was signed with it. Only the maker may call this. Repeated
  /// calls have no effect.
  function cancel(uint256 nonce) external;

  /// @notice Moves `amount` of `token` out of the desk. Only the maker may call this.
  function withdraw(address token, address to, uint256 amount) external;

  function maker() external view returns (address);

  /// @return Whether the nonce was redeemed or cancelled.
  function isUsedUp(uint256 nonce) external view returns (bool);

  /// @return The EIP-712 digest that the maker signs for this quote.
  function digestOf(Quote calldata quote) external view returns (bytes32);
}
