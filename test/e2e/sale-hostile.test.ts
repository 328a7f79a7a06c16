import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Address, createPublicClient, getAbiItem, http, toFunctionSelector } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { statesLensAbi } from '../../abis/index.ts';
import { localKeys } from '../../agent/src/settings.ts';
import { jobsLedger } from '../../cli/ledger/jobs.ts';
import { erc20Abi } from '../../lab/world/abis.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { type Contracts, deployContracts } from '../../lab/world/start/contracts.ts';
import { repeat, stranger } from '../../packages/chain/test/many-plans.ts';
import { type RpcProxy, refuse, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { ask, escrowBuyers, type Order, offerOf, splitOf, status } from './escrow-buyers.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// SL-7. Buyers who try not to pay, a crowd of junk, and an agent that is killed, restarted and cut off. Every test ends
// on the escrow: each delivered job was paid in full by its own buyer, and each job that is paid is delivered once.

const folder = '.cache/deployments/sale-hostile';
/** Anvil's eighth and ninth accounts, for which the node signs. */
const buyer: Address = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955';
const thief: Address = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f';
const provider = privateKeyToAccount(localKeys.seller).address;
const price = 10n ** 18n;
const tasks = ['Is BTCB fairly priced to buy for 500 USD?', 'Is ETH fairly priced to sell for 700 USD?'];

let local: LocalChain;
let node: RpcProxy;
let pyth: Pyth;
let chain: Chain;
let contracts: Contracts;
let data: string;
let deliverables: string;
let agent: Sidecar;
let escrow: ReturnType<typeof escrowBuyers>;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'sale-'));
  deliverables = join(data, 'deliverables');
  pyth = await servePyth();
  local = await startLocalChain({ blockSeconds: 0.45 });
  node = await startRpcProxy(local.url);
  chain = connect(local.url);
  contracts = await deployContracts(local.url, folder, new AbortController().signal);
  await startAgent();
  escrow = escrowBuyers(chain, contracts.escrow, provider);
  for (const account of [buyer, thief]) await escrow.equip(account, 1_000n * price);
}, 180_000);

afterEach(calm);

afterAll(async () => {
  await agent?.stop();
  await pyth?.stop();
  await node?.stop();
  await local?.stop();
  await rm(data, { recursive: true });
});

async function startAgent(port = '0'): Promise<void> {
  agent = await startSidecar({
    RPC_URL: node.url,
    MARKET_DATA_URL: 'off',
    PYTH_URL: pyth.url,
    DEPLOYMENTS_DIR: folder,
    DATA_DIR: data,
    JOBS_INTERVAL_SECONDS: '1',
    PORT: port,
    // Here all buyers have one address.
    CALLER_LIMIT: '10000',
  });
}

async function restart(): Promise<void> {
  await agent.kill();
  await startAgent(new URL(agent.url).port);
}

function calm(): void {
  node.fate = () => 'answered';
  node.tell = () => {};
  node.ask = () => {};
}

const notify = (id: bigint) => ask(agent.url, { skill: 'notify_funded', job_id: id.toString() });
const held = (account: Address) =>
  chain.readContract({
    address: contracts.escrow.token.address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  });

/** Makes open jobs that name the seller, as a stranger with gas money does. */
async function flood(count: number, member = 1): Promise<void> {
  const expiry = (await chain.getBlock()).timestamp + 30n * 86_400n;
  const { data } = escrow.creation({ description: '', budget: 0n }, expiry);
  await repeat(chain, stranger(member), escrow.commerce, data, count);
}

