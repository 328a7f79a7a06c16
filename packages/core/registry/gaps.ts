import type { UsualMove } from '../domain/gap.ts';
import gaps from './gaps.json' with { type: 'json' };

// Made by `npm run lab -- fit`.

/** One hour in this many has a larger move than the usual one. */
export const usualMoveHours: number = Math.round(1 / (1 - gaps.share));

const moves: ReadonlyMap<string, UsualMove> = new Map(
  Object.entries(gaps.assets).map(([symbol, { fallBps, riseBps }]) => [symbol, { fallBps, riseBps }]),
);

/** Undefined for an asset whose prices have not been measured. */
export const usualMoveOf = (symbol: string): UsualMove | undefined => moves.get(symbol);
