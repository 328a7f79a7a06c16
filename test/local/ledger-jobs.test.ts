import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { buildJobDescription } from '@bnbagent/sdk/erc8183';
import type { DeliverableStore } from '@bowline/core/domain/jobs';
import {
  type Address,
  createPublicClient,
  encodeEventTopics,
  type Hex,
  http,
  type Log,
  numberToHex,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectChain } from '../../agent/src/chain/chain-client.ts';
import { connectEscrow } from '../../agent/src/chain/escrow.ts';
import { catalogueFor } from '../../agent/src/seller/catalogue.ts';
import { openDeliverables } from '../../agent/src/seller/deliverables.ts';
import { createOffers, hashManifest } from '../../agent/src/seller/offers.ts';
import { type RpcProxy, refuse, startRpcProxy } from '../../agent/test/chain/rpc-proxy.ts';
import { payoutsOf } from '../../script/ledger/jobs.ts';
import { salesLedger } from '../../script/ledger/sales.ts';
import { type Chain, connect } from '../../script/local/chain.ts';
import { deployEscrow, type Escrow } from '../../script/local/escrow.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../script/local/fork.ts';
import { treasurer } from '../../script/local/replica.ts';
import { escrowBuyers, type Order } from '../e2e/escrow-buyers.ts';
import { bob, carol, alice as seller } from './accounts.ts';

// AG-246 to AG-252. Sales on the real local escrow, without an agent: what the ledger must find is done by hand.