describe('thefts: no report that is not paid in full by the buyer of its offer', () => {
  test('SL-7: of 11 thefts', () => steal(1), 120_000);
  test('SL-7: of 110 thefts', { tags: 'long', timeout: 600_000 }, () => steal(10));

  async function steal(rounds: number): Promise<void> {
    const [coin, accomplice] = [await escrow.worthlessToken(), await escrow.accomplice()];
    await escrow.equip(thief, 1_000n * price, coin);
    const stolen: bigint[] = [];
    const honest: bigint[] = [];
    const before = await held(provider);
    let attempts = 0;
    for (let round = 0; round < rounds; round++) {
      const task = tasks[round % 2] as string;
      const free = await offerOf(agent.url, task);
      const bound = await offerOf(agent.url, task, buyer);
      const split = await splitOf(agent.url, task, { price: '1', currency: contracts.escrow.token.address, terms: {} });
      const cheap = free.replace(`"price":"${price}"`, '"price":"1"');
      expect(cheap).not.toBe(free);
      // All have lower numbers than the honest jobs, and are funded before them.
      const thefts: Order[] = [
        { description: free, budget: 1n },
        { description: free, budget: 0n },
        { description: bound, budget: price },
        { description: bound, budget: 1n },
        { description: cheap, budget: 1n },
        { description: split, budget: 1n },
        { description: 'Is BTCB fairly priced? Please.', budget: price },
        { description: free, budget: price, token: coin },
        { description: free, budget: price, router: accomplice },
        { description: free, budget: 0n, isOpen: true },
      ];
      const ids = await escrow.order(thief, thefts);
      const paid = await escrow.order(buyer, [
        { description: free, budget: price },
        { description: bound, budget: price },
      ]);
      const answers = await Promise.all(ids.map(notify));
      expect(answers.map((answer) => answer.status)).toEqual(ids.map(() => 'rejected'));
      for (const id of paid) await escrow.delivered(id);
      // After the delivery the thief pays in full for a copy, which would get the work a second time.
      const late = await escrow.order(thief, [{ description: free, budget: price }]);
      expect(await notify(late[0] as bigint)).toMatchObject({ status: 'rejected', reason: 'offer_used' });
      stolen.push(...ids, ...late);
      honest.push(...paid);
      attempts += thefts.length + late.length;
    }
    expect(attempts).toBe(11 * rounds);
    // Leaves time for rounds still in progress, and for the dispute windows.
    await paidFor(honest, before);
    const submissions = await escrow.submissions();
    expect(stolen.filter((id) => submissions.has(id))).toEqual([]);
    expect(honest.map((id) => submissions.get(id))).toEqual(honest.map(() => 1));
  }
});

/** Waits until all these jobs are settled, and checks that they are what the provider was paid for. */
async function paidFor(ids: readonly bigint[], before: bigint): Promise<void> {
  const settled = async () => {
    const jobs = await Promise.all(ids.map(escrow.jobOf));
    return jobs.filter((job) => job.status === status.completed).length;
  };
  await expect.poll(settled, { timeout: 120_000 }).toBe(ids.length);
  expect((await held(provider)) - before).toBe(BigInt(ids.length) * price);
  // AG-150: the ledger agrees, whatever thieves and faults have left behind.
  const ledger = async () => {
    const { differences, unread, lines } = await jobsLedger({
      rpc: local.url,
      client: createPublicClient({ transport: http(local.url), cacheTime: 0 }),
      chainId: localChainId,
      escrow: contracts.escrow,
      sellers: [provider],
      deliverables: pathToFileURL(`${deliverables}/`),
      from: 0n,
    });
    return differences + unread.length === 0 ? 'equal' : [...unread, ...lines].join('\n');
  };
  await expect.poll(ledger, { timeout: 60_000, interval: 500 }).toBe('equal');
}

