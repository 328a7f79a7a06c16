// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @notice The part of Bowline's PlanRegistry that a gate uses.
interface ITickets {
  enum Verdict {
    NO_DATA,
    NO_GO,
    CAUTION,
    GO
  }

  /// @notice A signed verdict on a trade, as documented in PlanRegistry.
  struct Ticket {
    address tokenIn;
    address tokenOut;
    Verdict verdict;
    /// tokenIn base units per 1e18 tokenOut base units.
    uint256 maxPriceWad;
    uint256 maxAmountIn;
    uint64 issuedAt;
    uint64 expiresAt;
    bytes32 evidenceHash;
  }

  /// @notice The EIP-712 digest that a ticket's signer has signed.
  function digestOf(Ticket calldata ticket) external view returns (bytes32);
}

/// @title A contract that acts only on a fresh GO
/// @notice Inherit it, and call `_demandGo` before a trade. You trust the signer's key: with a stolen key, anything is
/// GO, so also enforce bounds of your own.
abstract contract TicketGate {
  error TicketForOtherTrade();
  error TicketNotGo(ITickets.Verdict verdict);
  error TicketNotValid(uint64 issuedAt, uint64 expiresAt, uint256 time);
  error TicketTooSmall(uint256 maxAmountIn, uint256 amountIn);
  error TicketPriceExceeded(uint256 maxPriceWad, uint256 amountIn, uint256 minAmountOut);
  error TicketSignatureRefused(address signer);

  ITickets public immutable PLAN_REGISTRY;
  /// The signer whose verdicts count: the agent's key, or that of an agent of your own.
  address public immutable VERDICT_SIGNER;

  constructor(ITickets planRegistry, address verdictSigner) {
    PLAN_REGISTRY = planRegistry;
    VERDICT_SIGNER = verdictSigner;
  }

  /// Reverts unless the signer calls this trade GO now. A ticket does not guarantee a price: enforce `minAmountOut` in
  /// the trade itself.
  function _demandGo(
    ITickets.Ticket calldata ticket,
    bytes calldata signature,
    address tokenIn,
    uint256 amountIn,
    address tokenOut,
    uint256 minAmountOut
  ) internal view {
    if (ticket.tokenIn != tokenIn || ticket.tokenOut != tokenOut) revert TicketForOtherTrade();
    if (ticket.verdict != ITickets.Verdict.GO) revert TicketNotGo(ticket.verdict);
    if (block.timestamp < ticket.issuedAt || block.timestamp >= ticket.expiresAt) {
      revert TicketNotValid(ticket.issuedAt, ticket.expiresAt, block.timestamp);
    }
    if (amountIn > ticket.maxAmountIn) revert TicketTooSmall(ticket.maxAmountIn, amountIn);
    // amountIn / minAmountOut must not exceed the price that was judged.
    if (amountIn * 1e18 > ticket.maxPriceWad * minAmountOut) {
      revert TicketPriceExceeded(ticket.maxPriceWad, amountIn, minAmountOut);
    }
    if (!SignatureChecker.isValidSignatureNow(VERDICT_SIGNER, PLAN_REGISTRY.digestOf(ticket), signature)) {
      revert TicketSignatureRefused(VERDICT_SIGNER);
    }
  }
}
