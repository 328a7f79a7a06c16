// The agent as a process for an hour on a living market, through a line to node and bundler that breaks about once a
// minute. Loans fall, plans run, the process is stopped twice and killed once. Exits with 1 and the reasons if a rescue or
// a run was late, lost or made twice, if the log has a line that no fault explains, or if memory grows.
//
//   npm run soak -- [--minutes 60] [--seed 1] [--log FILE]

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRandom } from '../agent/test/sim/random.ts';
import { startAgents } from '../test/faults/agents.ts';
import { type BundlerFault, bundlerFaults, type NodeFault, nodeFaults } from '../test/faults/faults.ts';
import { readyOf, startJudge } from '../test/faults/judge.ts';
import { startLine } from '../test/faults/line.ts';
import { startLiving } from '../test/faults/living.ts';
import type { Line, Trouble } from './soak/explain.ts';
import { type Sample, sampleOf } from './soak/memory.ts';
import { judgeSoak } from './soak/verdict.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    log: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const random = createRandom(Number(values.seed));
const [loans, periodSeconds] = [8, 60];
/** The last part has no faults and no falls, so that everything can end. */
const quietMs = 30_000;

const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);
const scratch = mkdtempSync(join(tmpdir(), 'soak-'));
const folder = '.cache/deployments/soak';
const marketTroubles: string[] = [];
const living = await startLiving(folder, (trouble) => marketTroubles.push(trouble));
const node = await startLine(living.chain.url);
const bundler = await startLine(living.bundlerUrl);
const guardIds: bigint[] = [];
for (let at = 0; at < loans; at++) guardIds.push(await living.guardedLoan());
const agents = await startAgents({
  RPC_URL: node.url,
  BUNDLER_URL: bundler.url,
  MARKET_DATA_URL: living.marketUrl,
  PYTH_URL: living.marketUrl,
  DEPLOYMENTS_DIR: folder,
  RESCUE_PRIVATE_KEYS: living.rescuerKey,
  EXECUTOR_INTERVAL_SECONDS: '15',
  GUARD_INTERVAL_SECONDS: '5',
  EVIDENCE_DIR: join(scratch, 'evidence'),
  NOTICES_FILE: join(scratch, 'notices.json'),
  DELIVERABLES_DIR: join(scratch, 'deliverables'),
  STOP_FILE: join(scratch, 'stop'),
  LOG_LEVEL: 'info',
  NODE_OPTIONS: `--import ${new URL('soak/collect.mjs', import.meta.url)}`,
});
const planIds: bigint[] = [];
const firstSlot = () => Math.ceil(Date.now() / 1000) + 5 + random.below(50);
for (const buys of ['BTCB', 'ETH', 'WBNB', 'BTCB'] as const)
  planIds.push(await living.plan(await living.owner(), { buys, amount: '100', periodSeconds, startAt: firstSlot() }));
// Its pool holds 16 million USDT, so it is deferred.
const tooMuch = { buys: 'WBNB', amount: '500000', periodSeconds: 10 * periodSeconds, startAt: firstSlot() } as const;
planIds.push(await living.plan(await living.owner(), tooMuch));

const startMs = Date.now();
const endMs = startMs + minutes * 60_000;
const troubles: Trouble[] = [];
const samples: Sample[] = [];
const falls: { readonly guardId: bigint; readonly atMs: number }[] = [];
const judge = startJudge({ due: () => living.due(guardIds), ready: () => readyOf(agents.current().url) });
say(`${loans} guarded loans, ${planIds.length} plans, ${minutes} minutes, seed ${values.seed}`);

const until = async (atMs: number) => sleep(Math.max(0, atMs - Date.now()));
const isOver = () => Date.now() > endMs - quietMs;

