// `npm run check`: everything about the checkout that can be known without running it. One line per step; a step that
// fails shows its output and what to do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The longest first. */
const steps = [
  { name: 'types', command: 'tsc', remedy: 'mend the types' },
  { name: 'types of the page', command: 'tsc -p web/app', remedy: 'mend the types' },
  {
    name: 'contracts build, and abis/ is theirs',
    command: 'node tools/abis.mjs --check',
    remedy: 'mend the contracts; if they changed on purpose, npm run abis and commit abis/',
  },
  {
    name: 'Solidity format',
    command: 'node tools/foundry.mjs forge fmt --check',
    remedy: 'npm run format',
  },
  {
    name: 'TypeScript format and lint',
    command: 'biome ci --colors=off',
    remedy: 'npm run format, then mend what is left',
  },
  {
    name: 'imports',
    command: 'node tools/check-imports.mjs',
    remedy: 'keep to the import table in .dependency-cruiser.mjs',
  },
  { name: 'reasons', command: 'node tools/reasons.mjs --check', remedy: 'mend the named row, then npm run reasons' },
  { name: 'settings', command: 'tsx script/settings.ts --check', remedy: 'npm run settings' },
  {
    name: 'nothing left to fill in',
    command: 'node tools/new.mjs --check',
    remedy: 'fill in what npm run new left open',
  },
  { name: 'unused code and dependencies', command: 'knip', remedy: 'delete what nothing uses' },
  { name: 'lock file', command: 'node tools/complete-lock.mjs --check', remedy: 'npm run lock' },
];

const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);

/**
 * @param {(typeof steps)[number]} step
 * @returns {Promise<boolean>} whether it passed
 */
async function run({ name, command, remedy }) {
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
  return code === 0;
}

// None of them needs another, and most use one core: as many at a time as there are cores.
const queue = [...steps];
let failed = 0;
const work = Array.from({ length: Math.min(availableParallelism(), queue.length) }, async () => {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) if (!(await run(step))) failed += 1;
});
await Promise.all(work);
if (failed > 0) {
  console.log(`${failed} of ${steps.length} checks failed`);
  process.exitCode = 1;
}
