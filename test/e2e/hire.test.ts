import { execFile } from 'node:child_process';
import type { JsonWebKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AgentCard, Role, TaskState, verifyAgentCardSignature } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { parseAbiItem } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { buy, delivery, fundJob, makeJob, notify, payJob, takeOffer } from '../../lab/world/sale.ts';
import { type Contracts, deployContracts } from '../../lab/world/start/contracts.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// A whole sale: the agent as a process, the escrow's stand-in on a fork, and the ecosystem's own library as the buyer.

const folder = '.cache/deployments/hire';
let local: LocalChain;
let pyth: Pyth;
let contracts: Contracts;
let data: string;
let agent: Sidecar;

const settings = () => ({
  RPC_URL: local.url,
  MARKET_DATA_URL: 'off',
  PYTH_URL: pyth.url,
  DEPLOYMENTS_DIR: folder,
  DATA_DIR: data,
  JOBS_INTERVAL_SECONDS: '1',
});

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'hire-'));
  pyth = await servePyth();
  local = await startLocalChain({ blockSeconds: 0.45 });
  contracts = await deployContracts(local.url, folder, new AbortController().signal);
  agent = await startSidecar(settings());
}, 120_000);

afterAll(async () => {
  await agent?.stop();
  await pyth?.stop();
  await local?.stop();
  await rm(data, { recursive: true });
});

const plan = (task: string, steps: string[] = []) => ({
  rpcUrl: local.url,
  agentUrl: agent.url,
  escrow: contracts.escrow,
  task,
  report: (step: string) => void steps.push(step),
});

