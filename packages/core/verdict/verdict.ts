import type { Proposal } from '../domain/facts.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Finding, Outcome, Verdict } from '../domain/verdict.ts';
import type { Check } from './check.ts';

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
