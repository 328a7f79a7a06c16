// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title A counter at which one maker sells for what it has signed
/// @notice For chains without a market to trade on. The maker signs a quote to one buyer; the buyer redeems it once, before
/// it expires. The desk holds the maker's tokens and has no other owner.
interface IQuoteDesk {
  /// @notice What the maker signs (EIP-712). Amounts are base units.
  struct Quote {
    /// The only one who may redeem it.
    address buyer;
    address tokenIn;
    /// What the buyer pays, by allowance to the desk.
    uint256 amountIn;
    address tokenOut;
    /// What the buyer receives.
    uint256 amountOut;
    /// Of the maker's choosing; each is good for one quote.
    uint256 nonce;
    /// First second at which the quote no longer holds.
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

  /// @notice Takes `amountIn` from the caller and gives `amountOut`, both to the unit, or does nothing.
  /// @param signature the maker's, by its key or as a contract (ERC-1271).
  function redeem(Quote calldata quote, bytes calldata signature) external;

  /// @notice The maker makes a nonce useless, whether a quote was signed with it or not. Twice is as good as once.
  function cancel(uint256 nonce) external;

  /// @notice The maker takes tokens out.
  function withdraw(address token, address to, uint256 amount) external;

  function maker() external view returns (address);

  /// @return Whether the nonce was redeemed or cancelled.
  function isUsedUp(uint256 nonce) external view returns (bool);

  /// @return What the maker signs for this quote.
  function digestOf(Quote calldata quote) external view returns (bytes32);
}
