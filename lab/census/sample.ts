import { createHash } from 'node:crypto';

/**
 * As many of these IDs as the typed `count` says, chosen by the seed.
 * @throws one line, if the count is not a whole number above 0.
 */
export function sampleOf(ids: readonly string[], count: string, seed: string): Set<string> {
  if (!/^[1-9]\d*$/.test(count)) throw new Error('--sample needs a number above 0');
  const order = (id: string) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return new Set([...ids].sort((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, Number(count)));
}
