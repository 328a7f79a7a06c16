import type { Band, Limits } from '../domain/facts.ts';
import limits from './limits.json' with { type: 'json' };

/** Limits of each asset's own moves, by symbol, as `npm run lab -- fit` wrote them from its history. */
export const fittedLimits: ReadonlyMap<string, Pick<Limits, 'volatilityBps' | 'moveBps' | 'fittedHours'>> = new Map(
  Object.entries(limits).map(([symbol, { volatilityBps, moveBps, hours }]) => [
    symbol,
    { volatilityBps: bandOf(volatilityBps), moveBps: bandOf(moveBps), fittedHours: BigInt(hours) },
  ]),
);

function bandOf({ caution, noGo }: { readonly caution: number; readonly noGo: number }): Band {
  return { caution: BigInt(caution), noGo: BigInt(noGo) };
}
