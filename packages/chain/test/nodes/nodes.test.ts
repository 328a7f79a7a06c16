import { timers } from '@bowline/http/clock';
import { type Address, type Hex, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepLog } from '../../../../agent/test/loops/world.ts';
import { type Anvil, startAnvil } from '../../../../lab/world/anvil.ts';
import { type Chain, connect } from '../../../../lab/world/chain.ts';
import { connectChain, newestBlock } from '../../chain-client.ts';
import { httpNodes, type Nodes, openNodes } from '../../nodes/nodes.ts';
import { type Answer, type Call, type RpcProxy, refuse, startRpcProxy } from '../rpc-proxy.ts';

const chainId = 31_337;
const someone: Address = '0x00000000000000000000000000000000000000c0';
const source: Address = '0x00000000000000000000000000000000000000ab';
const abi = parseAbi(['function price() view returns (uint256)']);

let node: Anvil;
let chain: Chain;
let lines: RpcProxy[];
let height = 0n;
let now = 0n;
/** Tests mine faster than time passes. */
const clock = () => now;
let log: ReturnType<typeof keepLog>;

beforeAll(async () => {
  node = await startAnvil([]);
  chain = connect(node.url);
  // Answers every call with the number of the block.
  await chain.setCode({ address: source, bytecode: '0x4360005260206000f3' });
});
afterAll(() => node?.stop());
beforeEach(async () => {
  await mine(1);
  // A request that hung in the last test may still end.
  log = keepLog();
});
async function mine(blocks: number): Promise<void> {
  await chain.mine({ blocks, interval: 1 });
  const { number, timestamp } = await chain.getBlock();
  [height, now] = [number, timestamp];
}
afterEach(() => Promise.all(lines.map((line) => line.stop())));

async function open(
  count: number,
): Promise<{ readonly nodes: Nodes; readonly client: ReturnType<typeof connectChain> }> {
  lines = await Promise.all(Array.from({ length: count }, () => startRpcProxy(node.url)));
  const nodes = openNodes(httpNodes(lines.map(({ url }) => url)), { chainId, clock, timers, log });
  return { nodes, client: connectChain(nodes.transport()) };
}

const lookAll = (nodes: Nodes) => Promise.allSettled(Array.from({ length: nodes.count }, (_, at) => nodes.look(at)));
const line = (at: number): RpcProxy => {
  const one = lines[at];
  if (one === undefined) throw new Error('no such line');
  return one;
};
const methodsOf = (at: number) => line(at).methods;
const forget = () => {
  for (const each of lines) each.methods.length = 0;
};
const read = (client: ReturnType<typeof connectChain>) =>
  client.readContract({ address: source, abi, functionName: 'price' });
const events = () => log.lines.map(({ event, reason }) => [event, reason]);
const hang = () => new Promise<never>(() => {});

/** Answers as if the chain had stopped `blocks` blocks ago. */
function lag(at: number, blocks: number): void {
  line(at).ask = ({ params = [] }: Partial<Call>) => {
    const position = params.indexOf('latest');
    if (position >= 0) params[position] = `0x${(height - BigInt(blocks)).toString(16)}`;
  };
}

