import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectChain } from '@bowline/chain/chain-client';
import { timers } from '@bowline/http/clock';
import { type Hex, keccak256, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '../../../lab/world/anvil.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { type RpcProxy, startRpcProxy } from '../../../packages/chain/test/rpc-proxy.ts';
import { createBroadcast, withPrivateRuns } from '../../src/sending/eoa/sender.ts';
import { connectBundlers } from '../../src/sending/wallet/bundler.ts';
import { keepLog } from '../loops/world.ts';

const executor = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';
const account = privateKeyToAccount(generatePrivateKey());
let node: Anvil;
let chain: Chain;
let lines: RpcProxy[];
let nonce = 0;
const log = keepLog();

beforeAll(async () => {
  node = await startAnvil([]);
  chain = connect(node.url);
  await chain.setBalance({ address: account.address, value: parseEther('1') });
});
afterAll(() => node?.stop());
beforeEach(async () => {
  lines = await Promise.all([1, 2, 3].map(() => startRpcProxy(node.url)));
});
afterEach(() => Promise.all(lines.map((line) => line.stop())));

const clients = (...at: number[]) => at.map((each) => connectChain(lines[each]?.url ?? ''));
const gets = () => lines.map(({ methods }) => methods.filter((method) => method === 'eth_sendRawTransaction').length);

async function signed(data: Hex = '0x', gasPrice = 2_000_000_000n): Promise<{ raw: Hex; hash: Hex }> {
  const base = { type: 'legacy', chainId: 31_337, to: account.address, gas: 100_000n } as const;
  const raw = await account.signTransaction({ ...base, nonce: nonce++, gasPrice, data });
  return { raw, hash: keccak256(raw) };
}

// AG-62
test('a transaction goes to all nodes at once, and those that have it already agree', async () => {
  const { raw, hash } = await signed();
  expect(await createBroadcast(clients(0, 1, 2), log).send(raw, hash, account.address)).toBe('taken');
  await expect.poll(gets).toEqual([1, 1, 1]);
  expect((await chain.waitForTransactionReceipt({ hash })).status).toBe('success');
});

test('it is sent as soon as one node takes it, whatever becomes of the others', async () => {
  if (lines[0] && lines[1]) {
    lines[0].fate = () => new Promise<never>(() => {});
    lines[1].fate = () => 'lost';
  }
  const { raw, hash } = await signed();
  const begun = timers.now();
  expect(await createBroadcast(clients(0, 1, 2), log).send(raw, hash, account.address)).toBe('taken');
  expect(timers.now() - begun).toBeLessThan(1_000);
});

test('it is refused only if every node refuses it: one that is silent may have it', async () => {
  const { raw, hash } = await signed('0x', 0n);
  nonce -= 1;
  const broadcast = createBroadcast(clients(0, 1, 2), log);
  expect(await broadcast.send(raw, hash, account.address)).toBe('refused');
  if (lines[1]) lines[1].fate = () => 'lost';
  expect(await broadcast.send(raw, hash, account.address)).toBe('unknown');
});

test('what is mined while it is broadcast again was sent, and nothing is wrong', async () => {
  const { raw, hash } = await signed();
  const kept = keepLog();
  const broadcast = createBroadcast(clients(0), kept);
  expect(await broadcast.send(raw, hash, account.address)).toBe('taken');
  await expect.poll(() => chain.getTransactionReceipt({ hash }).catch(() => undefined)).toBeDefined();
  expect(await broadcast.send(raw, hash, account.address)).toBe('taken');
  expect(lines[0]?.methods).toContain('eth_getTransactionByHash');
  expect(kept.lines).toEqual([]);
});

test('a run goes to the private relay alone, and a rescue everywhere', async () => {
  const everywhere = createBroadcast(clients(0, 1, 2), log);
  const broadcast = withPrivateRuns(everywhere, createBroadcast(clients(2), log), executor, 12);
  const run = await signed(`0x1234${executor.slice(2)}00`);
  expect(await broadcast.send(run.raw, run.hash, account.address)).toBe('taken');
  expect(gets()).toEqual([0, 0, 1]);
  const rescue = await signed('0x1234');
  expect(await broadcast.send(rescue.raw, rescue.hash, account.address)).toBe('taken');
  await expect.poll(gets).toEqual([1, 1, 2]);
});

test('every bundler gets an operation, and one that takes it is enough', async () => {
  const [first, second, third] = lines;
  if (!first || !second || !third) return;
  first.fate = () => 'lost';
  second.tell = (_, answer) => {
    delete answer.error;
    answer.result = `0x${'0'.repeat(63)}1`;
  };
  const bundler = connectBundlers(
    lines.map(({ url }) => url),
    executor,
    log,
  );
  const operation = {
    sender: account.address,
    nonce: 0n,
    callData: '0x',
    signature: '0x',
    ...{ callGasLimit: 1n, verificationGasLimit: 1n, preVerificationGas: 1n },
    ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
  } as const;
  expect(await bundler.take(operation as never)).toBe(true);
  await expect.poll(() => lines.map(({ methods }) => methods)).toEqual(lines.map(() => ['eth_sendUserOperation']));
  second.fate = () => 'lost';
  expect(await bundler.take(operation as never)).toBe(false);
  second.fate = () => 'answered';
  const carrier = `0x${'cd'.repeat(32)}` as const;
  third.tell = (_, answer) => {
    delete answer.error;
    answer.result = { receipt: { transactionHash: carrier } };
  };
  second.tell = () => {};
  expect(await bundler.carrierOf?.(`0x${'ab'.repeat(32)}`)).toBe(carrier);
});

test('a bundler that never ends its answer holds nobody up', async () => {
  const server = createServer((_, response) => void response.writeHead(200).write('{"jsonrpc":"2.0",'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const bundler = connectBundlers([`http://127.0.0.1:${port}`], executor, log);
    expect(await bundler.carrierOf?.(`0x${'ab'.repeat(32)}`)).toBeUndefined();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
