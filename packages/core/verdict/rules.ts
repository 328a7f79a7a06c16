import type { Proposal } from '../domain/facts.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Finding, Outcome, Verdict } from '../domain/verdict.ts';
import type { Check } from './check.ts';
import { checks, firstChecks } from './checks/index.ts';
import { agesOf } from './freshness.ts';
import { ticketOf } from './ticket.ts';

/** How a proposal becomes a verdict and a ticket. */
export interface Rules {
  readonly judge: (proposal: Proposal) => Judgement;
  readonly ticket: typeof ticketOf;
}

/** Under which verdicts are given now; named in their evidence. */
export const rulesVersion = 2;

/** By these checks, each finding with the ages of what it rests on: as in every version but the first. */
const judgeWithAges =
  (checksOfVersion: readonly Check[]) =>
  (proposal: Proposal): Judgement => {
    const judgement = judgeBy(checksOfVersion, proposal);
    const findings = judgement.findings.map((finding, at) => {
      return { ...finding, ages: agesOf(proposal, checksOfVersion[at]?.rests ?? []) };
    });
    return { ...judgement, findings };
  };

/** May this be traded now, at this size? By the rules of now. */
export const judgeProposal = judgeWithAges(checks);

/** Whatever changes an answer to the same proposal makes a new version. The old ones stay: old evidence is judged by its own. */
export const rulesOf: Readonly<Record<number, Rules>> = {
  1: { judge: (proposal) => judgeBy(firstChecks, proposal), ticket: ticketOf },
  2: { judge: judgeProposal, ticket: ticketOf },
};

export interface Judgement {
  readonly verdict: Verdict;
  /** Of the finding that decided; absent for GO. */
  readonly reason?: Reason;
  readonly findings: readonly Finding[];
}

// A danger that is known outranks one that cannot be ruled out, and that one outranks a doubt.
const precedence: readonly { readonly outcome: Outcome; readonly verdict: Verdict }[] = [
  { outcome: 'no_go', verdict: 'NO_GO' },
  { outcome: 'no_data', verdict: 'NO_DATA' },
  { outcome: 'caution', verdict: 'CAUTION' },
];

/** May this be traded now, at this size? Runs every one of these checks and keeps every finding. Pure. */
export function judgeBy(checks: readonly Check[], proposal: Proposal): Judgement {
  const findings = checks.map(({ id, question, run }) => ({ check: id, question, ...run(proposal) }));
  for (const { outcome, verdict } of precedence) {
    const deciding = findings.find((finding) => finding.outcome === outcome);
    if (deciding?.reason) return { verdict, reason: deciding.reason, findings };
  }
  return { verdict: 'GO', findings };
}
