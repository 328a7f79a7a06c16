import type { Proposal } from '../domain/facts.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Finding, Outcome, Verdict } from '../domain/verdict.ts';
import type { Check } from './check.ts';
import { checks } from './checks/index.ts';
import { agesOf } from './references.ts';
import { firstChecks, secondChecks, thirdChecks } from './second/index.ts';
import { ticketOf } from './ticket.ts';

/** One version of the rules: how a proposal becomes a verdict and a ticket. */
export interface Rules {
  readonly judge: (proposal: Proposal) => Judgement;
  readonly ticket: typeof ticketOf;
}

/** Version of the current rules, stated in the evidence. */
export const rulesVersion = 4;

/** Judges by these checks, with the ages of the facts in each finding: every version except the first. */
const judgeWithAges =
  (checksOfVersion: readonly Check[]) =>
  (proposal: Proposal): Judgement => {
    const judgement = judgeBy(checksOfVersion, proposal);
    const findings = judgement.findings.map((finding, at) => {
      return { ...finding, ages: agesOf(proposal, checksOfVersion[at]?.rests ?? []) };
    });
    return { ...judgement, findings };
  };

/** May this be traded now at this size? By the current rules. */
export const judgeProposal = judgeWithAges(checks);

/**
 * Any change in the answer to the same proposal makes a new version. Old versions stay: old evidence is judged by its
 * own.
 */
export const rulesOf: Readonly<Record<number, Rules>> = {
  1: { judge: (proposal) => judgeBy(firstChecks, proposal), ticket: ticketOf },
  2: { judge: judgeWithAges(secondChecks), ticket: ticketOf },
  3: { judge: judgeWithAges(thirdChecks), ticket: ticketOf },
  4: { judge: judgeProposal, ticket: ticketOf },
};

export interface Judgement {
  readonly verdict: Verdict;
  /** Reason of the deciding finding; absent for GO. */
  readonly reason?: Reason;
  readonly findings: readonly Finding[];
}

// A known danger outranks one that cannot be ruled out, which outranks a doubt.
const precedence: readonly { readonly outcome: Outcome; readonly verdict: Verdict }[] = [
  { outcome: 'no_go', verdict: 'NO_GO' },
  { outcome: 'no_data', verdict: 'NO_DATA' },
  { outcome: 'caution', verdict: 'CAUTION' },
];

/** May this be traded now at this size? Runs all of these checks and keeps every finding. Pure. */
export function judgeBy(checks: readonly Check[], proposal: Proposal): Judgement {
  const findings = checks.map(({ id, question, run }) => ({ check: id, question, ...run(proposal) }));
  for (const { outcome, verdict } of precedence) {
    const deciding = findings.find((finding) => finding.outcome === outcome);
    if (deciding?.reason) return { verdict, reason: deciding.reason, findings };
  }
  return { verdict: 'GO', findings };
}
