// `npm run lab -- docs`: runs every command of the readers' pages line by line, as a reader would, against one `npm start` on the
// ports that the pages name. Fails if a line fails or a URL answers with an error, or if a page with commands is neither in the
// documentation's sidebar nor skipped below. `npm run lab -- docs README.md` runs only the commands of the named pages; `--pages`
// runs nothing and only checks the list.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Pages whose commands no reader can run as they are, and why. */
const skipped = new Map([
  [
    'packages/sdk/README.md',
    "its commands are for a folder of the reader's own, where examples.test.ts runs the examples",
  ],
]);
/** Commands that are not run here: they take too long, or they run this script. */
const elsewhere = new Set([
  'npm ci',
  'npm start',
  'npm run check',
  'npm test',
  'npm run build',
  'npm run test:fork',
  'npm run lab -- extraction',
  'npm run lab -- mutants',
  'npm run lab -- prove --mutants',
  'npm run lab -- coverage',
]);
const LINE_MS = 180_000;
const START_MS = 300_000;
/** A fenced block: its indentation, its language and its lines. */
const fenced = /^( *)```(\w*)\n(.*?)^ *```$/gms;

const written = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
const texts = new Map(written.map((page) => [page, readFileSync(page, 'utf8')]));
/** @param {string} page */
const textOf = (page) => texts.get(page) ?? '';
const withCommands = written.filter((page) => commandsIn(textOf(page)).length > 0 && !skipped.has(page));
const sidebar = Object.values(JSON.parse(readFileSync('web/docs/pages.json', 'utf8'))).flatMap(Object.keys);
const pages = sidebar.filter((page) => withCommands.includes(page));
const unlisted = withCommands.filter((page) => !pages.includes(page));
if (unlisted.length > 0) throw new Error(`These pages have commands that nothing tries: ${unlisted.join(', ')}.`);
for (const [page, why] of skipped) console.log(`not tried: ${page}: ${why}`);
const named = process.argv.slice(2).filter((word) => word !== '--pages');
const unknown = named.filter((page) => !pages.includes(page));
if (unknown.length > 0)
  throw new Error(`${unknown.join(', ')} is no page with commands. Those are ${pages.join(', ')}.`);
const wanted = pages.filter((page) => named.length === 0 || named.includes(page));
if (process.argv.includes('--pages')) {
  console.log(`tried: ${wanted.join(', ')}`);
  process.exit();
}

const started = spawn('npm', ['start'], {
  detached: true,
  stdio: ['ignore', 'pipe', 'pipe'],
  env: { ...process.env, NO_COLOR: '1' },
});
let shown = '';
for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', (text) => (shown += text));

let failures = 0;
try {
  await untilRun();
  for (const page of wanted) {
    for (const line of commandsIn(textOf(page))) {
      if (elsewhere.has(line)) continue;
      const { code, output } = await run(line);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${page}: ${line}`);
      if (code !== 0) {
        failures += 1;
        console.log(output.trimEnd());
      }
    }
  }
} finally {
  if (started.exitCode === null) {
    process.kill(-(started.pid ?? 0), 'SIGINT');
    await once(started, 'exit');
  }
}
if (failures > 0) process.exitCode = 1;

/** Waits until the stack has made its first run. */
async function untilRun() {
  const until = performance.now() + START_MS;
  while (!/ run of plan 1$/m.test(shown)) {
    if (started.exitCode !== null || performance.now() > until) throw new Error(`npm start shows no run:\n${shown}`);
    await sleep(500);
  }
}

/** @param {string} line */
async function run(line) {
  const child = spawn('bash', ['-c', `curl() { command curl --fail-with-body "$@"; }\n${line}`], {
    timeout: LINE_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}

/**
 * The lines of a page's `sh` blocks, without comments. A line that ends with a backslash continues on the next.
 * @param {string} text
 */
function commandsIn(text) {
  return [...text.matchAll(fenced)]
    .filter(([, , language]) => language === 'sh')
    .flatMap(([, , , block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/ +#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
