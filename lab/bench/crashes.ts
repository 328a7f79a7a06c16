// What guards would have saved in the real crashes of 2020 to 2026: loans at several healths against BTC, ETH and BNB,
// whose owner has no dollars, with guards that sell collateral at several maximum costs.
//
//   npm run lab -- bench:crashes [--paths 3] [--seed 1] [--record]
//
// A crash is a fall of 15 % within a day (crashes/crash.ts). Hourly data does not show what happens within an hour:
// prices between two closes are drawn, and two columns show harsher worlds.

import { parseArgs } from 'node:util';
import { SALE_COOLDOWN_SECONDS, SALE_COST_BPS } from '@bowline/core/domain/sale-terms';
import { allCrashes, type Crash } from './crashes/crash.ts';
import { outcomeOf } from './crashes/loan.ts';
import { drawnPath, type Market, marketOf, secondsOf, steppedPath } from './crashes/market.ts';
import { cooldowns, costs, type Measured, saved, type World } from './crashes/tables.ts';
import { HOUR } from './prices/prices.ts';
import { record } from './record.ts';
import { random } from './verdict-quality/random.ts';

const { values } = parseArgs({
  options: {
    paths: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    record: { type: 'boolean', default: false },
  },
});

const costsBps = [50, 100, SALE_COST_BPS, 300] as const;
const cooldownsSeconds = [0, 300, 900, 1_800, HOUR] as const;
/** Trigger and target, and healths at the start of a crash. */
const terms = [
  { trigger: 1.05, target: 1.15, healths: [1.15, 1.25, 1.4, 1.6] },
  { trigger: 1.1, target: 1.25, healths: [1.25, 1.4, 1.6] },
] as const;
/** Seconds from a feed's reading to its answer: usual, and on a crowded chain. */
const usual = [2, 8] as const;
const crowded = [55, 65] as const;

const crashes = allCrashes();
const measured: Measured[] = [];
for (const [index, crash] of crashes.entries()) {
  for (let path = 0; path < Number(values.paths); path += 1) {
    measure(crash, Number(values.seed) * 1_000_000 + index * 1_000 + path);
  }
  process.stderr.write(`\r${index + 1} of ${crashes.length} crashes`);
}
process.stderr.write('\n');

const tables = { crashes: saved(measured), crashcosts: costs(measured), crashcooldowns: cooldowns(measured) };
console.log(`${crashes.length} crashes`);
for (const [name, table] of Object.entries(tables)) record(values.record, 'crashes', table, name);

function measure(crash: Crash, seed: number): void {
  const seconds = secondsOf(crash);
  const drawn = drawnPath(crash, random(seed));
  const usually = marketOf(drawn, seconds, usual, random(seed));
  const worlds: [World, Market][] = [
    ['usual', usually],
    ['crowded', marketOf(drawn, seconds, crowded, random(seed))],
    ['stepped', marketOf(steppedPath(crash), seconds, usual, random(seed))],
  ];
  for (const { trigger, target, healths } of terms) {
    for (const health of healths) {
      for (const [world, market] of worlds) {
        const isEndangered = outcomeOf(market, health).isLiquidated;
        const last = market.protocol.at(-1) ?? 0;
        for (const [maxCostBps, cooldownSeconds] of guardsIn(world)) {
          const guarded = outcomeOf(market, health, { trigger, target, maxCostBps, cooldownSeconds });
          measured.push({
            trigger,
            target,
            health,
            world,
            maxCostBps,
            cooldownSeconds,
            last,
            isEndangered,
            ...guarded,
          });
        }
      }
    }
  }
}

/** Every cost at the page's cooldown, and every cooldown at the page's cost. */
function guardsIn(world: World): readonly (readonly [maxCostBps: number, cooldownSeconds: number])[] {
  const ofCosts = world === 'stepped' ? [SALE_COST_BPS] : costsBps;
  const others = cooldownsSeconds.filter((seconds) => seconds !== SALE_COOLDOWN_SECONDS);
  return [
    ...ofCosts.map((bps) => [bps, SALE_COOLDOWN_SECONDS] as const),
    ...others.map((seconds) => [SALE_COST_BPS, seconds] as const),
  ];
}
