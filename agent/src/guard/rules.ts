import type { Proposal } from '../domain/facts.ts';
import { ticketOf } from './ticket.ts';
import { type Judgement, judgeProposal } from './verdict.ts';

/** How a proposal becomes a verdict and a ticket. */
export interface Rules {
  readonly judge: (proposal: Proposal) => Judgement;
  readonly ticket: typeof ticketOf;
}

/** Under which verdicts are given now; named in their evidence. */
export const rulesVersion = 1;

/** Whatever changes an answer to the same proposal makes a new version. The old ones stay: old evidence is judged by its own. */
export const rulesOf: Readonly<Record<number, Rules>> = {
  1: { judge: judgeProposal, ticket: ticketOf },
};
