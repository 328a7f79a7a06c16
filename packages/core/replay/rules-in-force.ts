import type { Ruling } from '../registry/address-book.ts';
import { rulesVersion } from '../verdict/rules.ts';
import type { Line } from './line.ts';

/**
 * Whether evidence was judged by the rules that its deployment had when it was issued: earlier, weaker rules might pass
 * a trade that is refused today.
 * @param version the version that the evidence names.
 * @param rulings of the deployment's record; empty if it lists none: then only the newest version is known.
 */
export function rulesLine(version: number, issuedAt: bigint, rulings: readonly Ruling[]): Line {
  const inForce = inForceAt(issuedAt, rulings);
  const versions = rulings.length === 0 ? [rulesVersion] : inForce.map((each) => each.version);
  const [what, said] = ['rules in force', `${version}`];
  if (!versions.includes(version)) return { what, said, found: versions.join(' or ') || 'none' };
  if (version === rulesVersion) return { what, said, found: said };
  const release = releaseOf(version, issuedAt, rulings);
  return { what, said, found: said, unchecked: `judged_by_rules_${version}: replay it with release ${release}.` };
}

/** The release that replays a version that was in force then; undefined for any other version. */
export const releaseOf = (version: number, at: bigint, rulings: readonly Ruling[]): string | undefined =>
  inForceAt(at, rulings).find((each) => each.version === version)?.release;

const inForceAt = (at: bigint, rulings: readonly Ruling[]) =>
  rulings.filter(({ from, until }) => BigInt(from) <= at && (until === undefined || at < BigInt(until)));
