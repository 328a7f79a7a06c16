import type { Proposal } from '../domain/facts.ts';
import type { Reason } from '../domain/reasons.ts';
import { formatBps } from '../domain/units.ts';
import type { Finding, Outcome } from '../domain/verdict.ts';

/**
 * One question about a proposal. Synchronous and pure: everything it needs is in the proposal, so that whoever has the
 * proposal can ask again. A fact that it needs and does not find is `no_data`, never a pass.
 */
export interface Check {
  readonly id: string;
  readonly question: string;
  run(proposal: Proposal): Answer;
}

/** A finding without the check's own name on it. */
export type Answer = Omit<Finding, 'check' | 'question'>;

export interface Band {
  readonly caution: bigint;
  readonly noGo: bigint;
}

/**
 * Beyond `noGo` it is no_go, beyond `caution` caution: a measure at the limit still passes.
 * @param told the sentence without its full stop; the limit is added to it.
 */
export function judge(measured: bigint, band: Band, reason: Reason, told: string): Answer {
  const outcome: Outcome = measured > band.noGo ? 'no_go' : measured > band.caution ? 'caution' : 'pass';
  const detail = `${told} (limit ${formatBps(outcome === 'caution' ? band.caution : band.noGo)}).`;
  const measure = { measured, limit: band.noGo, cautionLimit: band.caution, unit: 'bps', detail } as const;
  return outcome === 'pass' ? { outcome, ...measure } : { outcome, reason, ...measure };
}

/** A fact is missing. */
export function missing(reason: Reason, limit: bigint, unit: Finding['unit'], detail: string): Answer {
  return { outcome: 'no_data', reason, limit, unit, detail };
}
