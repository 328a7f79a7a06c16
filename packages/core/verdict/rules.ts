import type { Proposal } from '../domain/facts.ts';
import { checks, firstChecks } from './checks/index.ts';
import { agesOf } from './freshness.ts';
import { ticketOf } from './ticket.ts';
import { type Judgement, judgeBy } from './verdict.ts';

/** How a proposal becomes a verdict and a ticket. */
export interface Rules {
  readonly judge: (proposal: Proposal) => Judgement;
  readonly ticket: typeof ticketOf;
}

/** Under which verdicts are given now; named in their evidence. */
export const rulesVersion = 2;

/** May this be traded now, at this size? By the rules of now. */
export function judgeProposal(proposal: Proposal): Judgement {
  const judgement = judgeBy(checks, proposal);
  const findings = judgement.findings.map((finding, at) => {
    return { ...finding, ages: agesOf(proposal, checks[at]?.rests ?? []) };
  });
  return { ...judgement, findings };
}

/** Whatever changes an answer to the same proposal makes a new version. The old ones stay: old evidence is judged by its own. */
export const rulesOf: Readonly<Record<number, Rules>> = {
  1: { judge: (proposal) => judgeBy(firstChecks, proposal), ticket: ticketOf },
  2: { judge: judgeProposal, ticket: ticketOf },
};
