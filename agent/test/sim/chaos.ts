// `npm run test:chaos`: runs the agent through stories of faults in virtual time and says what broke.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { checkSeed, storyOf, traceSeed } from './check-story.ts';
import type { Invariant } from './invariants.ts';
import { limits } from './limits.ts';
import { tell } from './story.ts';
import { describe, merge, newSummary, type Summary } from './summary.ts';

const { values } = parseArgs({
  options: {
    /** How many stories. */
    seeds: { type: 'string', default: '300' },
    /** The first one's seed. */
    from: { type: 'string', default: '1' },
    /** This story alone. */
    seed: { type: 'string' },
    /** With --seed: prints each log line at info and above, or with `--trace debug` all. */
    trace: { type: 'string' },
    /** Explains seeds by what breaks this invariant. */
    invariant: { type: 'string' },
    workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});

/** Real time for making the story of a failing seed smaller. */
const shrinkMs = 20_000;

if (values.seed !== undefined) await replay(Number(values.seed));
else await all(Number(values.from), Number(values.seeds), Number(values.workers));

async function replay(seed: number): Promise<void> {
  console.log(tell(storyOf(seed)));
  const { trace, violations } = await traceSeed(seed, { limits, trace: values.trace === 'debug' ? 'debug' : 'info' });
  if (values.trace !== undefined) console.log(`\n${trace.join('\n')}`);
  await explain(seed, values.invariant as Invariant | undefined);
  if (violations.length > 0) process.exitCode = 1;
}

async function all(from: number, count: number, workers: number): Promise<void> {
  const start = performance.now();
  const sum = newSummary();
  await Promise.all(
    Array.from({ length: workers }, async (_, at) => {
      const part = await summarised({ from: from + at, to: from + count, step: workers });
      merge(sum, part);
    }),
  );
  console.log(describe(sum));
  console.log(`${((performance.now() - start) / 1000).toFixed(0)} s by ${workers} workers`);
  if (sum.broken.size > 0) process.exitCode = 1;
  for (const [invariant, seeds] of sum.broken) await explain(Math.min(...seeds), invariant);
}

function summarised(workerData: { from: number; to: number; step: number }): Promise<Summary> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./seeds-worker.ts', import.meta.url), { workerData });
    worker.once('message', resolve).once('error', reject);
  });
}

/** Prints what a seed breaks, and the smallest story found that breaks it, too. */
async function explain(seed: number, invariant?: Invariant): Promise<void> {
  const { report, shrunk } = await checkSeed(seed, { limits, invariant, shrinkMs });
  if (shrunk === undefined) return console.log(`\nSeed ${seed} breaks nothing.`);
  const told = (violations: typeof report.violations) =>
    violations
      .map(({ invariant, atMs, detail }) => `  ${(atMs / 1000).toFixed(1)} s  ${invariant}  ${detail}`)
      .join('\n');
  console.log(`\nSeed ${seed} breaks\n${told(report.violations)}`);
  console.log(`and so does this story:\n${tell(shrunk.story)}\n${told(shrunk.violations)}`);
  console.log(`npm run test:chaos -- --seed ${seed} --trace info`);
}
