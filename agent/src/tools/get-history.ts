import { candleIntervals } from '@bowline/core/domain/market-data';
import { toIsoTime } from '@bowline/core/domain/readable';
import { BowlineError } from '@bowline/core/domain/result';
import { BPS, formatUnits, formatUsd, mulDivDown } from '@bowline/core/domain/units';
import { z } from 'zod';
import { assetInput, decimal, defineTool, findAsset, integer, isoTime } from './schemas.ts';

export const getHistory = defineTool({
  name: 'get_history',
  title: 'Price history',
  description: 'Exchange candles of an asset in USDT, oldest first, with change, high and low of the whole period.',
  effect: 'read',
  input: z.strictObject({
    asset: assetInput,
    interval: z.enum(candleIntervals).default('1h'),
    count: z.number().int().min(2).max(500).default(24),
  }),
  output: z.object({
    asset: z.string(),
    interval: z.enum(candleIntervals),
    first: decimal,
    last: decimal,
    high: decimal,
    low: decimal,
    change_bps: integer.describe('Last against first, 1/10,000.'),
    candles: z.array(
      z.object({ time: isoTime, open: decimal, high: decimal, low: decimal, close: decimal, volume: decimal }),
    ),
  }),
  async run({ asset: name, interval, count }, context) {
    const asset = findAsset(context, name);
    if (context.exchange === undefined || asset.exchangePair === undefined) {
      throw new BowlineError('market_unavailable', `No price history of ${asset.symbol} is available.`);
    }
    const { candles, broken = 0 } = await context.exchange.candles(asset.exchangePair, interval, count);
    const [first, last] = [candles[0], candles.at(-1)];
    if (first === undefined || last === undefined || first.openWad === 0n || broken > 0) {
      throw new BowlineError('market_unavailable', `The exchange has no history of ${asset.symbol}.`, {
        retryable: true,
      });
    }
    const high = candles.reduce((max, { highWad }) => (highWad > max ? highWad : max), first.highWad);
    const low = candles.reduce((min, { lowWad }) => (lowWad < min ? lowWad : min), first.lowWad);
    return {
      asset: asset.symbol,
      interval,
      first: formatUsd(first.openWad),
      last: formatUsd(last.closeWad),
      high: formatUsd(high),
      low: formatUsd(low),
      change_bps: mulDivDown(last.closeWad - first.openWad, BPS, first.openWad).toString(),
      candles: candles.map((candle) => ({
        time: toIsoTime(candle.openedAt),
        open: formatUnits(candle.openWad, 18),
        high: formatUnits(candle.highWad, 18),
        low: formatUnits(candle.lowWad, 18),
        close: formatUnits(candle.closeWad, 18),
        volume: formatUnits(candle.volumeWad, 18),
      })),
    };
  },
});
