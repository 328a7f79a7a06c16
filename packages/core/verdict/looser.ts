import type { Band, Limits } from '../domain/facts.ts';

/** A limit that accepts what the project's own would reject. */
export interface Looser {
  /** `costBps.noGo`. */
  readonly limit: string;
  readonly own: bigint;
  readonly usual: bigint;
}

/** The limits that are looser than the project's own: of every limit, less is stricter. */
export function looserLimits(project: Limits, limits: Limits): Looser[] {
  const usualParts = partsOf(project);
  return Object.entries(partsOf(limits)).flatMap(([limit, own]) => {
    const usual = usualParts[limit] ?? own;
    return own > usual ? [{ limit, own, usual }] : [];
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
