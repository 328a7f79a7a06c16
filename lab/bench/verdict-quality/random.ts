/**
 * Numbers from a seed, the same on every machine: mulberry32. Good enough to simulate markets, and for nothing else.
 */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  between(low: number, high: number): number;
  /** Normally distributed, mean 0 and deviation 1 (Box and Muller). */
  normal(): number;
  chance(probability: number): boolean;
  /** From Student's distribution with 4 degrees of freedom, scaled to deviation 1 (Bailey's polar method). */
  heavy(): number;
  /** Log-uniform: 10 to 100 is as likely as 100 to 1,000. */
  log(low: number, high: number): number;
}

export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const heavy = () => {
    for (;;) {
      const [u, v] = [2 * next() - 1, 2 * next() - 1];
      const square = u * u + v * v;
      if (square === 0 || square >= 1) continue;
      // Its variance is 4 / (4 - 2).
      return (u * Math.sqrt((4 * (square ** -0.5 - 1)) / square)) / Math.SQRT2;
    }
  };
  return {
    next,
    heavy,
    log: (low, high) => low * (high / low) ** next(),
    between: (low, high) => low + (high - low) * next(),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    chance: (probability) => next() < probability,
  };
}
