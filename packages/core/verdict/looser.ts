import type { Band, Limits } from '../domain/facts.ts';

/** A limit that accepts what the project's own would reject. */
export interface Looser {
  /** `poolBps.noGo`. */
  readonly limit: string;
  readonly own: bigint;
  readonly usual: bigint;
}

/** Periods in which something counts as new: longer is stricter. For all other limits, less is stricter. */
const strictWhenLong: readonly string[] = ['multiplierSeconds', 'openingSeconds'] satisfies (keyof Limits)[];

/** The limits that are looser than the project's own. */
export function looserLimits(project: Limits, limits: Limits): Looser[] {
  const usualParts = partsOf(project);
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
