// `npm run abis`: builds the contracts and writes their ABIs for TypeScript into abis (wagmi.config.ts). Writes the code of
// the lenses, which are never deployed but are sent with each `eth_call`, into separate files. With --check it writes
// nothing, and fails on a difference.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const generated = ['generated.ts', 'collateral.ts', 'loan-guard.ts', 'quote-desk.ts'].map((name) =>
  join(root, 'abis', name),
);
/** A state override takes runtime code; a call without an address takes creation code. */
const lenses = [
  ...['MarketLens', 'StatesLens', 'VenusLens', 'ReadLens'].map((name) => ({
    name,
    code: 'deployedBytecode',
    what: 'runtime',
  })),
  ...['RouteLens', 'PermissionsLens'].map((name) => ({ name, code: 'bytecode', what: 'creation' })),
].map((lens) => ({ ...lens, path: join(root, 'abis', `${lens.name.replace('Lens', '').toLowerCase()}-lens.ts`) }));

/** @param {string} command */
function run(command) {
  const { status, stdout, stderr } = spawnSync(command, {
    cwd: root,
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      // wagmi starts a shell in a way that Node reports as deprecated on every run, in the middle of the output.
      NODE_OPTIONS: '--no-deprecation',
    },
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} failed\n${stdout}${stderr}`);
}

function generate() {
  // Leaves out the tests, which take ten times as long to compile and for which some contracts are compiled twice. The
  // separate folder has one artifact of each contract.
  const folder = '.cache/contracts';
  const settings = `FOUNDRY_OUT=${folder}/out FOUNDRY_CACHE_PATH=${folder}/cache`;
  run(`node lab/tools/foundry.mjs ${settings} forge build contracts --deny warnings`);
  run('wagmi generate');
  for (const { name, path, code, what } of lenses) {
    const artifact = JSON.parse(readFileSync(join(root, folder, 'out', `${name}.sol`, `${name}.json`), 'utf8'));
    const constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}Code`;
    writeFileSync(
      path,
      `/** ${name}, the ${what} code. */\nexport const ${constant} =\n  '${artifact[code].object}';\n`,
    );
  }
}

function check() {
  const files = [...generated, ...lenses.map(({ path }) => path)].map((path) => ({
    path,
    before: existsSync(path) ? readFileSync(path) : undefined,
  }));
  try {
    generate();
    for (const { path, before } of files) {
      if (!before?.equals(readFileSync(path))) throw new Error(`${relative(root, path)} is out of date: npm run abis`);
    }
  } finally {
    for (const { path, before } of files) {
      if (before) writeFileSync(path, before);
      else rmSync(path, { force: true });
    }
  }
}

try {
  if (process.argv.includes('--check')) check();
  else generate();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
