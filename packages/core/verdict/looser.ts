import type { AssetClass } from '../domain/assets.ts';
import type { Band, Limits } from '../domain/facts.ts';
import { limitsOf } from './limits.ts';

/** A limit that lets through what the project's own would not. */
export interface Looser {
  /** `poolBps.noGo`. */
  readonly limit: string;
  readonly own: bigint;
  readonly usual: bigint;
}

/** How long something counts as new: the longer, the stricter. Of everything else less is stricter. */
const strictWhenLong: readonly string[] = ['multiplierSeconds', 'openingSeconds'] satisfies (keyof Limits)[];

/** Which of the limits are looser than the project's for this class. */
export function looserLimits(kind: AssetClass, limits: Limits): Looser[] {
  const usualParts = partsOf(limitsOf[kind]);
  return Object.entries(partsOf(limits)).flatMap(([limit, own]) => {
    const usual = usualParts[limit] ?? own;
    const isLooser = strictWhenLong.includes(limit) ? own < usual : own > usual;
    return isLooser ? [{ limit, own, usual }] : [];
  });
}

function partsOf(limits: Limits): Record<string, bigint> {
  const parts = Object.entries(limits).flatMap(([name, limit]: [string, bigint | Band]) =>
    typeof limit === 'bigint'
      ? [[name, limit]]
      : [
          [`${name}.caution`, limit.caution],
          [`${name}.noGo`, limit.noGo],
        ],
  );
  return Object.fromEntries(parts);
}
