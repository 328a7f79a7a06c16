import { scores } from './guard/score.ts';

// `npm run bench:guard -- 10000`: how the guard judges simulated markets, ordinary and attacked.

const count = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 1);
const start = performance.now();
const { honest, attacked } = scores(count, seed);
const share = (part: number) => `${((part / count) * 100).toFixed(2).padStart(6)} %`;
const row = (cells: readonly string[]) => console.log(`${(cells[0] ?? '').padEnd(42)}${cells.slice(1).join('  ')}`);

row([`${count} of each, seed ${seed}`, '      GO', ' CAUTION', '   NO_GO', ' NO_DATA', 'worst loss with GO']);
for (const { name, verdicts, worstLoss } of [...honest, ...attacked]) {
  const { GO, CAUTION, NO_GO, NO_DATA } = verdicts;
  row([name, share(GO), share(CAUTION), share(NO_GO), share(NO_DATA), `${(worstLoss * 100).toFixed(2)} %`]);
}
console.log(
  `${(((performance.now() - start) / (count * (honest.length + attacked.length))) * 1000).toFixed(0)} µs a verdict`,
);
