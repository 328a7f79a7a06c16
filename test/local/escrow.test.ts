import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildJobDescription,
  ERC8183Client,
  ERC8183JobOps,
  JobStatus,
  NegotiationHandler,
  REASON_REJECTED,
  Verdict,
} from '@bnbagent/sdk/erc8183';
import { LocalStorageProvider } from '@bnbagent/sdk/storage';
import { EVMWalletProvider } from '@bnbagent/sdk/wallets';
import type { Abi, AbiEvent, AbiItem, AbiParameter, Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { erc20Abi } from '../../lab/world/abis.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { deployEscrow, type Escrow } from '../../lab/world/escrow.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { alice, balance, bob } from './accounts.ts';

// The escrow's stand-in on a fork, with the ecosystem's own library on both sides: as the buyer, and as a seller for
// comparison.

const windowSeconds = 60;
const price = 3n * 10n ** 18n;
/** Well-known development keys: alice sells, bob buys, and the treasurer votes. */
const keys = {
  seller: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  buyer: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  voter: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
} as const;

/** Errors as the library shows them, by their selectors. */
const errors = { PolicyNotSet: '0x32d53d69', NotDecided: '0x17be5b7b', WrongStatus: '0x8e78f0cb' } as const;

let local: LocalChain;
let chain: Chain;
let escrow: Escrow;
let folder: string;
let buyer: ERC8183Client;

// The library logs each of its steps.
const quiet = () => {
  for (const level of ['info', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
};
beforeEach(quiet);

beforeAll(async () => {
  quiet();
  folder = await mkdtemp(join(tmpdir(), 'escrow-'));
  local = await startLocalChain();
  chain = connect(local.url);
  escrow = await deployEscrow(chain, windowSeconds);
  buyer = await clientOf(keys.buyer);
}, 120_000);

afterAll(async () => {
  await local?.stop();
  await rm(folder, { recursive: true });
});

// Without `persist: false` the library would store the key in the home folder.
const wallet = (privateKey: Hex) => new EVMWalletProvider({ password: 'local', privateKey, persist: false });

const network = () => ({
  name: 'local',
  chainId: localChainId,
  rpcUrl: local.url,
  usePaymaster: false,
  registryContract: escrow.commerce,
  commerceContract: escrow.commerce,
  routerContract: escrow.router,
  policyContract: escrow.policy,
});

const clientOf = (key: Hex) => ERC8183Client.create({ walletProvider: wallet(key), network: network() });

/** A separate seller for each job: the library caches the newest block for 4 s, and refuses a newer job. */
const seller = (servicePrice: bigint) =>
  ERC8183JobOps.create({
    walletProvider: wallet(keys.seller),
    network: network(),
    storageProvider: new LocalStorageProvider(folder),
    servicePrice,
    agentUrl: 'http://127.0.0.1:4020',
  });

const request = {
  task_description: 'Is BTCB fairly priced?',
  terms: { deliverables: 'a report', quality_standards: 'cites sources' },
};

/** A job offered by the seller and funded by the buyer. */
async function fund(servicePrice: bigint): Promise<bigint> {
  const asSeller = await clientOf(keys.seller);
  const { timestamp } = await chain.getBlock();
  const handler = await NegotiationHandler.fromErc8183Client(asSeller, {
    servicePrice: servicePrice.toString(),
    walletProvider: wallet(keys.seller),
    // The chain's clock: a fraction of a second behind at first, and ahead after time was increased.
    now: () => Number(timestamp),
  });
  const envelope = (await handler.negotiate(request)).toDict();
  expect(await buyer.verifyNegotiationQuote(envelope, { expectedProvider: alice })).toMatchObject({ valid: true });
  await chain.send(treasurer, escrow.token.address, {
    abi: erc20Abi,
    functionName: 'transfer',
    args: [bob, servicePrice],
  });
  const { jobId } = await buyer.createJob({
    provider: alice,
    expiredAt: timestamp + 3_600n,
    description: buildJobDescription(envelope),
  });
  if (jobId === null) throw new Error('the job was not made');
  await buyer.registerJob(jobId);
  await buyer.setBudget(jobId, servicePrice);
  await buyer.fund(jobId, servicePrice, { expectedToken: escrow.token.address });
  return jobId;
}

async function deliver(jobId: bigint, servicePrice: bigint): Promise<void> {
  const submitted = await (await seller(servicePrice)).submitResult(Number(jobId), '# A report');
  expect(submitted.error).toBeUndefined();
}

async function pass(seconds: number): Promise<void> {
  await chain.increaseTime({ seconds });
  await chain.mine({ blocks: 1 });
}

const holdings = async () => ({
  alice: await balance(chain, alice, escrow.token.address),
  bob: await balance(chain, bob, escrow.token.address),
});

test('a seller by the library offers what the known vector says', async () => {
  const handler = new NegotiationHandler({
    servicePrice: '250000000000000000',
    currency: '0xc70B8741B8B07A6d61E54fd4B20f22Fa648E5565',
    estimatedCompletionSeconds: 90,
    walletProvider: wallet(keys.seller),
    chainId: 97,
    verifyingContract: '0xa206c0517B6371C6638CD9e4a42Cc9f02A33B0DE',
    quoteTtlSeconds: 600,
    now: () => 1_790_000_000,
  });
  const { negotiation_hash, provider_sig } = (
    await handler.negotiate({
      task_description: 'Summarise [wallet] 0xabc… é',
      terms: {
        deliverables: 'markdown report',
        quality_standards: 'cites sources',
        success_criteria: ['has a table'],
      },
    })
  ).toDict();
  expect(negotiation_hash).toBe('0x0d4e933b968ee8eacd3babec52f4e2293d4d9b4283c28e5501f7785ca02dd669');
  expect(provider_sig).toBe(
    '0x3fe77de821652c153ee48c5daa4141cef879959812b9ad9850aea5e17faed4fd4c8cd5bc91e2fd680226dcedb5f1d52ff8a0d4f33beddcc277bc6e0aa36aa0451b',
  );
});

test('work that nobody objects to is paid after the window', async () => {
  const before = await holdings();
  const jobId = await fund(price);
  await deliver(jobId, price);
  expect(await buyer.getDeliverableUrl(jobId)).toBe(`http://127.0.0.1:4020/job/${jobId}/response`);
  await expect(buyer.settle(jobId)).rejects.toThrow(errors.NotDecided);
  await pass(windowSeconds);
  await buyer.settle(jobId);
  expect(await buyer.getJobStatus(jobId)).toBe(JobStatus.COMPLETED);
  expect(await holdings()).toEqual({ alice: before.alice + price, bob: before.bob });
});

test('at a price of 0 the same happens and nothing moves', async () => {
  const before = await holdings();
  const jobId = await fund(0n);
  await deliver(jobId, 0n);
  await pass(windowSeconds);
  await buyer.settle(jobId);
  expect(await buyer.getJobStatus(jobId)).toBe(JobStatus.COMPLETED);
  expect(await holdings()).toEqual(before);
});

test('what is disputed and voted down is refunded', async () => {
  const before = await holdings();
  const jobId = await fund(price);
  await deliver(jobId, price);
  await buyer.dispute(jobId);
  expect(await buyer.getVerdict(jobId)).toEqual([Verdict.PENDING, `0x${'00'.repeat(32)}`]);
  await (await clientOf(keys.voter)).voteReject(jobId);
  expect(await buyer.getVerdict(jobId)).toEqual([Verdict.REJECT, REASON_REJECTED]);
  await buyer.settle(jobId);
  expect(await buyer.getJobStatus(jobId)).toBe(JobStatus.REJECTED);
  expect(await holdings()).toEqual({ alice: before.alice, bob: before.bob + price });
});

test('what nobody works on is refunded after expiry', async () => {
  const before = await holdings();
  const jobId = await fund(price);
  const inflight = await buyer.inflightJobCount();
  await expect(buyer.claimRefund(jobId)).rejects.toThrow(errors.WrongStatus);
  await pass(3_600);
  await buyer.claimRefund(jobId);
  await buyer.markExpired(jobId);
  expect(await buyer.getJobStatus(jobId)).toBe(JobStatus.EXPIRED);
  expect(await buyer.inflightJobCount()).toBe(inflight - 1n);
  expect(await holdings()).toEqual({ alice: before.alice, bob: before.bob + price });
});

test('a job that was not registered cannot be funded', async () => {
  const { timestamp } = await chain.getBlock();
  const { jobId } = await buyer.createJob({ provider: alice, expiredAt: timestamp + 3_600n });
  if (jobId === null) throw new Error('the job was not made');
  await buyer.setBudget(jobId, 0n);
  await expect(buyer.fund(jobId, 0n)).rejects.toThrow(errors.PolicyNotSet);
});

describe('the interface is the one that the library calls', () => {
  /** Parts of proxies and their one-time configuration, which the stand-in does not have. */
  const proxy = [
    ...['AddressEmptyCode', 'ERC1967InvalidImplementation', 'ERC1967NonPayable', 'FailedCall', 'Initialized'],
    ...['InvalidInitialization', 'NotInitializing', 'UPGRADE_INTERFACE_VERSION', 'UUPSUnauthorizedCallContext'],
    ...['UUPSUnsupportedProxiableUUID', 'Upgraded', 'initialize', 'proxiableUUID', 'upgradeToAndCall'],
  ];
  const parts = [
    { name: 'AgenticCommerce', part: 'commerce', absent: [...proxy, 'initializeMultiToken'] },
    {
      name: 'EvaluatorRouter',
      part: 'router',
      absent: [...proxy, 'CommerceSet', 'HasInflightJobs', 'NotPaused', 'setCommerce'],
    },
    {
      name: 'OptimisticPolicy',
      part: 'policy',
      absent: [
        ...['AdminTransferStarted', 'AdminTransferred', 'NotPendingAdmin', 'acceptAdmin', 'pendingAdmin'],
        'transferAdmin',
      ],
    },
  ] as const;

  test.each(parts)('$name', async ({ name, part, absent }) => {
    const theirs = named((buyer[part] as unknown as { abi: Abi }).abi);
    const artifact = new URL(`../../out/${name}.sol/${name}.json`, import.meta.url);
    const ours = named((JSON.parse(await readFile(artifact, 'utf8')) as { abi: Abi }).abi);
    expect([...theirs.keys()].filter((each) => !ours.has(each)).toSorted()).toEqual([...absent].toSorted());
    for (const [each, shape] of ours) expect(shape, each).toBe(theirs.get(each));
  });

  const named = (abi: Abi) =>
    new Map(abi.flatMap((item) => ('name' in item ? [[item.name, shapeOf(item)] as const] : [])));

  /** What a caller depends on: kinds, order and indexed positions, and the names within a struct. */
  function shapeOf(item: AbiItem & { name: string }): string {
    const inputs: readonly Parameter[] = 'inputs' in item ? item.inputs : [];
    const outputs: readonly Parameter[] = 'outputs' in item ? item.outputs : [];
    const effect = 'stateMutability' in item ? item.stateMutability : '';
    return `${item.type} ${item.name}(${inputs.map(typeOf)}) → (${outputs.map(typeOf)}) ${effect}`;
  }

  type Parameter = AbiParameter | AbiEvent['inputs'][number];

  function typeOf(parameter: Parameter): string {
    const parts = 'components' in parameter ? parameter.components : undefined;
    const type = parts ? `(${parts.map((each) => `${typeOf(each)} ${each.name}`)})` : parameter.type;
    return 'indexed' in parameter && parameter.indexed ? `${type} indexed` : type;
  }
});
