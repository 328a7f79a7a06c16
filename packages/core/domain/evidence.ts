import type { Proposal } from './facts.ts';
import type { Finding, Verdict } from './verdict.ts';

/**
 * The evidence of a verdict: everything it follows from and what it found. The hash of this text goes on chain and into
 * tickets.
 * @param rules version of the rules it was judged by.
 */
export const evidenceOf = (rules: number, proposal: Proposal, verdict: Verdict, findings: readonly Finding[]): string =>
  canonicalJson({ rules, proposal, verdict, findings });

/**
 * JSON with a single spelling: sorted keys, no spaces, bigint as decimal text, absent fields left out (otherwise RFC
 * 8785). The same facts always give the same hash.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) {
    let items = '';
    for (const [at, item] of value.entries()) items += `${at > 0 ? ',' : ''}${canonicalJson(item)}`;
    return `[${items}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let fields = '';
  // Sorts by UTF-16 code units, as RFC 8785 requires.
  for (const key of Object.keys(value).sort()) {
    const field: unknown = value[key as keyof typeof value];
    if (field === undefined) continue;
    // Most keys are plain, and quoting them takes a tenth of JSON.stringify's time.
    const name = PLAIN.test(key) ? `"${key}"` : JSON.stringify(key);
    fields += `${fields && ','}${name}:${canonicalJson(field)}`;
  }
  return `{${fields}}`;
}

const PLAIN = /^\w+$/;
