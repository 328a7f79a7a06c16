import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { kinds, type Score } from './verdict-accuracy/score.ts';

// `npm run bench:verdict-accuracy -- 10000`: verdicts on simulated markets, ordinary and attacked; uses every core.

const count = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 1);
const start = performance.now();
const share = (part: number) => `${((part / count) * 100).toFixed(2).padStart(6)} %`;
const row = (cells: readonly string[]) => console.log(`${(cells[0] ?? '').padEnd(50)}${cells.slice(1).join('  ')}`);

const scores: Score[] = [];
let next = 0;
async function work(): Promise<void> {
  const worker = new Worker(new URL('./verdict-accuracy/worker.ts', import.meta.url));
  for (let at = next++; at < kinds.length; at = next++) {
    const answer = once(worker, 'message');
    worker.postMessage({ at, count, seed });
    [scores[at]] = (await answer) as [Score];
  }
  await worker.terminate();
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
const seconds = (performance.now() - start) / 1_000;

row([`${count} of each, seed ${seed}`, '      GO', ' CAUTION', '   NO_GO', ' NO_DATA', 'worst loss with GO']);
for (const { name, verdicts, worstLoss } of scores) {
  const { GO, CAUTION, NO_GO, NO_DATA } = verdicts;
  row([name, share(GO), share(CAUTION), share(NO_GO), share(NO_DATA), `${(worstLoss * 100).toFixed(2)} %`]);
}
const [honest, attacked] = [scores.filter(({ isHonest }) => isHonest), scores.filter(({ isHonest }) => !isHonest)];
const sum = (of: readonly Score[]) => of.reduce((all, { verdicts }) => all + verdicts.GO, 0);
console.log(`
false "fair": ${sum(attacked)} of ${attacked.length * count}
false "unfair": ${honest.length * count - sum(honest)} of ${honest.length * count}
${kinds.length * count} verdicts in ${seconds.toFixed(1)} s, ${((seconds / (kinds.length * count)) * 1e6).toFixed(0)} µs each`);
