import type { Band, Proposal } from '../domain/facts.ts';
import type { Reason } from '../domain/reasons.ts';
import { formatBps, formatUnits } from '../domain/units.ts';
import type { Dated, Finding, FindingUnit, Outcome } from '../domain/verdict.ts';

/**
 * One question about a proposal. Synchronous and pure: everything it needs is in the proposal, so that whoever has the
 * proposal can ask again. A fact that it needs and does not find is `no_data`, never a pass.
 */
export interface Check {
  readonly id: string;
  readonly question: string;
  /** What it looks at, as far as that is dated: the finding tells how old each is. */
  readonly rests: readonly Dated[];
  run(proposal: Proposal): Answer;
}

/** A finding without the check's own name on it. */
export type Answer = Omit<Finding, 'check' | 'question' | 'ages'>;

/** As people read them. */
const inWords: Readonly<Record<FindingUnit, (measure: bigint) => string>> = {
  bps: formatBps,
  seconds: (seconds) => `${seconds} s`,
  blocks: (blocks) => `${blocks} blocks`,
  millisigma: (thousandths) => `${formatUnits(thousandths, 3)} deviations`,
};

/**
 * Beyond `noGo` it is no_go, beyond `caution` caution: a measure at the limit still passes.
 * @param told the sentence without its full stop; the limit is added to it.
 */
export function judge(measured: bigint, band: Band, reason: Reason, told: string, unit: FindingUnit = 'bps'): Answer {
  const outcome: Outcome = measured > band.noGo ? 'no_go' : measured > band.caution ? 'caution' : 'pass';
  const detail = `${told} (limit ${inWords[unit](outcome === 'caution' ? band.caution : band.noGo)}).`;
  const measure = { measured, limit: band.noGo, cautionLimit: band.caution, unit, detail } as const;
  return outcome === 'pass' ? { outcome, ...measure } : { outcome, reason, ...measure };
}

/** Nothing is asked of this asset, and the sentence says why. */
export function notAsked({ noGo: limit, caution: cautionLimit }: Band, unit: FindingUnit, detail: string): Answer {
  return { outcome: 'pass', limit, cautionLimit, unit, detail };
}

/** A fact is missing. */
export function missing(reason: Reason, limit: bigint, unit: FindingUnit, detail: string): Answer {
  return { outcome: 'no_data', reason, limit, unit, detail };
}
