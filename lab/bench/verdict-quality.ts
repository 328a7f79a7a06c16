import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { revisionAtStart, today } from './record.ts';
import { hashOfInputs } from './verdict-quality/inputs.ts';
import { barsOf, type Committed, resultOf } from './verdict-quality/result.ts';
import { tables } from './verdict-quality/tables.ts';
import { type Part, type Setting, tasksOf } from './verdict-quality/tasks.ts';

// `npm run lab -- bench:verdict-quality`: honest markets in real hours, attacks over their magnitudes, a search for the worst
// stack, real events, and what waiting costs. Draws its seeds and prints them, and writes
// lab/bench/verdict-quality/result.json, from which `npm run lab -- figures` makes the tables of the docs. Exits with 1 if a
// bar is not passed. With `--seeds 1,2,3` or `--quick` it writes nothing.

const SEEDS = 3;

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const few = values.quick;
const setting: Setting = {
  rules: rulesVersion,
  seeds: values.seeds?.split(',').map(Number) ?? Array.from({ length: SEEDS }, () => randomInt(2 ** 32)),
  every: few ? 36 : 8,
  moments: few ? 10 : 50,
  hunts: few ? 4 : 10,
  steps: few ? 200 : 500,
};
const isCommitted = !few && values.seeds === undefined;

const start = performance.now();
// Hashes the files as the threads load them, in case they change while the threads work.
const inputs = hashOfInputs();
const count = tasksOf(setting).length;
const parts: Part[] = [];
let next = 0;
async function work(): Promise<void> {
  const worker = new Worker(new URL('./verdict-quality/worker.ts', import.meta.url), { workerData: setting });
  for (let at = next++; at < count; at = next++) {
    const answer = once(worker, 'message');
    worker.postMessage(at);
    [parts[at]] = (await answer) as [Part];
  }
  await worker.terminate();
}
await Promise.all(Array.from({ length: availableParallelism() }, work));

const made = { command: 'npm run lab -- bench:verdict-quality', revision: revisionAtStart, date: today() };
const result: Committed = { made, ...resultOf(setting, inputs, parts) };
for (const [name, table] of Object.entries(tables(result))) console.log(`\n${name}\n${table}`);
const bars = barsOf(result);
console.log(
  `\n${((performance.now() - start) / 1_000).toFixed(0)} s, rules ${setting.rules}, seeds ${setting.seeds.join(',')}`,
);
if (isCommitted) {
  const file = new URL('./verdict-quality/result.json', import.meta.url);
  writeFileSync(file, inLines(result));
}
if (bars.some(({ isPassed }) => !isPassed)) process.exitCode = 1;

/** JSON with each part of a list on its own line. */
function inLines(of: Committed): string {
  const parts = Object.entries(of).map(([name, value]) => {
    const text = Array.isArray(value)
      ? `[\n${value.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n ]`
      : JSON.stringify(value);
    return ` "${name}": ${text}`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}
