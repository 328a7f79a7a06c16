import type { Band, Limits } from '../domain/facts.ts';

/** A limit that accepts what the project's own would reject. */
export interface Looser {
  /** `costBps.noGo`. */
  readonly limit: string;
  readonly own: bigint;
  readonly usual: bigint;
}

/** The limits that are looser than the project's own. For every limit, lower is stricter. */
export function looserLimits(project: Limits, limits: Limits): Looser[] {
  const usual = new Map(partsOf(project));
  return partsOf(limits)
    .map(([limit, own]) => ({ limit, own, usual: usual.get(limit) ?? own }))
    .filter((each) => each.own > each.usual);
}

const partsOf = (limits: Limits): [string, bigint][] =>
  Object.entries(limits).flatMap(([name, limit]: [string, bigint | Band]): [string, bigint][] =>
    typeof limit === 'bigint'
      ? [[name, limit]]
      : Object.entries(limit).map(([part, value]) => [`${name}.${part}`, value]),
  );
