// `npm test`: runs all tests in parallel parts. Each part's output is printed whole when the part ends, and a failing
// part does not stop the others. Times are printed last.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a part may take to end when told to, and how long its leftover processes may hold its output open. */
const GRACE_MS = 5_000;

if (process.argv.length > 2) {
  console.error(
    'npm test takes no arguments: it runs everything. docs/reference/commands.md names the commands of the parts.',
  );
  process.exit(2);
}

/** All later parts need it. Its two compilers take different times, and proofs need no build. */
const first = 'npm run build';
const beside = 'npm run lab -- prove';
/** TypeScript's tests mostly wait for blocks, browsers and processes; computing parts fill those gaps. */
const waiting = ['npx vitest run --tags-filter "not long"'];
const computing = [
  // A quarter of test:full's runs per fuzz test, and twice those that find every mutant of a contract (lab/census).
  'npm run test:contracts -- --fuzz-runs 64',
  'npm run test:invariants',
  'npm run lab -- gas --gas-snapshot-check=true',
  // Without the searches for a sandwich's best stake, which test:full runs.
  'npm run test:fork -- --no-match-test "Sandwich.*_(btc|eth)"',
];

const parts: { command: string; seconds: number; passed: boolean }[] = [];
const running = new Set<ChildProcess>();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    isStopped = true;
    for (const child of running) tell(child, signal);
    await Promise.race([Promise.all([...running].map(ending)), sleep(GRACE_MS)]);
    for (const child of running) tell(child, 'SIGKILL');
    process.exit(128 + constants.signals[signal]);
  });
}

/** Signals a part and everything that it started, unless they have ended. */
function tell({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function ending(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** @param priority as in nice. @returns whether it passed. */
async function run(command: string, priority = 0): Promise<boolean> {
  if (isStopped) return false;
  const start = performance.now();
  const child = spawn(command, {
    shell: true,
    env: { ...process.env, NO_COLOR: '1', npm_config_loglevel: 'silent' },
    // A process group of its own, so that a signal reaches what the command started, too.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  if (child.pid !== undefined) setPriority(child.pid, priority);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  // Processes that it left behind would hold its output open.
  tell(child, 'SIGKILL');
  await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  running.delete(child);
  const seconds = (performance.now() - start) / 1000;
  const passed = code === 0;
  parts.push({ command, seconds, passed });
  console.log(`\n$ ${command}\n${output.trimEnd()}\n`);
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${seconds.toFixed(0).padStart(5)} s  ${command}`);
  return passed;
}

async function inTurn(commands: readonly string[], priority?: number): Promise<void> {
  for (const command of commands) await run(command, priority);
}

const start = performance.now();
const low = constants.priority.PRIORITY_BELOW_NORMAL;
const proved = run(beside, low);
if (await run(first)) await Promise.all([inTurn(waiting), proved.then(() => inTurn(computing, low))]);
await proved;

console.log('\nAll:');
for (const { command, seconds, passed } of parts) {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${seconds.toFixed(0).padStart(5)} s  ${command}`);
}
const failed = parts.filter(({ passed }) => !passed).length;
const whole = ((performance.now() - start) / 1000).toFixed(0).padStart(5);
console.log(`${failed === 0 ? 'ok    ' : 'FAILED'} ${whole} s  npm test`);
if (failed > 0) process.exitCode = 1;
