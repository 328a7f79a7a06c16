import type { Proposal } from '../domain/facts.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Finding, Outcome, Verdict } from '../domain/verdict.ts';
import { agesOf } from './ages.ts';
import { checks } from './checks/index.ts';

/**
 * Version of the rules, stated in the evidence. Any change in the answer to the same proposal needs a new version.
 * Evidence of another version is refused: its verdict may not follow from these rules, or only from weaker ones.
 */
export const rulesVersion = 7;

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

/** May this be traded now at this size? Runs all checks and keeps every finding, with the ages of its facts. Pure. */
export function judgeProposal(proposal: Proposal): Judgement {
  const findings = checks.map(({ id, question, rests, run }) => {
    return { check: id, question, ...run(proposal), ages: agesOf(proposal, rests) };
  });
  for (const { outcome, verdict } of precedence) {
    const deciding = findings.find((finding) => finding.outcome === outcome);
    if (deciding?.reason) return { verdict, reason: deciding.reason, findings };
  }
  return { verdict: 'GO', findings };
}
