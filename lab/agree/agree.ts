// `npm run lab -- agree --cases N`: random plans and guards, with balances, allowances and times, through everything that tells of
// them: the page's model, the notices, the tools, the executor and the rules in core. Each answer must be the one that the
// contracts' own rules give, played second by second and unit by unit. Without a chain. Exits with 1 at the first
// differing case, which `--seed` repeats.
import { parseArgs } from 'node:util';
import { disagreementsOf } from './cases.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
});
const [cases, from] = [Number(values.cases), Number(values.seed)];
for (let seed = from; seed < from + cases; seed++) {
  const wrong = await disagreementsOf(seed);
  if (wrong.length === 0) continue;
  console.error(`case ${seed}:\n${wrong.map((each) => `  ${each}`).join('\n')}`);
  console.error(`Again: npm run lab -- agree --cases 1 --seed ${seed}`);
  process.exit(1);
}
console.log(`${cases} cases from seed ${from}: no two answers differ.`);