// AG-59
describe('two nodes', () => {
  test('the first one is asked alone while it answers', async () => {
    const { client } = await open(2);
    expect(await read(client)).toBe(height);
    expect(await client.getBalance({ address: someone })).toBe(0n);
    expect(methodsOf(0)).toEqual(['eth_call', 'eth_getBalance']);
    expect(methodsOf(1)).toEqual([]);
  });

  test('a call that hangs costs a fraction of a second', async () => {
    const { client } = await open(2);
    line(0).fate = hang;
    const begun = performance.now();
    expect(await read(client)).toBe(height);
    expect(performance.now() - begun).toBeLessThan(900);
  });

  test.each([
    ['is away', 'lost', () => {}],
    ['limits requests', 'answered', (_call: Call, answer: Answer) => refuse(answer, -32_007, 'request limit reached')],
  ] as const)('a node that %s is passed over at once, and told of when it is back', async (_, fate, tell) => {
    const { nodes, client } = await open(2);
    line(0).fate = () => fate;
    line(0).tell = tell;
    expect(await read(client)).toBe(height);
    forget();
    expect(await read(client)).toBe(height);
    expect(methodsOf(0)).toEqual([]);
    expect(events()).toEqual([['node.passed_over', 'silent']]);
    line(0).fate = () => 'answered';
    line(0).tell = () => {};
    await lookAll(nodes);
    expect(events()).toEqual([
      ['node.passed_over', 'silent'],
      ['node.back', undefined],
    ]);
    forget();
    await read(client);
    expect(methodsOf(1)).toEqual([]);
  });

  test('a node that is behind is asked last, and first again when it has caught up', async () => {
    const { nodes, client } = await open(2);
    await mine(10);
    lag(0, 9);
    await lookAll(nodes);
    expect(await read(client)).toBe(height);
    expect(log.lines).toEqual([{ event: 'node.passed_over', node: '1 (127.0.0.1)', reason: 'behind' }]);
    // An old answer is better than none.
    line(1).fate = () => 'lost';
    expect(await read(client)).toBe(height - 9n);
    line(1).fate = () => 'answered';
    line(0).ask = () => {};
    await lookAll(nodes);
    expect(nodes.states()).toEqual([{ name: '1 (127.0.0.1)' }, { name: '2 (127.0.0.1)' }]);
  });

  test('a node of another chain is never asked', async () => {
    const { nodes, client } = await open(2);
    line(0).tell = ({ method }, answer) => {
      if (method === 'eth_chainId') answer.result = '0x38';
    };
    await lookAll(nodes);
    line(1).fate = () => 'lost';
    forget();
    await expect(read(client)).rejects.toThrow();
    expect(methodsOf(0)).toEqual([]);
    expect(events()).toContainEqual(['node.passed_over', 'other_chain']);
  });

  test('a refusal that the other node does not share is no answer; that of a contract is', async () => {
    const { client } = await open(2);
    line(0).fate = () => 'refused';
    expect(await read(client)).toBe(height);
    line(0).fate = () => 'answered';
    forget();
    const reverts = { address: source, abi: parseAbi(['error No()']), bytecode: '0x5f5ffd' } as const;
    await chain.setCode({ address: someone, bytecode: reverts.bytecode });
    await expect(client.call({ to: someone })).rejects.toThrow('reverted');
    await chain.setCode({ address: someone, bytecode: '0x' });
    expect(methodsOf(1)).toEqual([]);
  });

  test.each<[string, (answer: Record<string, unknown>) => void]>([
    ['absurdly high', (block) => (block.number = `0x${(height + 1_000_000n).toString(16)}`)],
    ['of tomorrow', (block) => (block.timestamp = `0x${(clock() + 86_400n).toString(16)}`)],
  ])('a head that is %s is not believed', async (_, lie) => {
    const { nodes } = await open(2);
    line(0).tell = (_call, { result }) => {
      if (typeof result === 'object' && result !== null) lie(result as Record<string, unknown>);
    };
    await lookAll(nodes);
    await lookAll(nodes);
    expect(nodes.states()[0]).toEqual({ name: '1 (127.0.0.1)', passedOver: 'absurd_head' });
    expect(await nodes.look(0)).toBeUndefined();
    expect(await nodes.look(1)).toMatchObject({ number: height });
  });
});

/** Answers every call with this price. */
const lieAbout =
  (price: bigint) =>
  ({ method }: Call, answer: Answer): void => {
    if (method === 'eth_call') answer.result = `0x${price.toString(16).padStart(64, '0')}`;
  };

