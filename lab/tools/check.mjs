// `npm run check`: every static check of the checkout. Prints one line per step; a failing step also prints its output
// and the remedy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Five times as fast as the compiler of the package `typescript`, whose API dependency-cruiser needs. */
const compiler = 'node node_modules/typescript-native/bin/tsc';

/**
 * Slowest first.
 * @type {{ name: string, command: string, remedy: string, isShown?: boolean }[]}
 */
const steps = [
  { name: 'types', command: compiler, remedy: 'fix the types' },
  { name: 'types of the page', command: `${compiler} -p web/app`, remedy: 'fix the types' },
  {
    name: 'contracts build, and abis/ is up to date',
    command: 'node lab/tools/abis.mjs --check',
    remedy: 'fix the contracts; if they changed on purpose, npm run abis and commit abis/',
  },
  {
    name: 'compiled contracts are of their sources',
    command: 'node lab/world/write-compiled.ts --check',
    remedy: 'npm run abis, and commit script/compiled',
  },
  {
    name: 'Solidity format',
    command: 'node lab/tools/foundry.mjs forge fmt --check contracts script test packages/sdk/solidity examples',
    remedy: 'npm run format',
  },
  {
    name: 'TypeScript format and lint',
    command: 'biome ci --colors=off',
    remedy: 'npm run format, then fix what is left',
  },
  {
    name: 'imports',
    command: 'node lab/tools/check-imports.mjs',
    remedy: 'follow the import table in .dependency-cruiser.mjs',
  },
  {
    name: 'vectors shared by Solidity and TypeScript',
    command: 'node lab/tools/vectors.mjs',
    remedy: 'if the libraries changed on purpose, node lab/tools/vectors.mjs --write, and commit test/vectors',
  },
  {
    name: 'reasons',
    command: 'node lab/tools/reasons.ts --check',
    remedy: 'fix the named row, then npm run lab -- reasons',
  },
  {
    name: 'figures',
    command: 'node lab/bench/figures.ts --check',
    remedy: 'npm run lab -- bench:verdict-quality where its inputs have changed, then npm run lab -- figures',
  },
  { name: 'settings', command: 'node lab/tools/settings.ts --check', remedy: 'npm run lab -- settings' },
  { name: 'promises', command: 'node test/checks/promises.mjs', remedy: 'cite it in a test' },
  { name: 'addresses in Solidity', command: 'node test/checks/addresses.ts', remedy: 'correct script/*.sol' },
  { name: 'texts of the page', command: 'node test/checks/texts.ts', remedy: 'put them into web/app/words' },
  { name: 'runbook', command: 'node test/checks/runbook.ts', remedy: 'mend docs/runbook.md' },
  {
    name: "mutants' lists",
    command: 'node lab/census/contracts.mjs --check',
    remedy: 'make each entry of test/mutants match its contract, and give a new contract a list',
  },
  {
    name: 'rooms',
    command: 'node lab/main.ts rooms',
    remedy: 'delete first, or raise the room in lab/rooms/rooms.json with the reason in the commit',
    isShown: true,
  },
  {
    name: 'lists of the census',
    command: 'node lab/main.ts census --check',
    remedy:
      'make each entry of lab/census/mutants and agent/test/sim/breaks.ts match the code, or replace it by its twin in the new code',
  },
  { name: 'unused code and dependencies', command: 'knip', remedy: 'delete it' },
  { name: 'lock file', command: 'node lab/tools/complete-lock.ts --check', remedy: 'npm run lock' },
];

const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);

/**
 * @param {(typeof steps)[number]} step
 * @returns {Promise<boolean>} whether it passed
 */
async function run({ name, command, remedy, isShown }) {
  const start = performance.now();
  const child = spawn(command, {
    cwd: root,
    env: { ...process.env, PATH: path, NO_COLOR: '1' },
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`);
  if (code !== 0) console.log(`\n$ ${command}\n${output}\nTo do: ${remedy}\n`);
  else if (isShown) shown.push(output);
  return code === 0;
}

/** @type {string[]} Output of passed steps that is shown in addition. */
const shown = [];

// The steps are independent, and most use one core: run as many at a time as there are cores.
const queue = [...steps];
let failed = 0;
const work = Array.from({ length: Math.min(availableParallelism(), queue.length) }, async () => {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) if (!(await run(step))) failed += 1;
});
await Promise.all(work);
for (const output of shown) console.log(`\n${output.trimEnd()}`);
if (failed > 0) {
  console.log(`${failed} of ${steps.length} checks failed`);
  process.exitCode = 1;
}
