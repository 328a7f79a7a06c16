import { setTimeout as sleep } from 'node:timers/promises';
import { fundJob } from '../../world/sale.ts';
import type { Ask } from '../recorder.ts';
import { publicUrl, type World } from '../world.ts';

const patienceMs = 60_000;

/** A job as its buyer sees it, from the notice that it is funded to its deliverable. */
export async function recordJob(world: World, ask: Ask, agentUrl: string): Promise<void> {
  const { id, escrow } = await fundJob({
    rpcUrl: world.urls.chain,
    agentUrl,
    escrow: world.contracts.escrow,
    task: 'Is BTCB fairly priced to buy for 5,000 USD?',
    report: () => {},
    // The agent's public address does not exist.
    fetch: (input, init) => fetch(String(input).replace(publicUrl, agentUrl), init),
  });
  const notice = (heading: string) => {
    const part = { kind: 'data', data: { skill: 'notify_funded', job_id: String(id) } };
    const message = { kind: 'message', role: 'user', messageId: '1', parts: [part] };
    return ask(heading, { path: '/a2a', body: { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } } });
  };
  await notice('A funded job');
  const response = `/job/${id}/response`;
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(50)) {
    if ((await fetch(agentUrl + response)).ok) break;
  }
  await ask('The response of a job', { path: response });
  const { deliverable } = await escrow.getJob(id);
  await ask('The deliverable by its hash', { path: `/deliverables/${deliverable}` });
  await notice('A job that is delivered');
}
