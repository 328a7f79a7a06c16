/** A stream of numbers that a seed determines. */
export interface Random {
  /** In [0, 1). */
  unit(): number;
  /** A whole number in [0, n). */
  below(n: number): number;
  happens(probability: number): boolean;
}

/** Mulberry32: 32 bits of state, good enough for delays and ties. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { unit, below: (n) => Math.floor(unit() * n), happens: (probability) => unit() < probability };
}