/** Alice's, for whom the node signs, too. */
const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const price = 3n * 10n ** 18n;
const windowSeconds = 60;
const abi = parseAbi([
  'function submit(uint256 jobId, bytes32 deliverable, bytes optParams)',
  'function settle(uint256 jobId, bytes evidence)',
  'function claimRefund(uint256 jobId)',
  'function dispute(uint256 jobId)',
  'function voteReject(uint256 jobId)',
  'event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

let local: LocalChain;
let node: RpcProxy;
let chain: Chain;
let escrow: Escrow;
let buyers: ReturnType<typeof escrowBuyers>;
let folder: string;
let store: DeliverableStore;
let start: Hex;

beforeAll(async () => {
  local = await startLocalChain();
  node = await startRpcProxy(local.url);
  chain = connect(local.url);
  escrow = await deployEscrow(chain, windowSeconds);
  buyers = escrowBuyers(chain, escrow, seller);
  for (const buyer of [bob, carol]) await buyers.equip(buyer, 100n * price);
  start = await chain.snapshot();
  await clean();
}, 120_000);

/** Each test has the escrow, and the folder, for itself. */
async function clean(): Promise<void> {
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  store = await openDeliverables(pathToFileURL(`${folder}/`), hashManifest);
  node.tell = () => {};
}

afterEach(async () => {
  await chain.revert({ id: start });
  start = await chain.snapshot();
  await clean();
});

afterAll(async () => {
  await node?.stop();
  await local?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const now = async () => (await chain.getBlock()).timestamp;

async function pass(seconds: number): Promise<void> {
  await chain.increaseTime({ seconds });
  await chain.mine({ blocks: 1 });
}

let offersMade = 0;
async function offer(client?: Address): Promise<{ hash: Hex; description: string }> {
  const [made, currency] = [await now(), escrow.token.address];
  const options = { account, chainId: localChainId, commerce: escrow.commerce, currency, price, clock: () => made };
  const terms = { deliverables: 'a report', quality_standards: 'cites its sources' };
  const task_description = `Is BTCB fairly priced to buy for ${++offersMade} USD?`;
  const envelope = await createOffers(options).make({ task_description, terms }, catalogueFor(client));
  return { hash: envelope.negotiation_hash as Hex, description: buildJobDescription(envelope) };
}

/** A job that a buyer has funded. */
async function sold(changes: Partial<Order> = {}, by: Address = bob): Promise<{ id: bigint; offerHash: Hex }> {
  const { hash: offerHash, description } = await offer();
  const [id] = await buyers.order(by, [{ description, budget: price, ...changes }]);
  return { id: id as bigint, offerHash };
}

const manifestOf = (id: bigint, offerHash: Hex, content = '# GO') => {
  const { commerce, router, policy } = escrow;
  return {
    version: 1,
    job_id: Number(id),
    chain_id: localChainId,
    contracts: { commerce, router, policy },
    response: { content, content_type: 'text/plain' },
    metadata: { kind: 'verdict_report', negotiation_hash: offerHash },
  };
};

/** As the agent does: kept first, then submitted. Answers the file. */
async function deliver({ id, offerHash }: { id: bigint; offerHash: Hex }): Promise<string> {
  const manifest = manifestOf(id, offerHash);
  const hash = hashManifest(manifest);
  await store.put({ hash, offerHash, manifest });
  await chain.send(seller, escrow.commerce, { abi, functionName: 'submit', args: [id, hash, '0x'] });
  return join(folder, `${offerHash}-${hash}.json`);
}

const settle = (id: bigint) => chain.send(bob, escrow.router, { abi, functionName: 'settle', args: [id, '0x'] });

/** A whole sale. Answers its number and file. */
async function complete(): Promise<{ id: bigint; file: string }> {
  const sale = await sold();
  const file = await deliver(sale);
  await pass(windowSeconds);
  await settle(sale.id);
  return { id: sale.id, file };
}

const ledger = (from = 0n) =>
  salesLedger({
    rpc: node.url,
    client: createPublicClient({ transport: http(node.url), cacheTime: 0 }),
    chainId: localChainId,
    escrow,
    sellers: [seller],
    deliverables: pathToFileURL(`${folder}/`),
    from,
  });
const equal = { differences: 0, unread: [] };
const differs = (line: string | RegExp) => ({
  differences: 1,
  unread: [],
  lines: expect.arrayContaining([expect.stringMatching(line)]),
});

test('AG-246, AG-247: an honest sale equals, and the escrow’s transfer to us is what proves it', async () => {
  const { id } = await complete();
  const found = await ledger();
  expect(found).toMatchObject(equal);
  const { deliverable } = await buyers.jobOf(id);
  expect(found.lines[1]).toMatch(
    new RegExp(
      `^job ${id}: completed; budget 3 Local Dollar; paid 3 Local Dollar by transaction 0x\\w{64}; delivered as ${deliverable}$`,
    ),
  );
  expect(found.lines).toContain('1 completed, of 3 Local Dollar: 1 transfers have paid 3 Local Dollar.');
});

describe('AG-248: a paid job that is not delivered', () => {
  test('is found at once, and until its money has gone back', async () => {
    const { id, offerHash } = await sold();
    expect(await ledger()).toMatchObject(differs(`^paid_not_delivered: job ${id}: funded; budget 3 Local Dollar$`));
    // Made, and never submitted: told once, with its job.
    const manifest = manifestOf(id, offerHash);
    await store.put({ hash: hashManifest(manifest), offerHash, manifest });
    expect(await ledger()).toMatchObject(differs('^paid_not_delivered: '));
    await pass(3_600);
    expect(await ledger()).toMatchObject(differs('^paid_not_delivered: '));
    await chain.send(bob, escrow.commerce, { abi, functionName: 'claimRefund', args: [id] });
    expect(await ledger()).toMatchObject(differs('^delivery_of_no_job: '));
    rmSync(folder, { recursive: true, force: true });
    const found = await ledger();
    expect(found).toMatchObject(equal);
    expect(found.lines[1]).toBe(`job ${id}: expired, refunded; budget 3 Local Dollar`);
  });

  test('is one that the seller’s check list takes: strangers cannot make it fail', async () => {
    const { description } = await offer();
    const bound = await offer(carol);
    const [paid, copied] = await buyers.order(bob, [
      { description, budget: price },
      { description, budget: price },
    ]);
    const junk: Order[] = [
      { description, budget: 1n },
      { description: 'Is BTCB fairly priced? Please.', budget: price },
      { description: bound.description, budget: price },
      { description, budget: price, isOpen: true },
      // Nobody's yet.
      { description, budget: price, isOpen: true, provider: zeroAddress },
    ];
    const [cheap, plain, foreign] = await buyers.order(bob, junk);
    // Of somebody else.
    await buyers.order(bob, [{ description, budget: price, provider: carol }]);
    const found = await ledger();
    expect(found).toMatchObject(differs(`^paid_not_delivered: job ${paid}: `));
    expect(found.lines[0]).toMatch(/: 5 funded or ended, 1 open\.$/);
    for (const [id, refusal] of [
      [copied, 'offer_used'],
      [cheap, 'budget_too_low'],
      [plain, 'no_signed_offer'],
      [foreign, 'foreign_client'],
    ]) {
      expect(found.lines.find((line) => line.startsWith(`job ${id}: `))).toMatch(new RegExp(`; refused, ${refusal}$`));
    }
  });

  test('is no job that was funded too late for the work, or after its offer had expired', async () => {
    const { description } = await offer();
    await pass(1_000);
    await buyers.order(bob, [{ description, budget: price }]);
    const found = await ledger();
    expect(found).toMatchObject(equal);
    expect(found.lines[1]).toMatch(/; refused, offer_expired$/);
  });
});

describe('AG-249: a delivery that is not paid', () => {
  test('is found when its evaluation is over, and not before', async () => {
    const sale = await sold();
    await deliver(sale);
    expect(await ledger()).toMatchObject(equal);
    await pass(windowSeconds);
    expect(await ledger()).toMatchObject(differs(`^delivered_not_paid: job ${sale.id}: submitted; `));
    await pass(3_600);
    await chain.send(bob, escrow.commerce, { abi, functionName: 'claimRefund', args: [sale.id] });
    expect(await ledger()).toMatchObject(differs(`^delivered_not_paid: job ${sale.id}: expired, refunded; `));
  });

  test('is none where the evaluation was against us', async () => {
    const sale = await sold();
    await deliver(sale);
    await chain.send(bob, escrow.policy, { abi, functionName: 'dispute', args: [sale.id] });
    await chain.send(treasurer, escrow.policy, { abi, functionName: 'voteReject', args: [sale.id] });
    expect(await ledger()).toMatchObject(equal);
    await settle(sale.id);
    const found = await ledger();
    expect(found).toMatchObject(equal);
    expect(found.lines[1]).toContain(`job ${sale.id}: rejected, refunded; `);
    expect(found.lines).toContain('1 rejected and 0 expired, of 3 Local Dollar.');
  });

  test('is one that the kernel calls completed and no transfer has paid', async () => {
    const { id } = await complete();
    node.tell = ({ method, params }, answer) => {
      const [{ topics }] = params as [{ topics: string[] }];
      if (method === 'eth_getLogs' && topics.length === 3 && Array.isArray(answer.result))
        answer.result = answer.result.filter(({ address }) => address !== escrow.token.address.toLowerCase());
    };
    expect(await ledger()).toMatchObject(differs(`^delivered_not_paid: job ${id}: completed; `));
    node.tell = () => {};
    // In blocks that were not asked for.
    expect(await ledger((await chain.getBlockNumber()) + 1n)).toMatchObject(differs('^delivered_not_paid: '));
  });

  test('is none where the price was nothing', async () => {
    const { id, offerHash } = await sold({ budget: 0n });
    await deliver({ id, offerHash });
    await pass(windowSeconds);
    await settle(id);
    expect(await ledger()).toMatchObject(equal);
  });
});

describe('AG-250: our files', () => {
  test('lack no deliverable, and none is changed', async () => {
    const { id, file } = await complete();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('# GO', '# NO_GO'));
    expect(await ledger()).toMatchObject(differs(`^deliverable_changed: job ${id}: `));
    writeFileSync(file, text.slice(0, -1));
    expect(await ledger()).toMatchObject(differs(`^deliverable_changed: job ${id}: `));
    rmSync(file);
    expect(await ledger()).toMatchObject(differs(`^deliverable_missing: job ${id}: `));
    // The agent finds it under its own name alone.
    writeFileSync(join(folder, 'other.json'), text);
    expect(await ledger()).toMatchObject({
      differences: 2,
      lines: expect.arrayContaining([
        expect.stringMatching(`^deliverable_changed: job ${id}: `),
        'delivery_of_no_job: other.json',
      ]),
    });
    rmSync(join(folder, 'other.json'));
    writeFileSync(file, text);
    expect(await ledger()).toMatchObject(equal);
  });

  test('hold a delivery for each job: that of another job is none', async () => {
    const [{ id, offerHash }, other] = [await sold(), await sold()];
    await deliver({ id, offerHash });
    const { deliverable } = await buyers.jobOf(id);
    const args = [other.id, deliverable, '0x'] as const;
    await chain.send(seller, escrow.commerce, { abi, functionName: 'submit', args });
    expect(await ledger()).toMatchObject(differs(`^deliverable_changed: job ${other.id}: `));
  });

  test('hold no delivery that no job has, whatever it says of itself', async () => {
    const { id, file } = await complete();
    const other = await sold();
    await deliver(other);
    const { hash: unsold } = await offer();
    const put = async (jobId: bigint, offerHash: Hex, content: string): Promise<string> => {
      const manifest = manifestOf(jobId, offerHash, content);
      const hash = hashManifest(manifest);
      await store.put({ hash, offerHash, manifest });
      return `${offerHash}-${hash}.json`;
    };
    const [name = ''] = file.split('/').slice(-1);
    const copy = name.replace(/^0x../, '0xff');
    copyFileSync(file, join(folder, copy));
    writeFileSync(join(folder, 'stray.json'), 'nothing');
    const forged = [
      await put(99n, unsold, 'of a job that there is not'),
      await put(id, other.offerHash, 'of a job that has another delivery'),
      await put(other.id, other.offerHash, 'a second one'),
      copy,
      'stray.json',
    ];
    // Not of the deliveries.
    for (const each of ['jobs.json', 'registration.json', `${name}.part`]) writeFileSync(join(folder, each), '{}');
    const found = await ledger();
    expect(found).toMatchObject({ differences: forged.length, unread: [] });
    expect(found.lines.filter((line) => line.startsWith('delivery_of_no_job: ')).toSorted()).toEqual(
      forged.map((each) => `delivery_of_no_job: ${each}`).toSorted(),
    );
  });
});

test('AG-251: a node that refuses logs hides no job, and what it does not show is named', async () => {
  const { id } = await complete();
  node.tell = ({ method }, answer) => {
    if (method === 'eth_getLogs') refuse(answer, -32_601, 'not supported');
  };
  const found = await ledger();
  expect(found.differences).toBe(0);
  expect(found.lines[1]).toMatch(new RegExp(`^job ${id}: completed; budget 3 Local Dollar; delivered as 0x`));
  expect(found.unread).toEqual([
    expect.stringMatching(/^the logs of blocks 0 to \d+, which show what jobs paid \(.+\)$/),
    `what job ${id} paid, which is completed (payment_unread)`,
  ]);
  // Without the log it is not known when the job was funded: it counts as owed.
  const { id: owed } = await sold();
  expect((await ledger()).lines.join('\n')).toContain(`paid_not_delivered: job ${owed}: funded`);
});

test('AG-251: a node that does not say whether a job is approved is named', async () => {
  const sale = await sold();
  await deliver(sale);
  node.tell = ({ params }, answer) => {
    const [call] = params as [{ to?: string } | undefined];
    if (call?.to?.toLowerCase() === escrow.policy.toLowerCase() && JSON.stringify(call).includes('e57deb39'))
      refuse(answer, -32_000, 'missing trie node');
  };
  expect(await ledger()).toMatchObject({ unread: [expect.stringMatching(`^whether job ${sale.id} is approved`)] });
});

test('AG-251: a job that the node does not give is named', async () => {
  await complete();
  node.tell = ({ params }, answer) => {
    const [call] = params as [{ data?: string } | undefined];
    // As if there were one more.
    if (call?.data === toFunctionSelector('jobCounter()')) answer.result = numberToHex(2, { size: 32 });
  };
  expect(await ledger()).toMatchObject({ differences: 0, unread: ['job 2'] });
});

test('AG-247: one transfer pays one job: of its token, to its provider, of what was released, in the same transaction', async () => {
  const ids = [(await sold()).id, (await sold()).id];
  const { jobs } = await (await connectEscrow(connectChain(node.url), escrow)).jobs(ids);
  const job = jobs.get(ids[0] as bigint);
  if (job === undefined) throw new Error('There is no job.');
  let count = 0;
  const log = (address: Address, topics: unknown, value: bigint, transaction: number) =>
    ({
      address,
      topics,
      data: numberToHex(value, { size: 32 }),
      blockNumber: 1n,
      logIndex: count++,
      transactionHash: numberToHex(transaction, { size: 32 }),
    }) as unknown as Log<bigint, number, false>;
  const moved = ({ value = price, from = escrow.commerce, to = seller, token = escrow.token.address, at = 1 } = {}) =>
    log(token, encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }), value, at);
  const released = (jobId = job.id, by = escrow.commerce) =>
    log(by, encodeEventTopics({ abi, eventName: 'PaymentReleased', args: { jobId, provider: seller } }), price, 1);
  const paid = (...logs: Log<bigint, number, false>[]) => [
    ...payoutsOf([...jobs.values()], logs, escrow.commerce).keys(),
  ];
  expect(paid(moved(), released())).toEqual([ids[0]]);
  expect(paid(moved(), released(), moved(), released(ids[1]))).toEqual(ids);
  expect(paid(moved(), released(), released(ids[1]))).toEqual([ids[0]]);
  expect(paid(released(), moved())).toEqual([]);
  expect(paid(released())).toEqual([]);
  expect(paid(moved())).toEqual([]);
  for (const other of [{ value: price - 1n }, { from: bob }, { to: bob }, { token: bob }, { at: 2 }]) {
    expect(paid(moved(other), released())).toEqual([]);
  }
  expect(paid(moved(), released(job.id, bob))).toEqual([]);
});

describe('AG-252: the command', { tags: 'long' }, () => {
  test('needs no agent, exits with 0 only if all is equal and read, and names what it could not read', async () => {
    const record = mkdtempSync(join(tmpdir(), 'ledger-record-'));
    onTestFinished(() => rmSync(record, { recursive: true }));
    const own = ['revocations', 'venusMarket', 'loanGuard', 'venusPriceSource', 'chainlinkPriceSource'].concat(
      ...['planRegistry', 'swapExecutor'],
    );
    const addresses = Object.fromEntries(own.map((name) => [name, escrow.commerce]));
    writeFileSync(
      join(record, `${localChainId}.json`),
      JSON.stringify({ chainId: localChainId, ...addresses, escrow }),
    );
    const run = (...args: string[]) =>
      promisify(execFile)(
        process.execPath,
        [
          ...['--import', 'tsx', 'script/ledger.ts', '--agent', 'http://127.0.0.1:9', '--rpc', node.url],
          ...['--deployments', record, '--deliverables', folder, '--payments', folder, '--seller', seller, ...args],
        ],
        { cwd: fileURLToPath(new URL('../../', import.meta.url)), env: { PATH: process.env.PATH } },
      ).then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
      );
    const { id, file } = await complete();
    const whole = await run();
    expect(whole.said).toContain(`job ${id}: completed; `);
    const later = ['--jobs-from', `${(await chain.getBlockNumber()) + 1n}`];
    expect(await run(...later)).toMatchObject({ code: 1, said: expect.stringContaining('delivered_not_paid: job ') });
    expect(whole).toMatchObject({ code: 0, said: expect.stringMatching(/The chain and the answers are equal\.\n$/) });
    rmSync(file);
    expect(await run()).toMatchObject({ code: 1, said: expect.stringContaining('deliverable_missing: job ') });
    expect(await run('--jobs-from', 'x')).toEqual({ code: 1, said: '--jobs-from must be a block number.\n' });
    expect(await run('--seller', carol)).toMatchObject({ code: 0 });
    node.tell = ({ method }, answer) => {
      if (method === 'eth_getLogs') refuse(answer, -32_005, 'limit exceeded');
    };
    const refused = await run();
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining(`deliverable_missing: job ${id}: `) });
    expect(refused.said).toContain('not read: payments for answers (');
    expect(refused.said).toContain('not read: the logs of blocks ');
    expect(refused.said).not.toContain('equal');
    node.tell = () => {};
    expect(await run('--deployments', folder)).toMatchObject({
      code: 1,
      said: expect.stringContaining('not read: jobs ('),
    });
  });
});
