// Measures how far prices move in an hour: `npm run gaps -- BTCB=btc.csv.gz ETH=eth.csv.gz … --unit USDT`. Each file has
// the columns unix_seconds,high,low,close of hourly candles against the unit. Writes
//
//   packages/core/registry/gaps.json   the move that all but one in a thousand hours stay below, by asset
//   bench/gap/falls.json               every fall of 3 % or more, in basis points, for `npm run bench:gap`

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

const share = 0.999;
const hour = 3_600;
const fallsFromBps = 300;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { unit: { type: 'string' } } });
const inputs = positionals.map((each) => each.split('=') as [symbol: string, file: string]);
if (values.unit === undefined || inputs.length === 0 || inputs.some(({ length }) => length !== 2)) {
  throw new Error('usage: npm run gaps -- SYMBOL=FILE … --unit SYMBOL');
}

interface Candle {
  readonly time: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

function candlesOf(file: string): Candle[] {
  const bytes = readFileSync(file);
  const [, ...lines] = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n');
  return lines.map((line) => {
    const [time = Number.NaN, high = Number.NaN, low = Number.NaN, close = Number.NaN] = line.split(',').map(Number);
    if (!(time > 0 && low > 0 && high >= low && close >= low && close <= high)) throw new Error(`${file}: ${line}`);
    return { time, high, low, close };
  });
}

/** Moves from an hour's close to the next hour's low and high, in basis points; hours after a missing one are left out. */
function movesOf(candles: readonly Candle[]) {
  const falls: number[] = [];
  const rises: number[] = [];
  for (const [at, { time, high, low }] of candles.entries()) {
    const before = candles[at - 1];
    if (before === undefined || time - before.time !== hour) continue;
    falls.push((1 - low / before.close) * 10_000);
    rises.push((high / before.close - 1) * 10_000);
  }
  return { falls, rises };
}

/** Rounded up. */
function usualBps(moves: readonly number[]): number {
  const sorted = moves.toSorted((a, b) => a - b);
  return Math.max(0, Math.ceil(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN));
}

const dayOf = (time: number | undefined): string => new Date((time ?? Number.NaN) * 1000).toISOString().slice(0, 10);

const assets: Record<string, object> = {};
const tails: Record<string, number[]> = {};
for (const [symbol, file] of inputs) {
  const candles = candlesOf(file);
  const { falls, rises } = movesOf(candles);
  assets[symbol] = {
    fallBps: usualBps(falls),
    riseBps: usualBps(rises),
    hours: falls.length,
    from: dayOf(candles[0]?.time),
    to: dayOf(candles.at(-1)?.time),
  };
  tails[symbol] = falls
    .map(Math.floor)
    .filter((bps) => bps >= fallsFromBps)
    .sort((a, b) => a - b);
}
assets[values.unit] = { fallBps: 0, riseBps: 0 };

const write = (file: string, text: string) => writeFileSync(new URL(`../${file}`, import.meta.url), `${text}\n`);
write('packages/core/registry/gaps.json', JSON.stringify({ unit: values.unit, share, assets }, undefined, 2));
// One line an asset.
const lines = Object.entries(tails).map(([symbol, falls]) => `  ${JSON.stringify(symbol)}: [${falls.join(', ')}]`);
write('bench/gap/falls.json', `{\n${lines.join(',\n')}\n}`);
