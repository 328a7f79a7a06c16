import { writeFileSync } from 'node:fs';
import { onlyOptions } from '../world/options.ts';
import { fittedTo, measuresOf } from './verdict-quality/fit.ts';
import { secondOf, symbols } from './verdict-quality/history.ts';

// `npm run lab -- fit`: limits of moves and volatility of each traded coin, from its hours in lab/bench/prices, into the registry.

// Whoever asks for help would find the registry written anew.
onlyOptions('npm run lab -- fit', {});
const file = new URL('../../packages/core/registry/limits.json', import.meta.url);
const FROM = secondOf('2020-01-01');
const day = (second: number) => new Date(second * 1_000).toISOString().slice(0, 10);

const limits = symbols.map((symbol) => {
  const measures = measuresOf(symbol, FROM, Number.POSITIVE_INFINITY);
  const { first, last, hours } = measures;
  const { volatilityBps, moveBps } = fittedTo(measures);
  return [symbol, { volatilityBps, moveBps, from: day(first), fitted: day(last), hours }] as const;
});
for (const [symbol, { volatilityBps, moveBps, hours }] of limits) {
  const inWords = ({ caution, noGo }: { caution: number; noGo: number }) => `${caution / 100} / ${noGo / 100} %`;
  console.log(`${symbol}: volatility ${inWords(volatilityBps)}, move ${inWords(moveBps)}, of ${hours} hours`);
}
const lines = limits.map(([symbol, { volatilityBps, moveBps, from, fitted, hours }]) => {
  const band = ({ caution, noGo }: { caution: number; noGo: number }) => `{ "caution": ${caution}, "noGo": ${noGo} }`;
  return `  "${symbol}": {
    "volatilityBps": ${band(volatilityBps)},
    "moveBps": ${band(moveBps)},
    "from": "${from}",
    "fitted": "${fitted}",
    "hours": ${hours}
  }`;
});
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
