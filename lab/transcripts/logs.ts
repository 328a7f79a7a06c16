import { setTimeout as sleep } from 'node:timers/promises';
import type { Sidecar } from '../../test/e2e/sidecar.ts';
import { bob, carol } from '../../test/local/accounts.ts';
import { createPlan, guardLoan, setPrice } from './acts.ts';
import { layout } from './layout.ts';
import { block } from './recorder.ts';
import type { World } from './world.ts';

const patienceMs = 60_000;

/** The agent's logs of a run, a deferral and a rescue, in this order on one chain. @returns a block of text for each. */
export async function recordLogs(world: World): Promise<string[]> {
  await setPrice(world);
  await createPlan(world, carol, '100');
  const run = await logOf(world);
  await createPlan(world, bob, '5000000');
  const deferral = await logOf(world);
  await guardLoan(world, carol);
  const rescue = await logOf(world, async (agent) => {
    await setPrice(world, 'ETH', 3_800n);
    // Accepts any event name; if none comes, the recording differs by its absence.
    const isTold = () => agent.log.some(({ guardId, level }) => guardId === '1' && level !== 'debug');
    for (const deadline = performance.now() + patienceMs; !isTold() && performance.now() < deadline; ) await sleep(50);
  });
  await setPrice(world);
  return [block('A run', run), block('A deferral', deferral), block('A rescue', rescue)];
}

/** An agent's log from start to end: the first round of each loop, and what `happen` causes after that. */
async function logOf({ startAgent }: World, happen = async (_agent: Sidecar): Promise<void> => {}): Promise<string> {
  const agent = await startAgent({ LOG_LEVEL: 'debug' });
  try {
    await roundsOf(agent);
    await happen(agent);
  } finally {
    await agent.stop();
  }
  const lines = agent.log.filter((line) => !isIdleRound(line)).map(({ time: _, ...line }) => line);
  const phaseOf = (line: Line) => (isOfStart(line) ? 'start' : isOfEnd(line) ? 'end' : 'between');
  const { start = [], between = [], end = [] } = Object.groupBy(lines, phaseOf);
  // Parts that start together become ready in any order. The last line may be written before a line still in progress.
  return [...start.map(written).sort(), ...between.map(written), ...end.map(written).sort()].join('\n');
}

const written = (line: object): string => layout(line, { path: '', written: new Map() });

type Line = Sidecar['log'][number];

/** Waits until each loop has made its first round. The agent has to log at debug. */
export const roundsOf = (agent: Sidecar) =>
  Promise.all(['executor', 'loan-guard', 'jobs'].map((loop) => agent.logged('tick.end', { loop })));

/** Their number depends on time; a round with work logs at info. */
const isIdleRound = ({ event, level }: Line) => event === 'tick.end' && level === 'debug';

const isOfStart = ({ event, label }: Line) =>
  /^(entry_point|wallet|preflight)\./.test(event) || event === 'agent.ready' || label === 'nothing';

const isOfEnd = ({ event }: Line) => event === 'agent.stopping' || event === 'agent.stopped';
