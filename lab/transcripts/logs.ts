import type { Sidecar } from '../../test/e2e/sidecar.ts';
import { bob, carol } from '../../test/local/accounts.ts';
import { createPlan, guardLoan, setPrice } from './acts.ts';
import { block } from './blocks.ts';
import type { World } from './world.ts';

/** What the agent logs of a run, a deferral and a rescue, in this order on one chain. @returns a block of text for each. */
export async function recordLogs(world: World): Promise<string[]> {
  await setPrice(world);
  await createPlan(world, carol, '100');
  const run = await logOf(world, async (agent) => void (await agent.logged('run.executed')));
  await createPlan(world, bob, '5000000');
  const deferral = await logOf(world, async (agent) => void (await agent.logged('run.deferred')));
  await guardLoan(world, carol);
  const rescue = await logOf(world, async (agent) => {
    await setPrice(world, 'ETH', 3_800n);
    await agent.logged('rescue.done');
  });
  await setPrice(world);
  return [block('A run', run), block('A deferral', deferral), block('A rescue', rescue)];
}

/** The log of an agent from its start to its end, while this happens after the first round of each loop. */
async function logOf({ startAgent }: World, happen: (agent: Sidecar) => Promise<void>): Promise<string> {
  const agent = await startAgent({ LOG_LEVEL: 'debug' });
  try {
    await roundsOf(agent);
    await happen(agent);
  } finally {
    await agent.stop();
  }
  const lines = agent.log.filter((line) => !isIdleRound(line)).map(({ time: _, ...line }) => line);
  // What is started together is ready in any order.
  const first = lines.filter(isOfStart).map((line) => JSON.stringify(line));
  const rest = lines.filter((line) => !isOfStart(line)).map((line) => JSON.stringify(line));
  return [...first.sort(), ...rest].join('\n');
}

type Line = Sidecar['log'][number];

/** Waits until each loop has made its first round. The agent has to log at debug. */
export const roundsOf = (agent: Sidecar) =>
  Promise.all(['executor', 'loan-guard', 'jobs'].map((loop) => agent.logged('tick.end', { loop })));

/** Rounds are as many as time allows; one with work logs at info. */
const isIdleRound = ({ event, level }: Line) => event === 'tick.end' && level === 'debug';

const isOfStart = ({ event, label }: Line) =>
  /^(entry_point|wallet|preflight)\./.test(event) || event === 'agent.ready' || label === 'nothing';
