// How many loans their guards save when a price falls in one step and the liquidation rides in the protocol's own price
// update. The unchanged loan guard and its sending side run in virtual time (agent/test/sim), with 0 to 100 ms for a
// request to the node; a transaction that reaches the validator less than 50 ms before a block waits for the next one.
//
//   npm run lab -- bench:gap [--seeds 1000] [--from 1] [--break source]
//
// With `--break source` the agent knows of no guard's price source. Fails if by WebSocket less than the aim is saved of the
// loans whose guard has a target with room for the fall: health at the target, by the prices of before, must be above 1
// after it.

import { parseArgs } from 'node:util';
import { crashOf } from './gap/crash.ts';
import { causes, type Outcome } from './gap/outcome.ts';
import { type HeadsBy, simulateGap } from './gap/simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    break: { type: 'string' },
  },
});
const [seeds, from] = [values.seeds, values.from].map(Number) as [number, number];
const ignoresSources = values.break === 'source';
const aim = 0.95;

const isSaved = ({ lostBy }: Outcome): boolean => lostBy === undefined;
const percent = (count: number, all: number): string =>
  (all === 0 ? '' : `${((100 * count) / all).toFixed(1)} %`).padStart(9);

/** Prints and returns the share that was saved. */
function line(title: string, of: readonly Outcome[]): number {
  const saved = of.filter(isSaved).length;
  console.log(
    `  ${title.padEnd(46)}${String(saved).padStart(6)} of ${String(of.length).padStart(5)}${percent(saved, of.length)}`,
  );
  return saved / of.length;
}

/** Returns the share of the loans whose target has room for the fall. */
async function measure(headsBy: HeadsBy): Promise<number> {
  const outcomes: Outcome[] = [];
  for (let seed = from; seed < from + seeds; seed += 1) {
    outcomes.push(...(await simulateGap(crashOf(seed), { headsBy, ignoresSources })));
  }
  const heard = headsBy === 'websocket' ? 'WebSocket' : `polling every ${headsBy.pollMs} ms`;
  console.log(`${seeds} crashes that would liquidate ${outcomes.length} guarded loans; blocks by ${heard}; saved:`);
  const [naming, others] = [true, false].map((names) => outcomes.filter(({ namesFeed }) => namesFeed === names));
  line('guards that name no feed', others ?? []);
  for (const lead of [0, 1, 2, 3]) {
    const of = (naming ?? []).filter((each) => each.lead === lead);
    line(`that name the feed, which moved ${lead} block${lead === 1 ? '' : 's'} earlier`, of);
  }
  const early = (naming ?? []).filter(({ lead }) => lead >= 2);
  const falls = [0, 500, 1_000, 1_500, 2_000, 10_000];
  for (const [at, over] of falls.slice(0, -1).entries()) {
    const upTo = falls[at + 1] as number;
    const of = early.filter(({ fallBps }) => fallBps > over && fallBps <= upTo);
    line(`  two or more, in a fall of ${over / 100} to ${upTo / 100} %`, of);
  }
  line('two blocks or more, in all', early);
  for (const [cause, words] of Object.entries(causes)) {
    const count = early.filter(({ lostBy }) => lostBy === cause).length;
    if (count > 0) console.log(`    ${String(count).padStart(4)} lost ${percent(count, early.length)}  ${words}`);
  }
  return line(
    '  of those whose target has room for the fall',
    early.filter(({ lostBy }) => lostBy !== 'target' && lostBy !== 'atTarget'),
  );
}

const saved = await measure('websocket');
for (const pollMs of [100, 450]) {
  console.log('');
  await measure({ pollMs });
}
const isReached = saved >= aim;
console.log(
  `\nby WebSocket, of those whose target has room for the fall: aim ${aim * 100} % ${isReached ? 'reached' : 'missed'}`,
);
if (!isReached) process.exitCode = 1;