/** What goes wrong around one honest job, from its funding to its delivery. `round` varies the moment. */
const faults: Readonly<Record<string, (id: bigint, description: string, round: number) => Promise<unknown>>> = {
  'killed after the notice': async (id, _, round) => {
    await notify(id);
    await sleep(round * 60);
    await restart();
  },
  'killed without a notice': restart,
  'stopped by a deploy': async (id, _, round) => {
    await notify(id);
    await sleep(round * 60);
    await agent.stop();
    await startAgent(new URL(agent.url).port);
  },
  'no notes after a kill': async () => {
    await agent.kill();
    await rm(join(deliverables, 'jobs.json'), { force: true });
    await startAgent(new URL(agent.url).port);
  },
  'notes of another chain': async () => {
    await agent.kill();
    await writeFile(join(deliverables, 'jobs.json'), '{"escrow": "another", "newest": "99999999"}');
    await startAgent(new URL(agent.url).port);
  },
  'a node that says nothing': async (id, _, round) => {
    await notify(id);
    node.fate = () => 'lost';
    await sleep(1_000 + round * 200);
    calm();
  },
  'answers of the node that are lost': async (id, _, round) => {
    let left = 10 + round;
    node.fate = () => (left-- > 0 ? 'answer_lost' : 'answered');
    await notify(id);
  },
  'a submission whose answer is lost': async (id) => {
    let left = 1;
    node.fate = (method) => (method === 'eth_sendRawTransaction' && left-- > 0 ? 'answer_lost' : 'answered');
    await notify(id);
  },
  'a node that refuses logs': async () => {
    node.tell = ({ method }, answer) => {
      if (method === 'eth_getLogs') refuse(answer, -32_005, 'limit exceeded');
    };
  },
  'a hundred junk jobs': async (_id, _description, round) => flood(100, 10 + round),
  'copies for one wei': async (_, description) => {
    await escrow.order(
      thief,
      Array.from({ length: 5 }, () => ({ description, budget: 1n })),
    );
  },
  'twenty notices at once': async (id) => Promise.all(Array.from({ length: 20 }, () => notify(id))),
  'notices of jobs that there are not': async () => Promise.all([9n ** 9n, 2n ** 60n, 2n ** 255n].map(notify)),
};

