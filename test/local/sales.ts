import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildJobDescription } from '@bnbagent/sdk/erc8183';
import type { DeliverableStore } from '@bowline/core/domain/jobs';
import { type Address, createPublicClient, type Hex, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { catalogueFor } from '../../agent/src/selling/jobs/catalogue.ts';
import { openDeliverables } from '../../agent/src/selling/jobs/deliverables.ts';
import { createOffers, hashManifest } from '../../agent/src/selling/jobs/offers.ts';
import { jobsLedger } from '../../cli/ledger/jobs.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { deployEscrow, type Escrow } from '../../lab/world/escrow.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { type RpcProxy, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { escrowBuyers, type Order } from '../e2e/escrow-buyers.ts';
import { bob, carol, alice as seller } from './accounts.ts';

// Sales on the real local escrow, without an agent: what the ledger must find is done by hand.

/** Alice's account, for which the node also signs. */
const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
export const price = 3n * 10n ** 18n;
export const windowSeconds = 60;
export const abi = parseAbi([
  'function submit(uint256 jobId, bytes32 deliverable, bytes optParams)',
  'function settle(uint256 jobId, bytes evidence)',
  'function claimRefund(uint256 jobId)',
  'function dispute(uint256 jobId)',
  'function voteReject(uint256 jobId)',
]);

let local: LocalChain;
export let node: RpcProxy;
export let chain: Chain;
export let escrow: Escrow;
export let buyers: ReturnType<typeof escrowBuyers>;
/** The agent's data folder, and its deliverables in it. */
export let data: string;
export let folder: string;
export let store: DeliverableStore;
let start: Hex;

/** Sets up the tests of a file. Each test has the escrow and the folder for itself. */
export function withSales(): void {
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

  afterEach(async () => {
    await chain.revert({ id: start });
    start = await chain.snapshot();
    await clean();
  });

  afterAll(async () => {
    await node?.stop();
    await local?.stop();
    if (data) rmSync(data, { recursive: true, force: true });
  });
}

async function clean(): Promise<void> {
  if (data) rmSync(data, { recursive: true, force: true });
  data = mkdtempSync(join(tmpdir(), 'ledger-'));
  folder = join(data, 'deliverables');
  store = await openDeliverables(pathToFileURL(`${folder}/`));
  node.tell = () => {};
}

const now = async () => (await chain.getBlock()).timestamp;

export async function pass(seconds: number): Promise<void> {
  await chain.increaseTime({ seconds });
  await chain.mine({ blocks: 1 });
}

let offersMade = 0;
export async function offer(client?: Address): Promise<{ hash: Hex; description: string }> {
  const [made, currency] = [await now(), escrow.token.address];
  const options = { account, chainId: localChainId, commerce: escrow.commerce, currency, price, clock: () => made };
  const terms = { deliverables: 'a report', quality_standards: 'cites its sources' };
  const task_description = `Is BTCB fairly priced to buy for ${++offersMade} USD?`;
  const envelope = await createOffers(options).make({ task_description, terms }, catalogueFor(client));
  return { hash: envelope.negotiation_hash as Hex, description: buildJobDescription(envelope) };
}

/** A job that a buyer has funded. */
export async function sold(changes: Partial<Order> = {}, by: Address = bob): Promise<{ id: bigint; offerHash: Hex }> {
  const { hash: offerHash, description } = await offer();
  const [id] = await buyers.order(by, [{ description, budget: price, ...changes }]);
  return { id: id as bigint, offerHash };
}

export const manifestOf = (id: bigint, offerHash: Hex, content = '# GO') => {
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

/** Delivers as the agent does: stores first, then submits. Returns the file. */
export async function deliver({ id, offerHash }: { id: bigint; offerHash: Hex }): Promise<string> {
  const manifest = manifestOf(id, offerHash);
  const hash = hashManifest(manifest);
  await store.put({ hash, offerHash, manifest });
  await chain.send(seller, escrow.commerce, { abi, functionName: 'submit', args: [id, hash, '0x'] });
  return join(folder, `${offerHash}-${hash}.json`);
}

export const settle = (id: bigint) => chain.send(bob, escrow.router, { abi, functionName: 'settle', args: [id, '0x'] });

/** A whole sale. Returns its number and file. */
export async function complete(): Promise<{ id: bigint; file: string }> {
  const sale = await sold();
  const file = await deliver(sale);
  await pass(windowSeconds);
  await settle(sale.id);
  return { id: sale.id, file };
}

export const ledger = (from = 0n) =>
  jobsLedger({
    rpc: node.url,
    client: createPublicClient({ transport: http(node.url), cacheTime: 0 }),
    chainId: localChainId,
    escrow,
    sellers: [seller],
    deliverables: pathToFileURL(`${folder}/`),
    from,
  });
export const equal = { differences: 0, unread: [] };
export const differs = (line: string | RegExp) => ({
  differences: 1,
  unread: [],
  lines: expect.arrayContaining([expect.stringMatching(line)]),
});