test('SL-7: a job is negotiated, funded, delivered, checked by its hash and paid after the window', async () => {
  const steps: string[] = [];
  const sold = await buy(plan('Is BTCB fairly priced to sell for 2,500 USD?', steps));
  expect(sold.price).toBe(10n ** 18n);
  expect(sold.paid).toBe(sold.price);
  expect(sold.content).toMatch(/^# (GO|CAUTION|NO_GO|NO_DATA): sell BTCB for 2500 USD/);
  expect(sold.content).toContain('| What does it cost in all, by two independent sources or more? |');
  expect(steps).toHaveLength(6);
  await agent.logged('job.settled', { jobId: sold.id.toString() });
  const { deliverable } = (await agent.logged('job.submitted')) as unknown as { deliverable: string };
  const byHash = await fetch(`${agent.url}/deliverables/${deliverable}`);
  expect(await byHash.json()).toEqual(await (await fetch(sold.url)).json());
  expect((await fetch(`${agent.url}/job/999/response`)).status).toBe(404);
}, 90_000);

test('npx bowline register puts the agent into the registry once, and the agent shows its number', async () => {
  const options = ['--rpc', local.url, '--agent', agent.url, '--deployments', folder, '--data', data];
  const shown = async () => (await fetch(`${agent.url}/.well-known/agent-registration.json`)).json();
  expect(await shown()).toMatchObject({ active: true, x402Support: false, registrations: [] });
  const script = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
  for (const words of ['Registered as agent 0 of', 'Already registered as agent 0 of']) {
    const { stdout } = await promisify(execFile)(process.execPath, [script, 'register', ...options]);
    expect(stdout).toBe(`${words} eip155:31337:${contracts.identity}.\n`);
  }
  const document = (await shown()) as { image: string; services: { endpoint: string }[] };
  expect(document).toMatchObject({
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Bowline',
    registrations: [{ agentId: 0, agentRegistry: `eip155:31337:${contracts.identity}` }],
  });
  for (const address of [document.image, document.services[0]?.endpoint ?? '', document.services[2]?.endpoint ?? '']) {
    expect((await fetch(address)).status, address).toBe(200);
  }
  // The card’s key is where its signature says.
  const card = AgentCard.fromJSON(
    await (await fetch(`${agent.url}/.well-known/agent-card.json`, { headers: { 'a2a-version': '1.0' } })).json(),
  );
  await verifyAgentCardSignature(async (kid, jku = '') => {
    const { keys } = (await (await fetch(jku)).json()) as { keys: (JsonWebKey & { kid: string })[] };
    return keys.find((key) => key.kid === kid) as never;
  })(card);
});

test('what is not sold is not offered', async () => {
  await expect(buy(plan('Write a poem about the sea.'))).rejects.toThrow(
    /made no offer: Only verdict reports are sold/,
  );
});

/** The key of anvil's ninth account, who copies others' purchases. It is public. */
const thiefKey = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97';

test('SL-2: a copy of an offer in a job of a lower number, funded with one wei, does not keep its buyer from the work', async () => {
  const order = plan('Is WBNB fairly priced to buy for 1,000 USD?');
  for (const isRestarted of [false, true]) {
    const offer = await takeOffer(order);
    const copy = await makeJob(order, offer, thiefKey);
    const job = await makeJob(order, offer);
    expect(copy.id).toBeLessThan(job.id);
    await payJob(order, copy, 1n);
    await expect(notify(copy)).rejects.toThrow('budget_too_low');
    if (isRestarted) await agent.kill();
    await payJob(order, job, job.price);
    if (isRestarted) agent = await startSidecar({ ...settings(), PORT: new URL(order.agentUrl).port });
    else await notify(job);
    expect((await delivery(job)).content).toMatch(/buy WBNB for 1000 USD/);
    await agent.logged('job.refused', { jobId: copy.id.toString(), reason: 'budget_too_low' });

    // After the work is done the offer is used up, whatever a copy pays and whatever its number.
    const late = await makeJob(order, offer, thiefKey);
    await payJob(order, late, late.price);
    await expect(notify(late)).rejects.toThrow('offer_used');
  }
}, 180_000);

test.each([60])('SL-7: killed %s ms into a delivery and started again, it delivers once', deliversOnce);
test.each([0, 200, 500])('SL-7: nor twice %s ms into it', { tags: 'long' }, deliversOnce);

async function deliversOnce(milliseconds: number) {
  const job = await fundJob(plan('Is ETH fairly priced to buy for 1,000 USD?'));
  // SL-2
  const { client, description } = await job.escrow.getJob(job.id);
  expect(description).toContain(`for client ${client} only`);
  await notify(job);
  await sleep(milliseconds);
  await agent.kill();
  agent = await startSidecar({ ...settings(), PORT: new URL(agent.url).port });
  const { content } = await delivery(job);
  expect(content).toMatch(/buy ETH for 1000 USD/);
  const submissions = await job.escrow.publicClient.getLogs({
    address: contracts.escrow.commerce,
    event: parseAbiItem('event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable)'),
    args: { jobId: job.id },
    fromBlock: 0n,
  });
  expect(submissions).toHaveLength(1);
}

test('a buyer who asks for the task gets the report by it, and it outlives a restart', async () => {
  const job = await fundJob(plan('Is ETH fairly priced to buy for 1,000 USD?'));
  const client = await new ClientFactory().createFromUrl(agent.url);
  const value = { skill: 'notify_funded', job_id: job.id.toString() };
  const part = { content: { $case: 'data' as const, value }, metadata: undefined, filename: '', mediaType: '' };
  const ids = { messageId: crypto.randomUUID(), contextId: '', taskId: '', extensions: [], referenceTaskIds: [] };
  const message = { ...ids, role: Role.ROLE_USER, parts: [part], metadata: undefined };
  const nothing = { acceptedOutputModes: [], historyLength: undefined, taskPushNotificationConfig: undefined };
  const configuration = { returnImmediately: true, ...nothing };
  const id = `job-${job.id}`;
  expect(await client.sendMessage({ message, tenant: '', configuration, metadata: undefined })).toMatchObject({ id });
  const get = () => client.getTask({ tenant: '', id, historyLength: undefined });
  await expect.poll(async () => (await get()).status?.state, { timeout: 20_000 }).toBe(TaskState.TASK_STATE_COMPLETED);
  const { content } = await delivery(job);
  await agent.kill();
  agent = await startSidecar({ ...settings(), PORT: new URL(agent.url).port });
  const [report] = (await get()).artifacts.flatMap(({ parts }) => parts.map((each) => each.content?.value));
  expect(report).toMatchObject({ job_id: Number(job.id), response: { content } });
});

test('SL-7: what was funded while it was not there is found without a notice', async () => {
  const job = await fundJob(plan('Is ETH fairly priced to buy for 1,000 USD?'));
  await agent.kill();
  agent = await startSidecar({ ...settings(), PORT: new URL(agent.url).port });
  expect((await delivery(job)).content).toMatch(/buy ETH/);
});
