// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @notice What a gate needs of Bowline's PlanRegistry.
interface ITickets {
  enum Verdict {
    NO_DATA,
    NO_GO,
    CAUTION,
    GO
  }

  /// @notice A signed verdict on a trade; PlanRegistry's own documentation has the details.
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

  /// @notice What the signer of a ticket has signed (EIP-712).
  function digestOf(Ticket calldata ticket) external view returns (bytes32);
}

/// @title A contract that acts only on a fresh GO
/// @notice Inherit it, and call `_demandGo` before a trade. Whoever names the signer trusts that key: a stolen one calls anything
/// GO, so keep bounds of your own beside it.
abstract contract TicketGate {
  error TicketForOtherTrade();
  error TicketNotGo(ITickets.Verdict verdict);
  error TicketNotValid(uint64 issuedAt, uint64 expiresAt, uint256 time);
  error TicketTooSmall(uint256 maxAmountIn, uint256 amountIn);
  error TicketPriceExceeded(uint256 maxPriceWad, uint256 amountIn, uint256 minAmountOut);
  error TicketSignatureRefused(address signer);

  ITickets public immutable PLAN_REGISTRY;
  /// Whose verdicts count: a key of the agent, or your own of another agent.
  address public immutable VERDICT_SIGNER;

  constructor(ITickets planRegistry, address verdictSigner) {
    PLAN_REGISTRY = planRegistry;
    VERDICT_SIGNER = verdictSigner;
  }

  /// Reverts unless the signer calls this trade GO now. A ticket is no promise of a price: enforce `minAmountOut` in the
  /// trade itself.
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
