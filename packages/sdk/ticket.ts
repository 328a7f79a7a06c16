import type { Deployment } from '@bowline/chain/drafts/deployment';
import {
  type CheckedTicket,
  checkTicket,
  type IntendedTrade,
  type TicketAnswer,
} from '@bowline/core/replay/ticket-check';
import type { ContractFunctionArgs } from 'viem';
import type { planRegistryAbi } from '../../abis/index.ts';
import { readable } from './readable.ts';
import { hashing } from './replay.ts';

export type { CheckedTicket, IntendedTrade, TicketProblem } from '@bowline/core/replay/ticket-check';

/** A ticket in the form of `IPlanRegistry.Ticket`. */
export type ContractTicket = Extract<
  ContractFunctionArgs<typeof planRegistryAbi, 'view', 'digestOf'>[0],
  { readonly evidenceHash: `0x${string}` }
>;

/**
 * Checks the ticket of an answer, and that the answer follows from its evidence if that is with it.
 * @param trade that was asked about: an answer that was given for another question is refused.
 * @param answer of `check_asset` or `GET /verdict`; `{verdict, ticket, evidence}` are used.
 * @param at unix seconds; now if omitted.
 * @throws Error if the answer cannot be read, or has no ticket.
 */
export async function verifyTicket(
  { chainId, contracts, verdictSigners }: Deployment,
  answer: TicketAnswer,
  trade: IntendedTrade,
  at: bigint = BigInt(Math.floor(Date.now() / 1_000)),
): Promise<CheckedTicket> {
  const issuer = { chainId, planRegistry: contracts.planRegistry, verdictSigners };
  const { lines: _, ...checked } = await readable(() => checkTicket(issuer, answer, at, hashing, trade));
  return checked;
}
