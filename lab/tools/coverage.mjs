// `npm run lab -- coverage`: reports which lines and branches of contracts/ the unit tests and the tests on the protocols' own
// code reach together. Exits with 1 unless they reach all. Excludes contracts/lens, which is never deployed:
// packages/chain/test/market-reader.test.ts and test/unit/PermissionsLens.t.sol run it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, '.cache', 'coverage');
const report = join(folder, 'lcov.info');

// A separate build: coverage disables the optimizer, which makes the registry larger than a contract may be.
// All contracts use one compiler profile: without an optimizer, forge finds none that satisfies foundry.toml's restrictions.
const settings = [
  `FOUNDRY_OUT=${folder}/out`,
  `FOUNDRY_CACHE_PATH=${folder}/cache`,
  'FOUNDRY_COMPILATION_RESTRICTIONS=[]',
  'FOUNDRY_ADDITIONAL_COMPILER_PROFILES=[]',
];
const runs = [
  // Excludes a test that bounds the gas of optimized code.
  [
    ...['lab/tools/foundry.mjs', ...settings, 'forge', 'coverage'],
    ...['--no-match-path', 'test/{fork,gas,invariant}/**', '--no-match-test', 'test_OneMorePlanCostsLittle'],
  ],
  ['lab/world/fork-tests.ts', ...settings, 'coverage'],
];

/** How often each line and each side of each branch was taken in all runs. @type {Map<string, number>} */
const taken = new Map();
mkdirSync(folder, { recursive: true });
for (const words of runs) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...words, '--report', 'lcov', '--report-file', report],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  if (status !== 0) {
    console.error(`${stdout}${stderr}`);
    process.exit(1);
  }
  for (const record of readFileSync(report, 'utf8').split('end_of_record')) {
    const file = relative(root, join(root, /^SF:(.*)$/m.exec(record)?.[1] ?? ''));
    if (!file.startsWith('contracts') || file.startsWith('contracts/lens')) continue;
    for (const [, kind, at, count] of record.matchAll(/^(DA|BRDA):([\d,]+),(\d+|-)$/gm)) {
      const key = `${file} ${kind} ${at}`;
      taken.set(key, (taken.get(key) ?? 0) + (Number(count) || 0));
    }
  }
}

const unreached = [...taken].filter(([, count]) => count === 0).map(([key]) => key.split(' '));
for (const [file, kind, at] of unreached) {
  console.log(`${file}:${at?.split(',')[0]} ${kind === 'DA' ? 'is not reached' : 'takes only one branch'}`);
}
console.log(`${taken.size} lines and branches, ${unreached.length} not reached`);
process.exitCode = unreached.length === 0 ? 0 : 1;
