// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IQuoteDesk} from "./interfaces/IQuoteDesk.sol";
import {ExactPull} from "./libraries/ExactPull.sol";
import {Signatures} from "./libraries/Signatures.sol";

/// @title QuoteDesk
/// @notice Redeems quotes that the maker has signed, from the maker's inventory.
/// @dev Assumption: the maker signs only quotes that it is willing to fill from its inventory. Inventory leaves only
/// through a quote that the maker has signed or the maker's own withdrawal. The maker can move a buyer's tokens only
/// when that buyer redeems a quote.
contract QuoteDesk is IQuoteDesk, EIP712, ReentrancyGuardTransient {
  using SafeERC20 for IERC20;
  using ExactPull for IERC20;

  bytes32 private constant QUOTE_TYPEHASH = keccak256(
    "Quote(address buyer,address tokenIn,uint256 amountIn,address tokenOut,uint256 amountOut,uint256 nonce,uint256 expiresAt)"
  );

  /// @inheritdoc IQuoteDesk
  address public immutable maker;
  /// @inheritdoc IQuoteDesk
  mapping(uint256 nonce => bool) public isUsedUp;

  modifier onlyMaker() {
    if (msg.sender != maker) revert NotMaker(msg.sender);
    _;
  }

  constructor(address maker_) EIP712("Bowline QuoteDesk", "1") {
    // A failed signature recovery returns the zero address.
    if (maker_ == address(0)) revert NotMaker(maker_);
    maker = maker_;
  }

  /// @inheritdoc IQuoteDesk
  function redeem(Quote calldata quote, bytes calldata signature) external nonReentrant {
    if (msg.sender != quote.buyer) revert NotBuyer(msg.sender, quote.buyer);
    if (block.timestamp >= quote.expiresAt) revert QuoteExpired(quote.expiresAt);
    // With the same token on both sides, payment and delivery could not be told apart, and the inventory would pay for
    // itself.
    if (quote.tokenIn == quote.tokenOut) revert SameToken(quote.tokenIn);
    if (isUsedUp[quote.nonce]) revert QuoteUsedUp(quote.nonce);
    if (!Signatures.isBy(maker, digestOf(quote), signature)) revert SignatureRefused();
    isUsedUp[quote.nonce] = true;
    IERC20(quote.tokenIn).pullExactly(quote.buyer, address(this), quote.amountIn);
    _deliver(IERC20(quote.tokenOut), quote.buyer, quote.amountOut);
    emit QuoteRedeemed(quote.nonce, quote.buyer, quote.tokenIn, quote.amountIn, quote.tokenOut, quote.amountOut);
  }

  /// @inheritdoc IQuoteDesk
  function cancel(uint256 nonce) external onlyMaker {
    isUsedUp[nonce] = true;
    emit QuoteCancelled(nonce);
  }

  /// @inheritdoc IQuoteDesk
  function withdraw(address token, address to, uint256 amount) external onlyMaker nonReentrant {
    IERC20(token).safeTransfer(to, amount);
    emit InventoryWithdrawn(token, to, amount);
  }

  /// @inheritdoc IQuoteDesk
  function digestOf(Quote calldata quote) public view returns (bytes32) {
    return _hashTypedDataV4(keccak256(abi.encode(QUOTE_TYPEHASH, quote)));
  }

  /// Reverts if a transfer is inexact: a fee would leave the buyer with less than agreed, or take more of the
  /// inventory.
  function _deliver(IERC20 token, address buyer, uint256 amount) private {
    uint256 deskBefore = token.balanceOf(address(this));
    uint256 buyerBefore = token.balanceOf(buyer);
    token.safeTransfer(buyer, amount);
    uint256 deskFell = Math.saturatingSub(deskBefore, token.balanceOf(address(this)));
    uint256 buyerRose = Math.saturatingSub(token.balanceOf(buyer), buyerBefore);
    if (deskFell != amount || buyerRose != amount) revert DeliveryInexact(amount, deskFell, buyerRose);
  }
}
