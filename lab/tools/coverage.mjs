// `npm run lab -- coverage`: reports which lines and branches of contracts/ the unit tests reach. Exits 1 unless they reach
// all. Excludes contracts/lens, which is never deployed: packages/chain/test/market-reader.test.ts and
// test/unit/PermissionsLens.t.sol run it. Excludes the adapter of Moolah and its base,
// which test/fork/RescueMorpho.t.sol runs on Morpho's own code.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, '.cache', 'coverage');
const report = join(folder, 'lcov.info');

// A separate build: coverage disables the optimizer, which makes the registry larger than a contract may be.
// With one profile of the compiler for all: forge finds none that satisfies foundry.toml's restrictions without an optimizer.
const settings = [
  `FOUNDRY_OUT=${folder}/out`,
  `FOUNDRY_CACHE_PATH=${folder}/cache`,
  'FOUNDRY_COMPILATION_RESTRICTIONS=[]',
  'FOUNDRY_ADDITIONAL_COMPILER_PROFILES=[]',
];
// That test bounds gas, which is of the optimized code.
const tests = ['--no-match-path', 'test/{fork,gas,invariant}/**', '--no-match-test', 'test_OneMorePlanCostsLittle'];

mkdirSync(folder, { recursive: true });
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  ['lab/tools/foundry.mjs', ...settings, 'forge', 'coverage', ...tests, '--report', 'lcov', '--report-file', report],
  { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 },
);
if (status !== 0) {
  console.error(`${stdout}${stderr}`);
  process.exit(1);
}

let missing = 0;
for (const record of readFileSync(report, 'utf8').split('end_of_record')) {
  const file = relative(root, join(root, /^SF:(.*)$/m.exec(record)?.[1] ?? ''));
  if (!file.startsWith('contracts') || file.startsWith('contracts/lens')) continue;
  if (/^contracts\/lending\/(Morpho|Moolah)Market\.sol$/.test(file)) continue;
  const lines = [...record.matchAll(/^DA:(\d+),(\d+)/gm)];
  const branches = [...record.matchAll(/^BRDA:(\d+),\d+,\d+,(\S+)/gm)];
  const unreached = [
    ...lines.filter(([, , count]) => count === '0').map(([, line]) => `${file}:${line} is not reached`),
    ...branches
      .filter(([, , count]) => count === '0' || count === '-')
      .map(([, line]) => `${file}:${line} takes only one branch`),
  ];
  missing += unreached.length;
  console.log(`${file}: ${lines.length} lines, ${branches.length} branches, ${unreached.length} not reached`);
  for (const sentence of unreached) console.log(`  ${sentence}`);
}
process.exitCode = missing === 0 ? 0 : 1;
