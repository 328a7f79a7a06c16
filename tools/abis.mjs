// `npm run abis`: builds the contracts and writes their interfaces for TypeScript into abis/generated.ts.
// With --check the file is left as it was, and being different is an error.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const generated = join(root, 'abis', 'generated.ts');

/** @param {string} command */
function run(command) {
  const { status, stdout, stderr } = spawnSync(command, {
    cwd: root,
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      // wagmi starts a shell in a way that Node deplores on every run, in the midst of the output.
      NODE_OPTIONS: '--no-deprecation',
    },
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} failed\n${stdout}${stderr}`);
}

function generate() {
  // Without the tests, which take ten times as long to compile.
  run('node tools/foundry.mjs forge build contracts --deny warnings');
  run('wagmi generate');
}

function check() {
  const before = existsSync(generated) ? readFileSync(generated) : undefined;
  try {
    generate();
    if (!before?.equals(readFileSync(generated))) throw new Error('abis/generated.ts is not what the contracts say');
  } finally {
    if (before) writeFileSync(generated, before);
    else rmSync(generated, { force: true });
  }
}

try {
  if (process.argv.includes('--check')) check();
  else generate();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
