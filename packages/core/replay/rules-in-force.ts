import { z } from 'zod';
import { rulesVersion } from '../verdict/rules.ts';
import type { Line } from './line.ts';

/** A version of the rules, the seconds in which a deployment judged by it, and the release that replays it. */
export const ruling = z.strictObject({
  version: z.int(),
  from: z.int(),
  /** The first second in which it no longer held; absent for the one that holds now. */
  until: z.int().exactOptional(),
  release: z.string(),
});

type Ruling = z.output<typeof ruling>;

/**
 * Whether evidence was judged by the rules that its deployment had when it was issued: by others, earlier and weaker ones, a
 * trade that is refused today might pass.
 * @param version that the evidence names.
 * @param rulings of the deployment's record; empty if it lists none, so that only the newest is known.
 */
export function rulesLine(version: number, issuedAt: bigint, rulings: readonly Ruling[]): Line {
  const inForce = rulings.filter(
    ({ from, until }) => BigInt(from) <= issuedAt && (until === undefined || issuedAt < BigInt(until)),
  );
  const versions = rulings.length === 0 ? [rulesVersion] : inForce.map((each) => each.version);
  const [what, said] = ['rules in force', `${version}`];
  if (!versions.includes(version)) return { what, said, found: versions.join(' or ') || 'none' };
  if (version === rulesVersion) return { what, said, found: said };
  const release = inForce.find((each) => each.version === version)?.release;
  return { what, said, found: said, unchecked: `judged_by_rules_${version}: replay it by release ${release}.` };
}
