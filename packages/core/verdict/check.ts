import type { Band, Proposal } from '../domain/facts.ts';
import type { Reason } from '../domain/reasons.ts';
import { formatBps } from '../domain/units.ts';
import type { DatedFact, Finding, FindingUnit, Outcome } from '../domain/verdict.ts';

/**
 * One question about a proposal. Synchronous and pure: everything it needs is in the proposal, so anyone with the
 * proposal can ask again. A missing fact is `no_data`; of past prices it is at most `caution`.
 */
export interface Check {
  readonly id: string;
  readonly question: string;
  /** The dated facts it uses: the finding lists their ages. */
  readonly rests: readonly DatedFact[];
  run(proposal: Proposal): Answer;
}

/** A finding without the check's own name. */
export type Answer = Omit<Finding, 'check' | 'question' | 'ages'>;

/** Measurements as people read them. */
const inWords: Readonly<Record<FindingUnit, (measure: bigint) => string>> = {
  bps: formatBps,
  seconds: (seconds) => `${seconds} s`,
  blocks: (blocks) => `${blocks} blocks`,
};

/**
 * Above `noGo` the outcome is no_go, above `caution` caution: a measurement equal to the limit passes.
 * @param statement the sentence without its full stop; the limit is appended.
 */
export function judge(
  measured: bigint,
  band: Band,
  reason: Reason,
  statement: string,
  unit: FindingUnit = 'bps',
): Answer {
  const outcome: Outcome = measured > band.noGo ? 'no_go' : measured > band.caution ? 'caution' : 'pass';
  const detail = `${statement} (limit ${inWords[unit](outcome === 'caution' ? band.caution : band.noGo)}).`;
  const measure = { measured, limit: band.noGo, cautionLimit: band.caution, unit, detail } as const;
  return outcome === 'pass' ? { outcome, ...measure } : { outcome, reason, ...measure };
}

/** There is nothing to measure, which is no objection to the trade. */
export const notAsked = ({ noGo: limit, caution: cautionLimit }: Band, detail: string): Answer => ({
  outcome: 'pass',
  ...{ limit, cautionLimit, unit: 'bps', detail },
});

/** A fact is missing, which means no data, or is a danger in itself. */
export const unmeasured = (
  outcome: 'no_data' | 'no_go',
  reason: Reason,
  limit: bigint,
  detail: string,
  unit: FindingUnit = 'bps',
): Answer => ({ outcome, reason, limit, unit, detail });

/** What every check that needs a quote says without one. */
export const noQuote = ({ asset, quoteAsset }: Proposal): string =>
  `The ${asset.symbol}/${quoteAsset.symbol} pool quotes no swap of this size.`;
