import type { Proposal } from './facts.ts';
import type { Finding, Verdict } from './verdict.ts';

/**
 * Everything that a verdict follows from, and what it found: the text whose hash goes on chain and into tickets.
 * @param rules the version of those that it was judged by.
 */
export const evidenceOf = (rules: number, proposal: Proposal, verdict: Verdict, findings: readonly Finding[]): string =>
  canonicalJson({ rules, proposal, verdict, findings });

/**
 * JSON with one spelling: keys sorted, no spaces, bigint as decimal text, absent fields left out (RFC 8785 otherwise). Who
 * hashes the same facts gets the same hash.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
