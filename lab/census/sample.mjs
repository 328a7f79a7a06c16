import { createHash } from 'node:crypto';

/**
 * As many of these IDs as `count` says, chosen by the seed.
 * @param {readonly string[]} ids
 * @param {string} count as it is typed
 * @param {string} seed
 * @returns {Set<string>}
 * @throws {Error} one line, if the count is not a whole number above 0.
 */
export function sampleOf(ids, count, seed) {
  if (!/^[1-9]\d*$/.test(count)) throw new Error('--sample needs a number above 0');
  const order = (/** @type {string} */ id) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return new Set([...ids].sort((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, Number(count)));
}
