// Stateless randomness: the same arguments always give the same number, and no number depends on an earlier one.

/** A number from -1 to 1 for three integers: the seed, the stream, and the index in the stream. */
function at(seed: number, stream: number, index: number): number {
  let bits = Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream, 0x85ebca6b) ^ Math.imul(index, 0xc2b2ae35);
  // Without rounds of shifts and products, neighbouring indexes would have similar numbers.
  for (const factor of [0x7feb352d, 0x846ca68b, 0x2c1b3c6d]) bits = Math.imul(bits ^ (bits >>> 16), factor);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 31 - 1;
}

/** A smooth wave from -1 to 1 that changes direction at random, about once per unit of `position`. */
export function wave(seed: number, stream: number, position: number): number {
  const index = Math.floor(position);
  const from = at(seed, stream, index);
  const to = at(seed, stream, index + 1);
  return from + (to - from) * smooth(position - index);
}

/** Smooth step from 0 to 1, flat at both ends. */
export const smooth = (share: number): number => share * share * (3 - 2 * share);
