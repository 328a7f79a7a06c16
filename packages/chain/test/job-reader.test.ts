import { BowlineError } from '@bowline/core/domain/result';
import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../lab/world/chain.ts';
import { deployEscrow, type Escrow as Local } from '../../../lab/world/escrow.ts';
import { type LocalChain, startLocalChain } from '../../../lab/world/fork.ts';
import { alice, bob } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { connectEscrow } from '../escrow.ts';
import { repeat, stranger } from './many-plans.ts';
import { type RpcProxy, refuse, startRpcProxy } from './rpc-proxy.ts';

// AG-180. Jobs on the escrow's stand-in, most of them a stranger's, read through a proxy that a test can cut off.

const junk = 1_200;
const abi = parseAbi([
  'function createJob(address provider, address evaluator, uint256 expiredAt, string description, address hook) returns (uint256)',
  'function setProvider(uint256 jobId, address provider, bytes optParams)',
  'function setBudget(uint256 jobId, uint256 amount, bytes optParams)',
  'function registerJob(uint256 jobId, address policy)',
  'function fund(uint256 jobId, uint256 expectedBudget, bytes optParams)',
  'function reject(uint256 jobId, bytes32 reason, bytes optParams)',
]);

let local: LocalChain;
let proxy: RpcProxy;
let at: Local;
let expiry: bigint;
const seller = alice;
const buyer = bob;

const escrow = () => connectEscrow(connectChain(proxy.url), at);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i + 1));
const creation = (provider: Address, description: string) =>
  ({ abi, functionName: 'createJob', args: [provider, at.router, expiry, description, at.router] }) as const;

beforeAll(async () => {
  local = await startLocalChain();
  proxy = await startRpcProxy(local.url);
  const chain = connect(local.url);
  at = await deployEscrow(chain, 600);
  expiry = (await chain.getBlock()).timestamp + 86_400n;
  // Descriptions as long as an offer's.
  const call = encodeFunctionData(creation(seller, 'x'.repeat(700)));
  await repeat(chain, stranger(1), at.commerce, call, junk, 16);
  await chain.send(buyer, at.commerce, creation(seller, 'funded'));
  const id = BigInt(junk + 1);
  await chain.send(buyer, at.router, { abi, functionName: 'registerJob', args: [id, at.policy] });
  await chain.send(buyer, at.commerce, { abi, functionName: 'setBudget', args: [id, 0n, '0x'] });
  await chain.send(buyer, at.commerce, { abi, functionName: 'fund', args: [id, 0n, '0x'] });
  await chain.send(buyer, at.commerce, creation(zeroAddress, 'nobody yet'));
  await chain.send(buyer, at.commerce, creation(bob, 'of somebody else'));
  // Costs more to read than any job with an offer.
  await chain.send(buyer, at.commerce, creation(seller, 'y'.repeat(20_000)));
}, 120_000);
afterAll(async () => {
  await proxy?.stop();
  await local?.stop();
});
afterEach(() => {
  proxy.fate = () => 'answered';
  proxy.tell = () => {};
  proxy.ask = () => {};
});

test('AG-180: the heads of 1,204 jobs take five calls, whatever they describe', async () => {
  const reader = await escrow();
  proxy.requests = 0;
  const { jobs, unread } = await reader.heads(upTo(junk + 5), seller);
  // No job has this number yet.
  expect(unread).toEqual([BigInt(junk + 5)]);
  expect(proxy.requests).toBeLessThanOrEqual(6);
  expect(jobs.size).toBe(junk + 2);
  const open = { provider: seller, status: 'open', isRouted: true, budget: 0n, expiresAt: expiry, submittedAt: 0n };
  expect(jobs.get(1n)).toEqual({ ...open, id: 1n });
  expect(jobs.get(BigInt(junk + 1))).toEqual({ ...open, id: BigInt(junk + 1), status: 'funded' });
  const { provider: _, ...nobodys } = open;
  expect(jobs.get(BigInt(junk + 2))).toEqual({ ...nobodys, id: BigInt(junk + 2) });
  const [block, count] = [await reader.newestBlock(), await reader.jobCount()];
  expect(count).toBe(BigInt(junk + 4));
  expect(await reader.blockHash(block.number)).toBe(block.hash);
  expect(await reader.blockHash(block.number + 100n)).toBeUndefined();
  expect(await reader.fundedIn(seller, 0n, block.number)).toEqual([BigInt(junk + 1)]);
  expect(await reader.fundedIn(buyer, 0n, block.number)).toEqual([]);
});

test('AG-180: a node that allows a call little gas is asked again for the rest', async () => {
  const reader = await escrow();
  proxy.ask = ({ method, params }) => {
    // Enough gas for a dozen heads.
    if (method === 'eth_call') Object.assign(params[0] as object, { gas: '0x2dc6c0' });
  };
  proxy.requests = 0;
  const { jobs, unread } = await reader.heads(upTo(200), seller);
  expect(unread).toEqual([]);
  expect(jobs.size).toBe(200);
  expect(proxy.requests).toBeGreaterThan(2);
});

test('AG-180: whole jobs are read several to a call, and a missing one takes nothing from the others', async () => {
  const reader = await escrow();
  const ids = [...upTo(12), BigInt(junk + 1), BigInt(junk + 9)];
  proxy.requests = 0;
  const { jobs, unread, block } = await reader.jobs(ids);
  expect(unread).toEqual([BigInt(junk + 9)]);
  expect(proxy.requests).toBeLessThan(9);
  expect(block.timestamp).toBeGreaterThan(0n);
  for (const id of ids.slice(0, -1)) expect(jobs.get(id)).toEqual((await reader.job(id))?.job);
  expect(jobs.get(BigInt(junk + 1))).toMatchObject({ policy: at.policy, status: 'funded', description: 'funded' });
  expect(jobs.get(1n)).toMatchObject({ token: at.token.address, client: stranger(1) });
});

test('AG-180: a node that supposes nothing is asked for whole jobs, and one that says nothing is named', async () => {
  const reader = await escrow();
  const ids = [1n, 2n, ...upTo(5).map((id) => id + BigInt(junk))];
  const expected = (await reader.heads(ids, seller)).jobs;
  for (const kind of ['nothing_supposed', 'refused'] as const) {
    if (kind === 'nothing_supposed') proxy.fate = (_, body) => (body.includes('"code"') ? kind : 'answered');
    else {
      proxy.fate = () => 'answered';
      proxy.tell = ({ params }, answer) => {
        if (params.length > 2) refuse(answer, -32_602, 'too many arguments');
      };
    }
    const { jobs, unread } = await reader.heads(ids, seller);
    // The long job does not block the others.
    expect([...jobs].filter(([id]) => id !== BigInt(junk + 4))).toEqual([...expected]);
    expect(unread).toContain(BigInt(junk + 5));
  }
  proxy.tell = ({ method }, answer) => {
    if (method === 'eth_getLogs') refuse(answer, -32_005, 'limit exceeded');
  };
  expect(await reader.fundedIn(seller, 0n, 1n)).toBeUndefined();
  proxy.fate = () => 'lost';
  await expect(reader.heads(ids, seller)).rejects.toThrow(BowlineError);
});
