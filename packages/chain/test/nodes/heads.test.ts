import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import type { Head } from '@bowline/core/domain/heads';
import { clock, timers } from '@bowline/http/clock';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { keepLog } from '../../../../agent/test/loops/world.ts';
import { type Anvil, startAnvil } from '../../../../lab/world/anvil.ts';
import { type Chain, connect } from '../../../../lab/world/chain.ts';
import { watchHeads } from '../../head.ts';
import { httpNodes, openNodes } from '../../nodes/nodes.ts';
import { subscribeTo } from '../../nodes/subscription.ts';
import { type RpcProxy, startRpcProxy } from '../rpc-proxy.ts';

let node: Anvil;
let chain: Chain;
let lines: RpcProxy[] = [];
let stop = () => {};
let heads: Head[];
let log: ReturnType<typeof keepLog>;

beforeAll(async () => {
  node = await startAnvil([]);
  chain = connect(node.url);
});
afterAll(() => node?.stop());
beforeEach(() => {
  heads = [];
  log = keepLog();
});
afterEach(async () => {
  stop();
  await Promise.all(lines.map((line) => line.stop()));
  lines = [];
});

async function watch(count: number, pollMs: number, prepare = () => {}, webSocketUrls: readonly string[] = []) {
  lines = await Promise.all(Array.from({ length: count }, () => startRpcProxy(node.url)));
  prepare();
  const urls = lines.map(({ url }) => url);
  const nodes = openNodes(httpNodes(urls), { chainId: 31_337, clock, timers, log });
  const subscriptions = webSocketUrls.map(subscribeTo);
  const watched = watchHeads({ nodes, subscriptions, pollMs, clock, timers, log });
  watched.onHead((head) => void heads.push(head));
  stop = watched.stop;
  return watched;
}

const mine = async (): Promise<bigint> => {
  await chain.mine({ blocks: 1 });
  return chain.getBlockNumber();
};
const newest = () => heads.at(-1)?.number;
const hang = () => new Promise<never>(() => {});

// AG-59
test('one call that hangs does not hide the next block', async () => {
  let isFirst = true;
  await watch(1, 20, () => {
    const [line] = lines;
    if (line === undefined) return;
    line.fate = () => {
      if (!isFirst) return 'answered';
      isFirst = false;
      return hang();
    };
  });
  const number = await mine();
  await expect.poll(newest, { timeout: 1_500, interval: 20 }).toBe(number);
});

test('of several nodes the first to tell a block is heard, once, and one that hangs holds up nobody', async () => {
  await watch(3, 20, () => {
    if (lines[0]) lines[0].fate = hang;
  });
  for (let blocks = 0; blocks < 3; blocks += 1) {
    const number = await mine();
    await expect.poll(newest, { timeout: 2_000, interval: 10 }).toBe(number);
  }
  expect(new Set(heads.map(({ number }) => number)).size).toBe(heads.length);
  const { number, timestamp, hash } = await chain.getBlock();
  expect(heads.at(-1)).toEqual({ number, timestamp, hash });
});

test.each([2, 3])('of %i nodes one tells absurd numbers: nobody acts on them', async (count) => {
  await watch(count, 20, () => {
    if (lines[0]) {
      lines[0].tell = (_, { result }) => {
        if (typeof result === 'object' && result !== null) Object.assign(result, { number: '0xfffffff' });
      };
    }
  });
  const number = await mine();
  await expect.poll(newest, { timeout: 2_000, interval: 10 }).toBe(number);
  const next = await mine();
  await expect.poll(newest, { timeout: 2_000, interval: 10 }).toBe(next);
  expect(log.lines).toContainEqual({ event: 'node.passed_over', node: '1 (127.0.0.1)', reason: 'absurd_head' });
});

test('silence is logged once when all nodes are away, and each listener is called when one is back', async () => {
  await watch(2, 20);
  await expect.poll(() => heads.length).toBe(1);
  for (const line of lines) line.fate = () => 'lost';
  await expect.poll(() => log.lines.filter(({ event }) => event === 'node.passed_over').length).toBe(2);
  const [first] = lines;
  if (first) first.fate = () => 'answered';
  // A lost request may end after an answered one: then the node is back twice.
  await expect.poll(() => heads.length).toBeGreaterThanOrEqual(2);
  expect(new Set(heads.map(({ number }) => number)).size).toBe(1);
});

/** A connection to the node that can be cut or frozen. While frozen, the node's data is dropped, until the cut. */
async function startLine(): Promise<{ readonly url: string; cut(): void; freeze(): void; stop(): void }> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server: Server = createServer((near) => {
    const far = connectTo(Number(new URL(node.url).port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    far.on('data', (data) => isFrozen || near.write(data));
    near.pipe(far);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const freeze = () => {
    isFrozen = true;
  };
  const cut = () => {
    isFrozen = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    freeze,
    stop: () => {
      server.close();
      cut();
    },
  };
}

test('a WebSocket tells a block at once, and is subscribed to again when it was lost', async () => {
  const line = await startLine();
  try {
    await watch(1, 60_000, () => {}, [line.url]);
    await expect.poll(() => heads.length).toBe(1);
    // The subscription may not be there yet.
    await expect.poll(async () => (await mine()) === newest(), { interval: 100 }).toBe(true);
    const polls = lines[0]?.methods.length;
    const number = await mine();
    await expect.poll(newest, { timeout: 500, interval: 5 }).toBe(number);
    expect(lines[0]?.methods.length).toBe(polls);
    line.cut();
    await expect.poll(() => log.lines.map(({ event }) => event)).toContain('head.subscription_lost');
    await expect.poll(async () => (await mine()) === newest(), { interval: 200 }).toBe(true);
    expect(log.lines.map(({ event }) => event)).toEqual(['head.subscription_lost', 'head.subscribed']);
  } finally {
    stop();
    line.stop();
  }
});

test('while a WebSocket tells blocks, its node is polled every five seconds alone', async () => {
  const line = await startLine();
  try {
    await watch(1, 20, () => {}, [line.url]);
    await expect
      .poll(async () => {
        await mine();
        const before = lines[0]?.methods.length ?? 0;
        await new Promise((resolve) => setTimeout(resolve, 200));
        return (lines[0]?.methods.length ?? 0) - before;
      })
      .toBe(0);
  } finally {
    stop();
    line.stop();
  }
});

test.each([
  ['falls silent', false],
  ['never answers', true],
])('a WebSocket that %s costs no block, and is given up', async (_, isFrozenFirst) => {
  const line = await startLine();
  try {
    if (isFrozenFirst) line.freeze();
    await watch(1, 20, () => {}, [line.url]);
    if (!isFrozenFirst) {
      await expect.poll(async () => (await mine()) === newest(), { interval: 100 }).toBe(true);
      line.freeze();
    }
    const isLost = () => log.lines.some(({ event }) => event === 'head.subscription_lost');
    const began = timers.now();
    while (!isLost() && timers.now() < began + 20_000) {
      const number = await mine();
      await expect.poll(newest, { interval: 5 }).toBe(number);
    }
    expect(isLost()).toBe(true);
    expect(timers.now() - began).toBeGreaterThan(4_000);
    line.cut();
    const events = async () => {
      await mine();
      return log.lines.map(({ event }) => event);
    };
    await expect.poll(events, { interval: 200 }).toContain('head.subscribed');
  } finally {
    stop();
    line.stop();
  }
});