describe('faults: whoever has paid gets the report, once', () => {
  const names = Object.keys(faults);
  const short = ['killed after the notice', 'a submission whose answer is lost', 'copies for one wei'];
  test('SL-7: with 3 faults', { tags: 'long', timeout: 180_000 }, () => suffer(short));
  test('SL-7: with 50 faults', { tags: 'long', timeout: 1_200_000 }, () =>
    suffer(Array.from({ length: 50 }, (_, at) => names[at % names.length] as string)),
  );

  async function suffer(kinds: readonly string[]): Promise<void> {
    const before = await held(provider);
    const honest: bigint[] = [];
    for (const [at, kind] of kinds.entries()) {
      const description = await offerOf(agent.url, tasks[at % 2] as string, at % 3 === 0 ? buyer : undefined);
      const [id] = await escrow.order(buyer, [{ description, budget: price }]);
      if (id === undefined) throw new Error('There is no job.');
      await faults[kind]?.(id, description, at);
      const manifest = await escrow.delivered(id).catch((error: Error) => {
        throw new Error(`${kind}: ${error.message}`);
      });
      expect(manifest.response.content, kind).toMatch(/^# (GO|CAUTION|NO_GO|NO_DATA): /);
      calm();
      honest.push(id);
    }
    await paidFor(honest, before);
    // Each report is still at the address that its buyer was told.
    for (const id of honest) await escrow.delivered(id);
    const submissions = await escrow.submissions();
    expect(honest.map((id) => submissions.get(id))).toEqual(honest.map(() => 1));
  }
});

describe('a flood of junk jobs leaves delivery within two rounds', () => {
  test('AG-180: of 160', () => serveUnder(160), 120_000);
  test('AG-180: of 5,000', { tags: 'long', timeout: 600_000 }, () => serveUnder(5_000));

  async function serveUnder(junk: number): Promise<void> {
    await flood(junk);
    await expect.poll(() => lastRound().watched, { timeout: 60_000 }).toBeGreaterThanOrEqual(junk);
    for (const keepsLogs of [true, false]) {
      node.tell = ({ method }, answer) => {
        if (method === 'eth_getLogs' && !keepsLogs) refuse(answer, -32_005, 'limit exceeded');
      };
      const description = await offerOf(agent.url, tasks[0] as string);
      const [id] = await escrow.order(buyer, [{ description, budget: price }]);
      const funded = agent.log.length;
      await escrow.delivered(id as bigint);
      await agent.logged('job.submitted', { jobId: String(id) });
      const lines = agent.log.slice(funded);
      const at = lines.findIndex(({ event, jobId }) => event === 'job.submitted' && jobId === String(id));
      // The round that submits has not ended yet.
      expect(roundsIn(lines.slice(0, at))).toBeLessThanOrEqual(1);
    }
    // After a restart it reads its notes. A round takes few requests.
    await restart();
    await expect.poll(() => lastRound().watched, { timeout: 60_000 }).toBeGreaterThanOrEqual(junk);
    const [before, ofKernel] = [agent.log.length, escrow.commerce.slice(2).toLowerCase()];
    const ofJobs = toFunctionSelector(getAbiItem({ abi: statesLensAbi, name: 'each' }));
    let requests = 0;
    node.ask = ({ params = [] }) => {
      const text = JSON.stringify(params).toLowerCase();
      // Each sold job that waits for its money is also read by its number, apart from the scan of all jobs.
      const isOfOneJob = /0{56}[0-9a-f]{8}/.test(text) && !text.includes(ofJobs);
      if (text.includes(ofKernel) && !isOfOneJob) requests += 1;
    };
    await expect.poll(() => roundsIn(agent.log.slice(before)), { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
    const rounds = roundsIn(agent.log.slice(before)) + 1;
    // 400 heads to a request.
    expect(requests / rounds).toBeLessThanOrEqual(4 + Math.ceil(junk / 400));
  }

  const isRound = ({ event, loop }: { event: string; [field: string]: unknown }) =>
    event === 'tick.end' && loop === 'jobs';
  const roundsIn = (lines: Sidecar['log']) => lines.filter(isRound).length;
  const lastRound = (): { watched: number } => {
    const last = agent.log.filter(isRound).at(-1);
    return { watched: Number(last?.watched ?? 0) };
  };
});

/** Moves the chain's time, as the next test does: offers made after that are already out of date. */
test('SL-7: what was submitted long ago is settled after a restart without notes', {
  tags: 'long',
  timeout: 240_000,
}, async () => {
  const before = await held(provider);
  const description = await offerOf(agent.url, tasks[0] as string);
  const [id = 0n] = await escrow.order(buyer, [{ description, budget: price }]);
  await escrow.delivered(id);
  await agent.kill();
  await rm(join(deliverables, 'jobs.json'), { force: true });
  // It is then no longer among the newest jobs, and no log names it.
  await flood(1_000, 3);
  node.tell = ({ method }, answer) => {
    if (method === 'eth_getLogs') refuse(answer, -32_005, 'limit exceeded');
  };
  await chain.increaseTime({ seconds: 30 * 86_400 });
  const statusNow = async () => (await escrow.jobOf(id)).status;
  expect(await statusNow()).toBe(status.submitted);
  await startAgent(new URL(agent.url).port);
  await expect.poll(statusNow, { timeout: 60_000 }).toBe(status.completed);
  expect((await held(provider)) - before).toBeGreaterThanOrEqual(price);
});

test('SL-7: an offer that is funded after its expiry gets nothing', async () => {
  const description = await offerOf(agent.url, tasks[0] as string);
  await chain.increaseTime({ seconds: 1_000 });
  const [id] = await escrow.order(thief, [{ description, budget: price }]);
  expect(await notify(id as bigint)).toMatchObject({ status: 'rejected', reason: 'offer_expired' });
  expect((await escrow.submissions()).has(id as bigint)).toBe(false);
});
