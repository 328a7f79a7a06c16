// Randomness that can be asked anywhere: the same question always has the same answer, and no answer needs the one before.

/** A number from -1 to 1 for whole numbers: the seed, which of its streams, and where in it. */
function at(seed: number, stream: number, index: number): number {
  let bits = Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream, 0x85ebca6b) ^ Math.imul(index, 0xc2b2ae35);
  // Without rounds of shifts and products, neighbours would have similar numbers.
  for (const factor of [0x7feb352d, 0x846ca68b, 0x2c1b3c6d]) bits = Math.imul(bits ^ (bits >>> 16), factor);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 31 - 1;
}

/** A smooth wave from -1 to 1 that turns at random about once in a unit of `position`. */
export function wave(seed: number, stream: number, position: number): number {
  const index = Math.floor(position);
  const from = at(seed, stream, index);
  const to = at(seed, stream, index + 1);
  return from + (to - from) * smooth(position - index);
}

/** From 0 to 1, level at both ends. */
export const smooth = (share: number): number => share * share * (3 - 2 * share);
