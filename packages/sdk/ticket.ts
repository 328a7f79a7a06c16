import { hashText } from '@bowline/chain/drafts/address';
import type { Deployment } from '@bowline/chain/drafts/deployment';
import {
  type CheckedTicket,
  checkTicket,
  type IntendedTrade,
  type TicketAnswer,
} from '@bowline/core/replay/ticket-check';
import { type ContractFunctionArgs, recoverTypedDataAddress } from 'viem';
import type { planRegistryAbi } from '../../abis/index.ts';
import type { replayAnswer } from './replay.ts';

export type { CheckedTicket, IntendedTrade, TicketProblem } from '@bowline/core/replay/ticket-check';

/** A ticket in the form of `IPlanRegistry.Ticket`. */
export type ContractTicket = Extract<
  ContractFunctionArgs<typeof planRegistryAbi, 'view', 'digestOf'>[0],
  { readonly evidenceHash: `0x${string}` }
>;

type TicketDeployment = Pick<Deployment, 'chainId' | 'verdictSigners'> & {
  readonly contracts: Pick<Deployment['contracts'], 'planRegistry'>;
};

export interface VerifyOptions {
  /** Unix seconds; now if omitted. */
  readonly at?: bigint;
  /** `replayAnswer`, to judge the evidence again as well; if omitted, only its hash is compared. */
  readonly replay?: typeof replayAnswer;
}

/**
 * Checks the ticket of an answer; with `replay` also that the answer follows from its evidence, if included.
 * @param trade the trade that was asked about: an answer to another question is refused.
 * @param answer of `check_asset` or `GET /verdict`; `{verdict, ticket, evidence}` are used.
 * @throws Error with one line if the answer cannot be read, or has no ticket.
 */
export function verifyTicket(
  { chainId, contracts, verdictSigners }: TicketDeployment,
  answer: TicketAnswer,
  trade: IntendedTrade,
  { at = BigInt(Math.floor(Date.now() / 1_000)), replay }: VerifyOptions = {},
): Promise<CheckedTicket> {
  const issuer = { chainId, planRegistry: contracts.planRegistry, verdictSigners };
  return checkTicket(issuer, answer, at, { hash: hashText, signer: recoverTypedDataAddress }, { trade, replay });
}
