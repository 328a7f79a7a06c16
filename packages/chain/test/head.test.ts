import { timers } from '@bowline/http/clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepLog } from '../../../agent/test/loops/world.ts';
import { type Anvil, startAnvil } from '../../../lab/world/anvil.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { watchHeads } from '../head.ts';
import { httpNodes, openNodes } from '../nodes/nodes.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

let node: Anvil;
let chain: Chain;
let proxy: RpcProxy;
let end: () => void;
const at = { now: 1_000n };
const log = keepLog();
let blocks = 0;

beforeEach(async () => {
  node = await startAnvil([]);
  chain = connect(node.url);
  proxy = await startRpcProxy(node.url);
  log.lines.length = 0;
  blocks = 0;
});
afterEach(async () => {
  end();
  await proxy?.stop();
  await node?.stop();
});

function watch(): void {
  const clock = () => at.now;
  const nodes = openNodes(httpNodes([proxy.url]), { chainId: 31337, clock, timers, log });
  const heads = watchHeads({ nodes, pollMs: 10, clock, timers, log });
  heads.onHead(() => {
    blocks += 1;
  });
  end = heads.stop;
}

/** Waits for more than `count` further polls. */
async function looks(count: number): Promise<void> {
  const before = proxy.methods.length;
  await expect.poll(() => proxy.methods.length, { timeout: 10_000, interval: 5 }).toBeGreaterThan(before + count);
}

const events = () => log.lines.map(({ event }) => event);

test('tells of the block there is and of every new one, with one question a look', async () => {
  watch();
  await looks(3);
  expect(blocks).toBe(1);
  await chain.mine({ blocks: 1 });
  await looks(2);
  expect(blocks).toBe(2);
  await chain.mine({ blocks: 5 });
  await looks(2);
  expect(blocks).toBe(3);
  expect(new Set(proxy.methods)).toEqual(new Set(['eth_getBlockByNumber']));
  expect(log.lines).toEqual([]);
});

test('asks nothing while an answer is on its way, and nothing when it has been ended', async () => {
  let answer = () => {};
  proxy.fate = () =>
    new Promise((resolve) => {
      answer = () => resolve('answered');
    });
  watch();
  await expect.poll(() => proxy.methods.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(proxy.methods).toHaveLength(1);
  end();
  answer();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(proxy.methods).toHaveLength(1);
  expect(blocks).toBe(0);
});

test('a node that stays where it is, or is lost, is told of once, and once when it is back', async () => {
  watch();
  await looks(2);
  at.now += 14n;
  await looks(3);
  expect(events()).toEqual([]);
  at.now += 1n;
  await looks(3);
  expect(log.lines).toEqual([{ event: 'head.silent', number: await chain.getBlockNumber(), error: undefined }]);
  proxy.fate = () => 'lost';
  await looks(8);
  expect(events()).toEqual(['head.silent']);
  expect(blocks).toBe(1);
  // The listener is called as soon as the node answers, without a new block.
  proxy.fate = () => 'answered';
  await looks(3);
  expect(events()).toEqual(['head.silent']);
  expect(blocks).toBe(2);
  await chain.mine({ blocks: 1 });
  await looks(3);
  expect(events()).toEqual(['head.silent', 'head.back']);
  expect(blocks).toBe(3);
  at.now += 15n;
  await looks(3);
  await chain.mine({ blocks: 1 });
  await looks(3);
  expect(events()).toEqual(['head.silent', 'head.back', 'head.silent', 'head.back']);
});

test('a node that was never there is told of with its error', async () => {
  proxy.fate = () => 'lost';
  watch();
  await looks(4);
  at.now += 15n;
  await looks(8);
  expect(log.lines).toEqual([{ event: 'head.silent', number: undefined, error: expect.any(Error) }]);
  expect(blocks).toBe(0);
});

test('a chain that was set back goes on from there', async () => {
  const id = await chain.snapshot();
  await chain.mine({ blocks: 9 });
  watch();
  await looks(2);
  await chain.revert({ id });
  await chain.mine({ blocks: 1 });
  await looks(2);
  expect(blocks).toBe(1);
  at.now += 15n;
  await looks(2);
  await chain.mine({ blocks: 1 });
  await looks(2);
  expect(blocks).toBe(2);
});
