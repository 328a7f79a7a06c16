import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Hour, pack } from './prices/prices.ts';

// `node lab/bench/pack-prices.ts FOLDER`: packs each `COIN-usdt-1h.csv.gz` of the folder (opening time in unix seconds, high,
// low, close; a header) into lab/bench/prices/COIN.gz.

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of the candles: node lab/bench/pack-prices.ts FOLDER');

for (const file of readdirSync(folder)) {
  const coin = /^([a-z]+)-usdt-1h\.csv\.gz$/.exec(file)?.[1];
  if (coin === undefined) continue;
  const [, ...lines] = gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .trim()
    .split('\n');
  const decimals = lines
    .join(',')
    .split(',')
    .reduce((most, cell) => Math.max(most, cell.split('.')[1]?.length ?? 0), 0);
  const hours: Hour[] = lines.map((line) => {
    const [at = 0, high = 0, low = 0, close = 0] = line.split(',').map(Number);
    return { at, high, low, close };
  });
  const packed = pack(hours, decimals);
  writeFileSync(new URL(`prices/${coin}.gz`, import.meta.url), packed);
  process.stdout.write(`${coin}: ${hours.length} hours, ${decimals} decimals, ${packed.length} bytes\n`);
}
