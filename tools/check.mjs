// `npm run check`: everything about the checkout that can be known without running it. One line per step; a step that
// fails shows its output and what to do.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const steps = [
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
  { name: 'types', command: 'tsc && tsc -p web/app', remedy: 'mend the types' },
  { name: 'imports', command: 'node tools/check-imports.mjs', remedy: 'keep to the import table of the README' },
  { name: 'reasons', command: 'node tools/reasons.mjs --check', remedy: 'npm run reasons' },
  { name: 'unused code and dependencies', command: 'knip', remedy: 'delete what nothing uses' },
  { name: 'lock file', command: 'node tools/complete-lock.mjs --check', remedy: 'npm run lock' },
  {
    name: 'contracts build, and abis/ is theirs',
    command: 'node tools/abis.mjs --check',
    remedy: 'mend the contracts; if they changed on purpose, npm run abis and commit abis/',
  },
];

const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
let failed = 0;
for (const { name, command, remedy } of steps) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, {
    cwd: root,
    env: { ...process.env, PATH: path, NO_COLOR: '1' },
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`);
  if (status === 0) continue;
  failed += 1;
  console.log(`\n$ ${command}\n${stdout}${stderr}\nTo do: ${remedy}\n`);
}
if (failed > 0) {
  console.log(`${failed} of ${steps.length} checks failed`);
  process.exitCode = 1;
}
