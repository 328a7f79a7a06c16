import type { TradedAsset } from '@bowline/core/domain/assets';
import type { Side } from '@bowline/core/domain/facts';
import { HOUR } from '../prices/prices.ts';
import { type Past, usdOfUsdt, wasOut } from './history.ts';
import { assetOf } from './moment.ts';
import type { Scene } from './scene.ts';

// The end of a real hour, with every source and the pool at its close: shows what the checks make of past prices alone.
// What sources said in that hour is unknown.

const CANDLES = 168;

export interface HourOf {
  readonly asset: TradedAsset;
  readonly past: Past;
  readonly at: number;
  readonly side: Side;
  /** USD per USDT; from the real price of USDC if not given. */
  readonly quoteUsd?: number;
}

/** Undefined where the hour is missing. */
export function neutralScene({ asset, past, at, side, quoteUsd = usdOfUsdt(at) }: HourOf): Scene | undefined {
  const close = past.hours.get(at)?.close;
  if (close === undefined || wasOut(at)) return undefined;
  const usd = close * quoteUsd;
  const closes: { at: number; close: number }[] = [];
  for (let hour = at - (CANDLES - 1) * HOUR; hour < at; hour += HOUR) {
    const before = past.hours.get(hour);
    if (before !== undefined && !wasOut(hour)) closes.push({ at: hour, close: before.close });
  }
  return {
    asset,
    quoteAsset: assetOf('BTCB').quoteAsset,
    side,
    sizeUsd: 1_000,
    blockAt: at + HOUR - 1,
    readAt: at + HOUR - 1,
    finalLag: 3,
    usd,
    quoteUsd,
    chainlink: { usd, age: 10, before: usd },
    ...feedPastOf(past, at, quoteUsd),
    venusUsd: usd,
    quoteFeed: { usd: quoteUsd, age: 300 },
    exchange: { mid: close, halfSpread: 0.000_02, offset: 0 },
    pyth: { usd, confidence: usd * 0.0003, age: 1 },
    pool: { spot: close, mean: close, depthUsd: 50e6, detour: 0, taxThere: 0, taxBack: 0 },
    closes,
  };
}

function feedPastOf({ hours }: Past, at: number, quoteUsd: number): Pick<Scene, 'feedPast'> {
  const [hourAgo, twoHoursAgo] = [hours.get(at - HOUR)?.close, hours.get(at - 2 * HOUR)?.close];
  if (hourAgo === undefined || twoHoursAgo === undefined) return {};
  return { feedPast: [hourAgo * quoteUsd, twoHoursAgo * quoteUsd] };
}
