import { writeFileSync } from 'node:fs';
import { onlyOptions } from '../world/options.ts';
import { gaps } from './gaps.ts';
import { fittedTo, measuresOf } from './verdict-quality/fit.ts';
import { secondOf, symbols } from './verdict-quality/history.ts';

// `npm run lab -- fit`: fits registry values to the hours in lab/bench/prices: limits of moves and volatility of each traded
// coin (limits.json), and how far its price usually moves within an hour (gaps.json).

// Without this, asking for help would rewrite the registry.
onlyOptions('npm run lab -- fit', {});
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
write('limits', Object.fromEntries(limits));
write('gaps', gaps());

/** Matches the formatter, which puts short objects on one line. */
function write(name: string, content: object): void {
  const text = JSON.stringify(content, null, 2).replaceAll(
    /\{\n\s+("caution": \d+),\n\s+("noGo": \d+)\n\s+\}/g,
    '{ $1, $2 }',
  );
  writeFileSync(new URL(`../../packages/core/registry/${name}.json`, import.meta.url), `${text}\n`);
}