async function breakLines(): Promise<void> {
  const kinds = [...Object.keys(nodeFaults), ...Object.keys(bundlerFaults)] as (NodeFault | BundlerFault)[];
  for (let minute = 0; ; minute++) {
    // Each kind once before any comes again.
    const cause = kinds[(minute * 7 + Number(values.seed)) % kinds.length] as NodeFault | BundlerFault;
    const [wait, lasts] = [random.below(35_000), 3_000 + random.below(17_000)];
    await until(startMs + minute * 60_000 + wait);
    if (Date.now() + lasts > endMs - quietMs) return;
    say(`fault: ${cause} for ${(lasts / 1000).toFixed(0)} s`);
    const fromMs = Date.now();
    const line = cause in nodeFaults ? node : bundler;
    line.set({ ...nodeFaults, ...bundlerFaults }[cause]());
    await sleep(lasts);
    line.set(undefined);
    troubles.push({ cause, fromMs, toMs: Date.now() });
  }
}

async function dropLoans(): Promise<void> {
  while (!isOver()) {
    await sleep(8_000 + random.below(14_000));
    const idle = guardIds.filter((id) => !judge.isWaiting(id));
    const guardId = idle[random.below(idle.length)];
    if (guardId === undefined || isOver()) continue;
    await living.fall(guardId);
    falls.push({ guardId, atMs: Date.now() });
  }
}

/** Early, so that the last life is long enough to show whether memory grows. */
async function restart(): Promise<void> {
  for (const [part, how] of [
    [0.08, 'SIGTERM'],
    [0.15, 'SIGKILL'],
    [0.22, 'SIGTERM'],
  ] as const) {
    await until(startMs + part * minutes * 60_000);
    say(`restart by ${how}`);
    const fromMs = Date.now();
    await agents.restart(how);
    troubles.push({ cause: 'start', fromMs, toMs: Date.now() });
  }
}

async function measure(): Promise<void> {
  while (Date.now() < endMs) {
    await sleep(Math.min(30_000, minutes * 1_000));
    const sample = await sampleOf(agents.current(), agents.lives.length);
    if (sample === undefined) continue;
    samples.push(sample);
    if (samples.length % 10 === 0)
      say(
        `heap ${sample.heapMb.toFixed(1)} MB, rss ${sample.rssMb.toFixed(0)} MB, ${falls.length} falls, load ${loadavg()[0]?.toFixed(1)}`,
      );
  }
}

let reasons: string[];
try {
  await Promise.all([breakLines(), dropLoans(), restart(), measure()]);
  const patience = Date.now() + 60_000;
  while (judge.isWaiting() && Date.now() < patience) await sleep(300);
  const isOpen = judge.isWaiting();
  const toMs = Date.now();
  await judge.stop();
  const code = await agents.end('SIGTERM');
  troubles.push({ cause: 'stop', fromMs: toMs, toMs: Date.now() });
  const log = agents.log() as unknown as Line[];
  const rescues = new Map(await Promise.all(guardIds.map(async (id) => [id, await living.rescues(id)] as const)));
  const runs = new Map(await Promise.all(planIds.map(async (id) => [id, await living.runs(id)] as const)));
  const verdict = judgeSoak({
    log,
    troubles,
    gaps: agents.gaps,
    lives: agents.lives,
    samples,
    falls,
    rescues,
    runs,
    waits: judge.waits,
    readyAlthough: judge.readyAlthough,
    periods: new Map(planIds.map((id) => [id, id === planIds.at(-1) ? tooMuch.periodSeconds : periodSeconds])),
    toMs,
  });
  reasons = verdict.reasons;
  if (isOpen) reasons.push('A loan is due at the end and is not rescued.');
  if (code !== 0) reasons.push(`The agent ended with ${code}.`);
  if (marketTroubles.length > 0)
    console.log(`troubles of the market itself: ${marketTroubles.length}, ${marketTroubles[0]}`);
  for (const line of verdict.lines) console.log(line);
} finally {
  await agents.end('SIGTERM').catch(() => {});
  const lines = agents.log().map((line) => `${JSON.stringify(line)}\n`);
  if (values.log !== undefined) writeFileSync(values.log, lines.join(''));
  await node.stop();
  await bundler.stop();
  await living.stop();
  rmSync(scratch, { recursive: true, force: true });
}
for (const reason of reasons) console.log(`WRONG: ${reason}`);
process.exit(reasons.length === 0 ? 0 : 1);
