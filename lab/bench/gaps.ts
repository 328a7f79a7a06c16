// Measures how far prices move in an hour: `npm run lab -- gaps BTCB=btc.csv.gz ETH=eth.csv.gz … --unit USDT`. Each file has
// the columns unix_seconds,high,low,close of hourly candles against the unit. Writes
//
//   packages/core/registry/gaps.json   the move that all but one in a thousand hours stay below, by asset
//   lab/bench/gap/falls.json               every fall of 3 % or more, in basis points, for `npm run lab -- bench:gap`

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { candlesOf, movesOf, share, usualBps } from './gaps/measure.ts';

const fallsFromBps = 300;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { unit: { type: 'string' } } });
const inputs = positionals.map((each) => each.split('=') as [symbol: string, file: string]);
if (values.unit === undefined || inputs.length === 0 || inputs.some(({ length }) => length !== 2)) {
  throw new Error('usage: npm run lab -- gaps SYMBOL=FILE … --unit SYMBOL');
}

const read = (file: string): string => {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
};
const dayOf = (time: number | undefined): string => new Date((time ?? Number.NaN) * 1000).toISOString().slice(0, 10);

const assets: Record<string, object> = {};
const tails: Record<string, number[]> = {};
for (const [symbol, file] of inputs) {
  const candles = candlesOf(read(file));
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

const write = (file: string, text: string) => writeFileSync(new URL(`../../${file}`, import.meta.url), `${text}\n`);
write('packages/core/registry/gaps.json', JSON.stringify({ unit: values.unit, share, assets }, undefined, 2));
// One line an asset.
const lines = Object.entries(tails).map(([symbol, falls]) => `  ${JSON.stringify(symbol)}: [${falls.join(', ')}]`);
write('lab/bench/gap/falls.json', `{\n${lines.join(',\n')}\n}`);
