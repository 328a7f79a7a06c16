// `npm run lab -- agree --cases N`: plays random plans, guards, loans, balances, approvals, times and prices with the
// project's own contracts on one anvil, and compares everything that reports on them: the page's model, the notices, the
// tools, the executor, the keeper, the audit, the drafts of page, tools and SDK, and the rules in core. Exits with 1 at
// the first case in which two answers differ, which `--seed` repeats.
import { parseArgs } from 'node:util';
import { firstDisagreement } from './cases.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
});
const [cases, from] = [Number(values.cases), Number(values.seed)];
const found = await firstDisagreement(cases, from);
if (found === undefined) {
  console.log(`${cases} cases from seed ${from}: no two answers differ.`);
} else {
  console.error(`case ${found.seed}:\n${found.wrong.map((each) => `  ${each}`).join('\n')}`);
  console.error(`Again: npm run lab -- agree --cases 1 --seed ${found.seed}`);
  process.exitCode = 1;
}