// AG-60
describe('three nodes', () => {
  test('two of them say what is read, at the block of one hash', async () => {
    const { nodes, client } = await open(3);
    await lookAll(nodes);
    await lookAll(nodes);
    forget();
    expect(await read(client)).toBe(height);
    const asked = [0, 1, 2].map((at) => methodsOf(at).toSorted());
    expect(asked).toEqual([['eth_call', 'eth_getBlockByHash'], ['eth_call', 'eth_getBlockByHash'], []]);
  });

  test.each([0, 1, 2])('node %i lies about prices: it is outvoted, and asked no more', async (liar) => {
    const { nodes, client } = await open(3);
    line(liar).tell = lieAbout(666n);
    for (let times = 0; times < 3; times += 1) expect(await read(client)).toBe(height);
    const passedOver = nodes.states().map((state) => state.passedOver);
    expect(passedOver[liar]).toBe(liar === 2 ? undefined : 'outvoted');
    if (liar === 2) return;
    expect(events()).toContainEqual(['node.passed_over', 'outvoted']);
    forget();
    await read(client);
    expect(methodsOf(liar)).toEqual([]);
  });

  test('one lies and one is gone: nothing is said, until the other is back', async () => {
    const { nodes, client } = await open(3);
    line(0).tell = lieAbout(666n);
    line(2).fate = () => 'lost';
    await expect(read(client)).rejects.toThrow();
    expect(nodes.areDisagreeing()).toBe(true);
    expect(events()).toContainEqual(['nodes.disagree', undefined]);
    line(2).fate = () => 'answered';
    expect(await read(client)).toBe(height);
    expect(nodes.areDisagreeing()).toBe(false);
  });

  test('one is gone: the others are enough, without waiting', async () => {
    const { client } = await open(3);
    line(0).fate = hang;
    const begun = performance.now();
    expect(await read(client)).toBe(height);
    expect((await newestBlock(client)).number).toBe(height);
    expect(performance.now() - begun).toBeLessThan(1_500);
  });

  test.each<[string, (block: Record<string, unknown>) => void]>([
    ['an old block for the newest', (block) => (block.number = `0x${(height + 3n).toString(16)}`)],
    ['a block time of ten minutes ago', (block) => (block.timestamp = `0x${(clock() - 600n).toString(16)}`)],
    ['a hash of its own', (block) => (block.hash = `0x${'ab'.repeat(32)}`)],
  ])('one tells %s: the block is that of the others', async (_, lie) => {
    const { client } = await open(3);
    const truth = await chain.getBlock();
    line(0).tell = ({ method }, { result }) => {
      if (method.startsWith('eth_getBlock') && result !== null) lie(result as Record<string, unknown>);
    };
    for (let times = 0; times < 4; times += 1) {
      expect(await newestBlock(client)).toEqual({ number: truth.number, timestamp: truth.timestamp });
      expect(await read(client)).toBe(truth.number);
      expect(await client.getBlockNumber()).toBe(truth.number);
    }
  });

  test('an old hash under a new number does not hide what is new', async () => {
    const { nodes, client } = await open(3);
    const old = await chain.getBlock();
    await mine(3);
    line(0).tell = ({ method, params }, answer) => {
      if (method === 'eth_getBlockByNumber' && params[0] === 'latest') {
        (answer.result as Record<string, unknown>).hash = old.hash;
      }
    };
    await lookAll(nodes);
    await nodes.look(0);
    expect(await read(client)).toBe(height);
  });

  test('a refusal by a contract is agreed on like an answer', async () => {
    const { client } = await open(3);
    await chain.setCode({ address: someone, bytecode: '0x5f5ffd' });
    await mine(1);
    line(0).tell = lieAbout(1n);
    await expect(client.call({ to: someone })).rejects.toThrow('reverted');
    line(0).tell = () => {};
    await chain.setCode({ address: someone, bytecode: '0x' });
  });

  test('what one receipt shows, the next read sees', async () => {
    const { nodes, client } = await open(3);
    await lookAll(nodes);
    await lookAll(nodes);
    const [from] = await chain.request<{ ReturnType: Address[] }>({ method: 'eth_accounts' } as never);
    const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: source }] } as never);
    // The local chain may answer before it has made the block.
    const { blockNumber } = await vi.waitFor(() => client.getTransactionReceipt({ hash }));
    expect(await read(client)).toBe(blockNumber);
    expect(blockNumber).toBe(height + 1n);
  });

  test.each([0, 1, 2])('node %i lies about accounts, prices and receipts: nobody acts on it', async (liar) => {
    const { nodes, client } = await open(3);
    await lookAll(nodes);
    const [from] = await chain.request<{ ReturnType: [Address] }>({ method: 'eth_accounts' } as never);
    const hash = await chain.request<{ ReturnType: Hex }>({
      method: 'eth_sendTransaction',
      params: [{ from, to: source }],
    } as never);
    await chain.receiptOf(hash);
    await lookAll(nodes);
    const state = () =>
      Promise.all([
        client.getTransactionCount({ address: from }),
        client.getTransactionCount({ address: from, blockTag: 'pending' }),
        client.getBalance({ address: from }),
        client.getGasPrice(),
        client.getTransactionReceipt({ hash }).then(({ status, blockNumber }) => ({ status, blockNumber })),
      ]);
    const truth = await state();
    expect(truth[0]).toBeGreaterThan(0);
    for (const lie of ['0x0', '0xf4240', undefined]) {
      line(liar).tell = ({ method }, answer) => {
        if (method === 'eth_getTransactionReceipt') {
          const receipt = answer.result as Record<string, unknown>;
          answer.result = lie === undefined ? null : { ...receipt, status: '0x0', blockNumber: '0xffffff' };
        } else if (/^eth_(getTransactionCount|getBalance|gasPrice)$/.test(method) && lie) answer.result = lie;
      };
      expect(await state()).toEqual(truth);
    }
    // A liar cannot forge a receipt of what has not happened, and its lies about the future hide nothing.
    const unknown = `0x${'77'.repeat(32)}` as const;
    line(liar).tell = ({ method }, answer) => {
      if (method === 'eth_getTransactionReceipt') answer.result = { transactionHash: unknown, status: '0x1' };
    };
    await expect(client.getTransactionReceipt({ hash: unknown })).rejects.toThrow('could not be found');
    forget();
    expect(await read(client)).toBe(height + 1n);
  });

  test('the final block is one that two call final', async () => {
    const { client } = await open(3);
    const { number } = await chain.getBlock({ blockTag: 'finalized' });
    for (const wrong of ['0x0', `0x${(number + 50n).toString(16)}`]) {
      line(1).tell = ({ params = [] }: Partial<Call>, answer) => {
        if (params[0] === 'finalized') (answer.result as Record<string, unknown>).number = wrong;
      };
      expect((await client.getBlock({ blockTag: 'finalized' })).number).toBe(number);
    }
  });
});
