import {
  type Address,
  ChainMismatchError,
  type Hex,
  keccak256,
  numberToHex,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  toHex,
  UserRejectedRequestError,
  zeroAddress,
} from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { planRegistryAbi } from '../../abis/index.ts';
import { agreedSettings } from '../app/api/pinned.ts';
import type { Settings } from '../app/api/settings.ts';
import { approveStep } from '../app/chain/approve.ts';
import { takesBnb } from '../app/chain/bnb.ts';
import { proofBy } from '../app/chain/proof.ts';
import type { Step } from '../app/chain/step.ts';
import { createTransactions } from '../app/transactions/store.ts';
import type { Transaction } from '../app/transactions/transaction.ts';
import { planLog, planTerms } from './events.ts';

// What happens to a transaction when the wallet is hostile, changes the request, or fails without saying whether it
// sent it. A chain in memory, no browser.

const at = (digit: string): Address => `0x${digit.repeat(40)}`;
const [owner, stranger, registry, token] = ['1', '2', '3', '4'].map(at) as [Address, Address, Address, Address];
const create = { label: 'Create the plan', to: registry, data: '0xc0ffee' } as const;
const approve = { label: 'Approve 100 USDT', to: token, data: '0xab' } as const;
const wrap = { label: 'Wrap 1 BNB', to: token, data: '0xd0e30db0', value: 10n ** 18n } as const;
const wrapping = { to: wrap.to, input: wrap.data, value: wrap.value };

interface Mined {
  readonly hash: Hex;
  readonly from: Address;
  readonly to: Address;
  readonly input: Hex;
  readonly value: bigint;
  readonly nonce: number;
  readonly logs: readonly object[];
  readonly status: 'success' | 'reverted';
}

/** Blocks of one transaction each. */
function fakeChain() {
  const blocks: Mined[][] = [[]];
  const pool: Mined[] = [];
  let forks = 0;
  const mined = () => blocks.flat();
  const nonceAt = (block: number) =>
    blocks
      .slice(0, block + 1)
      .flat()
      .filter(({ from }) => from === owner).length;
  const client = {
    call: async () => ({}),
    getBlockNumber: async () => BigInt(blocks.length - 1),
    getTransactionCount: async ({ blockNumber, blockTag }: { blockNumber?: bigint; blockTag?: string }) =>
      nonceAt(Number(blockNumber ?? blocks.length - 1)) + (blockTag === 'pending' ? pool.length : 0),
    getTransaction: async ({ hash }: { hash: Hex }) => {
      const found = [...mined(), ...pool].find((each) => each.hash === hash);
      if (found === undefined) throw new TransactionNotFoundError({ hash });
      return found;
    },
    getTransactionReceipt: async ({ hash }: { hash: Hex }) => {
      if (mined().every((each) => each.hash !== hash)) throw new TransactionReceiptNotFoundError({ hash });
      const block = blocks.findIndex((each) => each.some((found) => found.hash === hash));
      const [{ status, logs }] = blocks[block] as [Mined];
      const blockHash = keccak256(toHex(`${block} ${forks}`));
      return { transactionHash: hash, blockNumber: BigInt(block), blockHash, status, logs };
    },
    getBlock: async ({ blockNumber }: { blockNumber: bigint }) => ({ transactions: blocks[Number(blockNumber)] }),
  };
  let hashes = 0;
  const made = (changes: Partial<Mined> = {}): Mined => ({
    ...{ hash: numberToHex(++hashes, { size: 32 }), from: owner, to: registry, input: create.data, value: 0n },
    ...{ logs: [], status: 'success' as const },
    nonce: nonceAt(blocks.length - 1),
    ...changes,
  });
  const mine = (changes?: Partial<Mined>): Hex => {
    const each = made(changes);
    blocks.push([each]);
    return each.hash;
  };
  const wait = (changes?: Partial<Mined>): Hex => {
    const each = made(changes);
    pool.push(each);
    return each.hash;
  };
  /** The pool's first transaction gets into a block. */
  const include = () => blocks.push(pool.splice(0, 1));
  /** Replaces the newest block with one without its transactions, which are pending again. */
  const reorganise = () => {
    pool.push(...(blocks.pop() ?? []));
    blocks.push([]);
    forks++;
  };
  return { client: client as unknown as PublicClient, mine, wait, include, reorganise };
}

/** A browser tab's storage. */
function tab() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  } as unknown as Storage;
}

function open(
  chain: ReturnType<typeof fakeChain>,
  send: (call: object) => Promise<Hex>,
  storage = tab(),
  lookAgainAfterMs: readonly number[] = [],
) {
  const { client } = chain;
  const transactions = createTransactions({
    chainId: 1,
    client,
    send,
    tryAll: async () => undefined,
    readAnew: async () => undefined,
    storage,
    lookAgainAfterMs,
    takesBnb: (contract) => contract === token,
  });
  const tx = () => transactions.all().at(-1) as Transaction;
  return { transactions, tx, storage };
}

const failing = (error: unknown) => async (): Promise<Hex> => {
  throw error;
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('WB-87: what was asked for is confirmed by its own transaction', async () => {
  const chain = fakeChain();
  const { transactions, tx } = open(chain, async () => chain.mine());
  await transactions.start(owner, 'place', [create]).ended;
  expect(tx().state).toBe('done');
  // Calldata as encoded from a mixed-case address.
  await transactions.start(owner, 'place', [{ ...create, data: '0xC0ffEE' }]).ended;
  expect(tx().state).toBe('done');
});

test('WB-87: calldata written with an address’s capitals is the same calldata', async () => {
  const chain = fakeChain();
  const { transactions, tx } = open(chain, async () => chain.mine());
  await transactions.start(owner, 'place', [{ ...create, data: '0xC0ffEE' }]).ended;
  expect(tx().state).toBe('done');
});

test('WB-87: a transaction from before the wallet was asked is not the transaction, though it makes the same call', async () => {
  const chain = fakeChain();
  const before = chain.mine();
  const { transactions, tx } = open(chain, async () => before);
  expect(await transactions.start(owner, undefined, [create]).ended).toBe(false);
  expect(tx()).toMatchObject({ state: 'failed', failure: { kind: 'other' } });
});

test.each<[string, Partial<Mined>]>([
  ['another contract', { to: stranger }],
  ['other data, as an approval changed in the wallet', { input: '0xc0ffef' }],
  ['BNB sent along', { value: 1n }],
  ['another account', { from: stranger }],
])('WB-87: a transaction of %s is not the transaction, and the next step is not asked for', async (_, changes) => {
  for (const how of ['mine', 'wait'] as const) {
    const chain = fakeChain();
    const send = vi.fn(async () => chain[how](changes));
    const { transactions, tx } = open(chain, send);
    expect(await transactions.start(owner, undefined, [create, approve]).ended).toBe(false);
    expect(tx()).toMatchObject({ state: 'failed', at: 0, failure: { kind: 'other' } });
    expect(tx().hashes).toHaveLength(1);
    expect(send).toHaveBeenCalledTimes(1);
  }
});

test('WB-330: a step’s BNB is asked for with it, and a transaction with more or less is another one', async () => {
  for (const isReloaded of [false, true]) {
    const chain = fakeChain();
    const send = vi.fn(async () => chain.wait(wrapping));
    const before = open(chain, send);
    void before.transactions.start(owner, undefined, [wrap]);
    await pass(100);
    expect(send.mock.calls).toEqual([[{ account: owner, to: wrap.to, data: wrap.data, value: wrap.value }]]);
    const { tx, transactions } = isReloaded ? open(chain, failing(new Error('not asked')), before.storage) : before;
    if (isReloaded) transactions.recall(owner);
    chain.include();
    await pass(3_000);
    expect(tx().state).toBe('done');
  }
  for (const value of [0n, 1n, wrap.value - 1n, wrap.value + 1n])
    for (const isSilent of [false, true]) {
      const chain = fakeChain();
      const { transactions, tx } = open(chain, async () => {
        const hash = chain.mine({ ...wrapping, value });
        if (isSilent) throw new Error('timeout');
        return hash;
      });
      expect(await transactions.start(owner, undefined, [wrap, create]).ended).toBe(false);
      await pass(10_000);
      expect(tx()).toMatchObject({ state: 'failed', at: 0, failure: { kind: isSilent ? 'missing' : 'other' } });
    }
});

test('WB-330: BNB is sent to no contract but those that the build pinned, and a step without it asks for none', async () => {
  const chain = fakeChain();
  const send = vi.fn(async () => chain.mine());
  const { transactions, tx } = open(chain, send);
  for (const value of [1n, wrap.value]) {
    expect(await transactions.start(owner, 'place', [approve, { ...create, value }]).ended).toBe(false);
    expect(tx()).toMatchObject({ state: 'failed', failure: { kind: 'failed' } });
  }
  expect(send).not.toHaveBeenCalled();
  expect(await transactions.start(owner, 'place', [create]).ended).toBe(true);
  expect(send.mock.calls).toEqual([[{ account: owner, to: create.to, data: create.data }]]);
});

test('WB-330: which contracts are sent BNB follows from the pinned settings alone', () => {
  const [wbnb, vBnb, repaysAll] = ['5', '6', '7'].map(at) as [Address, Address, Address];
  const settings = {
    assets: [
      { symbol: 'USDT', address: token },
      { symbol: 'WBNB', address: wbnb },
    ],
    lending: [{ core: registry, payable: [stranger], native: { market: vBnb, repaysAll } }, { core: registry }],
  } as unknown as Settings;
  expect([wbnb, vBnb, repaysAll, token, registry, stranger, owner].map((each) => takesBnb(settings, each))).toEqual([
    ...[true, true, true, false, false, false, false],
  ]);
  const told = { ...settings, lending: [{ native: { market: stranger } }] } as unknown as Settings;
  expect(() => agreedSettings(told, settings)).toThrow();
  expect(takesBnb({ ...settings, assets: [] }, zeroAddress)).toBe(false);
});

test('WB-7: only a clear refusal says that nothing was sent', async () => {
  const chain = fakeChain();
  for (const [error, kind] of [
    [new UserRejectedRequestError(new Error('no')), 'rejected'],
    [{ code: 4001 }, 'rejected'],
    [new ChainMismatchError({ chain: { id: 1, name: 'Local' } as never, currentChainId: 56 }), 'failed'],
  ] as const) {
    const { transactions, tx } = open(chain, failing(error));
    await transactions.start(owner, undefined, [create]).ended;
    expect(tx()).toMatchObject({ state: 'failed', failure: { kind } });
    expect((tx() as Transaction & { state: 'failed' }).failure.words).toContain('Nothing was sent.');
  }
  const { transactions, tx } = open(chain, failing(new Error('Nothing was sent. (text of a third party)')));
  expect(await transactions.start(owner, undefined, [create]).ended).toBe(false);
  await pass(300_000);
  expect(tx()).toMatchObject({ state: 'unknown', sent: undefined });
});

test('WB-7: what the wallet sent with an error is found by its number, and its next step is not asked for', async () => {
  const chain = fakeChain();
  chain.mine({ to: stranger });
  const send = vi.fn(failing(new Error('timeout')));
  const { transactions, tx } = open(chain, send);
  await transactions.start(owner, undefined, [create, approve]).ended;
  expect(tx().state).toBe('unknown');
  const hash = chain.mine();
  await pass(5_000);
  expect(tx()).toMatchObject({ state: 'failed', at: 1, hashes: [hash], failure: { kind: 'unfinished' } });
  expect(send).toHaveBeenCalledTimes(1);
});

test('WB-87: an approval whose amount was changed in the wallet is not the transaction', async () => {
  const chain = fakeChain();
  const [asked, larger] = [100n, 101n].map((amount) => approveStep('Approve', token, registry, amount)) as [Step, Step];
  const { transactions, tx } = open(chain, async () => chain.mine({ to: token, input: larger.data }));
  expect(await transactions.start(owner, undefined, [asked, create]).ended).toBe(false);
  expect(tx()).toMatchObject({ state: 'failed', at: 0, failure: { kind: 'other' } });
});

test('WB-7: that a stranger’s transaction has taken the number is certain only once it is seen', async () => {
  const chain = fakeChain();
  const { transactions, tx } = open(chain, async () => chain.wait());
  void transactions.start(owner, undefined, [create]);
  await pass(1_500);
  // The node that counts transactions is ahead of the one that returns blocks.
  const { client } = chain as unknown as { client: { getBlock: (asked: object) => Promise<unknown> } };
  const { getBlock } = client;
  client.getBlock = async () => ({ transactions: [] });
  chain.mine({ to: stranger });
  await pass(1_000);
  expect(tx().state).toBe('pending');
  client.getBlock = getBlock;
  await pass(2_000);
  expect(tx()).toMatchObject({ state: 'failed', failure: { kind: 'replaced' } });
});

test('WB-7: it counts as not found once its number is another transaction’s, and no sooner, and never as not sent', async () => {
  const chain = fakeChain();
  // One transaction is already pending: the wallet would have used the next nonce.
  chain.wait({ to: stranger });
  const { transactions, tx } = open(chain, failing(new Error('timeout')));
  await transactions.start(owner, undefined, [create]).ended;
  chain.mine({ to: stranger });
  await pass(5_000);
  expect(tx().state).toBe('unknown');
  chain.mine({ to: token });
  await pass(10_000);
  expect(tx()).toMatchObject({ state: 'failed', failure: { kind: 'missing' } });
  expect((tx() as Transaction & { state: 'failed' }).failure.words).not.toContain('not sent');
});

test('WB-7: the same call of a second try is not taken for the first one', async () => {
  const chain = fakeChain();
  const errors: unknown[] = [new Error('timeout')];
  const { transactions, tx } = open(chain, async () => {
    const error = errors.shift();
    if (error) throw error;
    return chain.mine();
  });
  const first = transactions.start(owner, undefined, [create]);
  await first.ended;
  await transactions.start(owner, undefined, [create]).ended;
  expect(tx().state).toBe('done');
  await pass(10_000);
  expect(transactions.all().find(({ id }) => id === first.id)).toMatchObject({
    state: 'failed',
    failure: { kind: 'missing' },
  });
});

test('WB-7: a call at another fee is found by its number, though no node ever knew the hash that the wallet gave', async () => {
  const unseen = `0x${'ab'.repeat(32)}` as const;
  for (const isReloaded of [false, true]) {
    const chain = fakeChain();
    const before = open(chain, async () => unseen);
    const { ended } = before.transactions.start(owner, undefined, [create]);
    await pass(3_000);
    expect(before.tx()).toMatchObject({ state: 'pending', sent: { hash: unseen } });
    const { tx, transactions } = isReloaded ? open(chain, failing(new Error('not asked')), before.storage) : before;
    if (isReloaded) transactions.recall(owner);
    const hash = chain.mine();
    await pass(5_000);
    expect(tx()).toMatchObject({ state: 'done', hashes: [hash] });
    if (!isReloaded) await expect(ended).resolves.toBe(true);
  }
});

test('WB-7: an unknown hash is not replaced by what merely has the number that was expected, nor by another transaction’s', async () => {
  const unseen = `0x${'ab'.repeat(32)}` as const;
  const chain = fakeChain();
  const first = open(chain, async () => unseen);
  void first.transactions.start(owner, undefined, [create]);
  await pass(100);
  chain.mine({ to: stranger });
  await pass(10_000);
  expect(first.tx()).toMatchObject({ state: 'pending', sent: { hash: unseen } });

  const answers = [async () => unseen, async () => chain.mine()];
  const twice = open(chain, () => answers.shift()?.() as Promise<Hex>);
  const { id } = twice.transactions.start(owner, undefined, [create]);
  await pass(100);
  await twice.transactions.start(owner, undefined, [create]).ended;
  await pass(10_000);
  expect(twice.transactions.all().find((tx) => tx.id === id)).toMatchObject({
    state: 'pending',
    sent: { hash: unseen },
  });
});

test('WB-7: a page that was reloaded while the wallet was open finds what was sent', async () => {
  const chain = fakeChain();
  const before = open(chain, () => new Promise<Hex>(() => {}));
  void before.transactions.start(owner, undefined, [create]);
  await pass(1);
  const after = open(chain, failing(new Error('not asked')), before.storage);
  after.transactions.recall(owner);
  expect(after.tx()).toMatchObject({ state: 'unknown', sent: undefined });
  const hash = chain.mine();
  await pass(5_000);
  expect(after.tx()).toMatchObject({ state: 'done', hashes: [hash] });
});

const bundler: Address = at('5');
const entryPoint: Address = at('6');
const terms = planTerms(owner);
const creating = {
  ...create,
  proof: proofBy(registry, planRegistryAbi, 'PlanCreated', { owner, executor: terms.executor, terms }),
} as const;
const made = planLog(registry, terms);
/** The transaction that a bundler makes from the call of an account with code. */
const wrapped = { from: bundler, to: entryPoint, input: '0x1fad948c', logs: [made] } as const;

test.each<[string, Partial<Mined>]>([
  ['by a bundler', wrapped],
  ['by the account itself (EIP-7702)', { ...wrapped, from: owner, to: owner }],
  ['among other calls', { ...wrapped, logs: [planLog(registry, planTerms(stranger)), made] }],
])('WB-87: a call that was made within another transaction, %s, is known by its event', async (_, changes) => {
  const chain = fakeChain();
  const { transactions, tx } = open(chain, async () => chain.mine(changes));
  expect(await transactions.start(owner, undefined, [creating]).ended).toBe(true);
  expect(tx()).toMatchObject({ state: 'done', hashes: [expect.any(String)] });
});

test.each<[string, Partial<Mined>]>([
  ['nothing', { logs: [] }],
  ['the event of another owner', { logs: [planLog(registry, planTerms(stranger))] }],
  ['the same event of another contract', { logs: [planLog(stranger, terms)] }],
  ['other terms', { logs: [planLog(registry, { ...terms, amountPerRun: 51n })] }],
  ['another recipient', { logs: [planLog(registry, { ...terms, recipient: stranger })] }],
  ['an event that was undone', { status: 'reverted' }],
  ['BNB sent along', { value: 1n }],
  ['a changed call of the contract itself', { to: registry }],
])('WB-87: a hash of a stranger’s transaction that shows %s is not the transaction', async (_, changes) => {
  const chain = fakeChain();
  const send = vi.fn(async () => chain.mine({ ...wrapped, ...changes }));
  const { transactions, tx } = open(chain, send);
  expect(await transactions.start(owner, undefined, [creating, approve]).ended).toBe(false);
  expect(tx()).toMatchObject({ state: 'failed', at: 0, failure: { kind: 'other' } });
  expect(send).toHaveBeenCalledTimes(1);
});

test('WB-87: nor is one from before the wallet was asked, nor another transaction’s, nor one whose event says too little', async () => {
  const chain = fakeChain();
  const earlier = chain.mine(wrapped);
  const old = open(chain, async () => earlier);
  expect(await old.transactions.start(owner, undefined, [creating]).ended).toBe(false);
  expect(old.tx()).toMatchObject({ failure: { kind: 'other' } });

  // Both are requested before either is in a block.
  let hash: Hex | undefined;
  const twice = open(chain, async () => {
    hash ??= chain.mine(wrapped);
    return hash;
  });
  const ends = [1, 2].map(() => twice.transactions.start(owner, undefined, [creating]).ended);
  expect((await Promise.all(ends)).filter(Boolean)).toHaveLength(1);

  const common = { ...creating, proof: { ...creating.proof, isCommon: true } } as const;
  const vague = open(chain, async () => chain.mine(wrapped));
  expect(await vague.transactions.start(owner, undefined, [common]).ended).toBe(false);
  expect(vague.tx()).toMatchObject({ failure: { kind: 'other' } });
});

test('WB-87: it is waited for, also over a reload', async () => {
  const chain = fakeChain();
  const before = open(chain, async () => chain.wait(wrapped));
  void before.transactions.start(owner, undefined, [creating]);
  await pass(3_000);
  expect(before.tx().state).toBe('pending');
  const after = open(chain, failing(new Error('not asked')), before.storage);
  after.transactions.recall(owner);
  await pass(3_000);
  expect(after.tx().state).toBe('pending');
  chain.include();
  await pass(5_000);
  expect([before.tx().state, after.tx().state]).toEqual(['done', 'done']);
});

test('WB-87: a node that did not say where the chain stood leaves it another transaction', async () => {
  const chain = fakeChain();
  const { client } = chain;
  let isFirst = true;
  const getBlockNumber = async () => {
    if (!isFirst) return client.getBlockNumber();
    isFirst = false;
    throw new Error('no answer');
  };
  const flaky = { ...chain, client: { ...client, getBlockNumber } as PublicClient };
  const { transactions, tx } = open(flaky, async () => chain.mine(wrapped));
  expect(await transactions.start(owner, undefined, [creating]).ended).toBe(false);
  expect(tx()).toMatchObject({ failure: { kind: 'other' } });
});

test.each([7, null, '0x', '0xzz', {}])(
  'WB-7: a wallet that answers %j in place of a hash has an unknown transaction, which is looked for',
  async (answer) => {
    const chain = fakeChain();
    const { transactions, tx } = open(chain, async () => answer as never);
    await transactions.start(owner, undefined, [create, approve]).ended;
    expect(tx()).toMatchObject({ state: 'unknown', sent: undefined });
    const hash = chain.mine();
    await pass(5_000);
    expect(tx()).toMatchObject({ state: 'failed', at: 1, hashes: [hash], failure: { kind: 'unfinished' } });
  },
);

test('a transaction whose block was replaced is not done any more, and is followed until it is again', async () => {
  for (const status of ['success', 'reverted'] as const) {
    const chain = fakeChain();
    const sends: Hex[] = [];
    const send = async () => {
      const hash = chain.mine({ status });
      sends.push(hash);
      return hash;
    };
    const { transactions, tx } = open(chain, send, tab(), [3_000, 12_000]);
    void transactions.start(owner, 'plan', [create]);
    await pass(1_500);
    const ended = status === 'success' ? 'done' : 'failed';
    expect(tx()).toMatchObject({ state: ended, hashes: sends });
    await pass(3_000);
    expect(tx()).toMatchObject({ state: ended });
    chain.reorganise();
    await pass(12_000);
    expect(tx()).toMatchObject({ state: 'pending', sent: { hash: sends[0] }, hashes: [] });
    chain.include();
    await pass(3_000);
    expect(tx()).toMatchObject({ state: ended, hashes: sends });
    // No one was asked to sign it again.
    expect(sends).toHaveLength(1);
  }
});

test('nor is one of several steps, whose wallet is asked for none of them again', async () => {
  const chain = fakeChain();
  const sends: Hex[] = [];
  const send = async () => {
    const hash = chain.mine();
    sends.push(hash);
    return hash;
  };
  const { transactions, tx } = open(chain, send, tab(), [3_000, 60_000]);
  void transactions.start(owner, 'plan', [create, create]);
  await pass(2_500);
  expect(tx()).toMatchObject({ state: 'done', hashes: sends });
  chain.reorganise();
  await pass(3_000);
  expect(tx()).toMatchObject({ state: 'pending', at: 1, sent: { hash: sends[1] }, hashes: [sends[0]] });
  chain.include();
  await pass(3_000);
  expect(tx()).toMatchObject({ state: 'done', hashes: sends });
  expect(sends).toHaveLength(2);
});

test('a node that does not answer takes no outcome back', async () => {
  const chain = fakeChain();
  const { transactions, tx } = open(chain, async () => chain.mine(), tab(), [3_000]);
  void transactions.start(owner, 'plan', [create]);
  await pass(1_500);
  const { client } = chain as unknown as { client: { getTransactionReceipt: () => Promise<never> } };
  client.getTransactionReceipt = async () => {
    throw new Error('no answer');
  };
  await pass(10_000);
  expect(tx().state).toBe('done');
});

test.each([
  ['another transaction', { transactionHash: keccak256('0x07') }],
  ['no transaction', { transactionHash: undefined }],
  ['no block', { blockHash: undefined, blockNumber: undefined }],
  ['no outcome', { status: undefined }],
  ['no events', { logs: null }],
  ['an event of nobody', { logs: [{ topics: [], data: '0x' }] }],
])('a receipt that names %s is no receipt, and shows nothing', async (_, changes) => {
  const chain = fakeChain();
  const { client } = chain as unknown as { client: { getTransactionReceipt: (asked: unknown) => Promise<object> } };
  const honest = client.getTransactionReceipt;
  client.getTransactionReceipt = async (asked) => ({ ...(await honest(asked)), ...changes });
  const { transactions, tx } = open(chain, async () => chain.mine());
  void transactions.start(owner, 'plan', [create]);
  await pass(3_000);
  expect(tx().state).toBe('pending');
  client.getTransactionReceipt = honest;
  await pass(30_000);
  expect(tx().state).toBe('done');
});

test('WB-22: a page that is loaded again goes on looking at what was done a moment before', async () => {
  for (const [awayMs, thenMs] of [
    [100, 3_000],
    [5_000, 13_000],
    // After the last scheduled check: the check runs at once.
    [600_000, 1_000],
  ] as const) {
    const chain = fakeChain();
    const before = open(chain, async () => chain.mine(), tab(), [3_000, 12_000]);
    void before.transactions.start(owner, 'plan', [create]);
    await pass(1_500);
    expect(before.tx()).toMatchObject({ state: 'done' });
    // The closed page's timers are gone.
    vi.clearAllTimers();
    chain.reorganise();
    await pass(awayMs);
    const after = open(chain, failing(new Error('not asked')), before.storage, [3_000, 12_000]);
    after.transactions.recall(owner);
    expect(after.tx()).toMatchObject({ state: 'done' });
    await pass(thenMs);
    expect(after.tx()).toMatchObject({ state: 'pending', sent: { hash: before.tx().hashes[0] } });
    chain.include();
    await pass(30_000);
    expect(after.tx()).toMatchObject({ state: 'done', hashes: before.tx().hashes });
    // It is final by now.
    expect(after.tx()).toMatchObject({ young: undefined });
  }
});

test('WB-22: of a wallet that never answers, a transaction is let go, and what it sent all the same is found', async () => {
  const chain = fakeChain();
  const answers: { readonly hear: (hash: Hex) => void; readonly refuse: (error: unknown) => void }[] = [];
  const send = vi.fn(() => new Promise<Hex>((hear, refuse) => void answers.push({ hear, refuse })));
  const { transactions, tx } = open(chain, send);
  const letGo = async () => {
    const { id, ended } = transactions.start(owner, 'place', [create, approve]);
    await pass(1_000);
    expect(tx()).toMatchObject({ id, state: 'signing' });
    transactions.stopWaiting(id);
    expect(tx()).toMatchObject({ state: 'unknown', sent: undefined, asked: { since: expect.any(BigInt) } });
    expect(transactions.signingSince(id)).toBeUndefined();
    return { ended };
  };
  // It was sent, but the wallet does not report it.
  await letGo();
  const unheard = chain.mine();
  await pass(3_000);
  expect(tx()).toMatchObject({ state: 'failed', at: 1, hashes: [unheard], failure: { kind: 'unfinished' } });
  answers[0]?.hear(unheard);
  await pass(3_000);
  expect(tx()).toMatchObject({ state: 'failed', at: 1, hashes: [unheard] });

  // The wallet reports it late: the next step is not requested.
  const late = await letGo();
  const hash = chain.wait({ to: registry });
  answers[1]?.hear(hash);
  await expect(late.ended).resolves.toBe(false);
  expect(tx()).toMatchObject({ state: 'pending', sent: { hash } });
  chain.include();
  await pass(3_000);
  expect(tx()).toMatchObject({ state: 'failed', at: 1, hashes: [hash], failure: { kind: 'unfinished' } });

  // If it is declined late, nothing was sent.
  await letGo();
  answers[2]?.refuse({ code: 4001 });
  await pass(1_000);
  expect(tx()).toMatchObject({ state: 'failed', failure: { kind: 'rejected' } });
  expect(send).toHaveBeenCalledTimes(3);

  // The wallet has not been asked yet, and no longer will be.
  const { client } = chain as unknown as { client: { call: () => Promise<object> } };
  client.call = () => new Promise((resolve) => setTimeout(() => resolve({}), 70_000));
  const { id } = transactions.start(owner, 'place', [create]);
  await pass(60_000);
  transactions.stopWaiting(id);
  await pass(60_000);
  expect(tx()).toMatchObject({ state: 'failed', failure: { kind: 'failed' } });
  expect(send).toHaveBeenCalledTimes(3);
});

test('once everything is stopped, no open transaction asks for what it would make next', async () => {
  const chain = fakeChain();
  let answer = (_: Hex) => {};
  const send = vi.fn(
    () =>
      new Promise<Hex>((resolve) => {
        answer = resolve;
      }),
  );
  const { transactions, tx } = open(chain, send);
  const { ended } = transactions.start(owner, 'create-plan', [approve, create]);
  await pass(100);
  transactions.halt(owner);
  answer(chain.mine({ to: token, input: approve.data }));
  await expect(ended).resolves.toBe(false);
  expect(tx()).toMatchObject({ state: 'failed', at: 1, failure: { kind: 'unfinished' } });
  expect(send).toHaveBeenCalledTimes(1);

  // If the stop comes first, not even the first step is requested. Revocations and later transactions proceed.
  const early = transactions.start(owner, 'create-plan', [create]);
  transactions.halt(owner);
  await expect(early.ended).resolves.toBe(false);
  expect(tx()).toMatchObject({ state: 'failed', at: 0, hashes: [], failure: { kind: 'failed' } });
  expect(send).toHaveBeenCalledTimes(1);
  const approving = transactions.start(owner, 'create-plan', [approveStep('Approve', token, registry, 100n), create]);
  transactions.halt(owner);
  await expect(approving.ended).resolves.toBe(false);
  expect(send).toHaveBeenCalledTimes(1);
  const nothing = approveStep('Revoke', token, registry, 0n);
  void transactions.start(owner, 'approvals', [nothing, nothing]);
  transactions.halt(owner);
  await pass(100);
  answer(chain.mine({ to: token, input: nothing.data }));
  await pass(2_000);
  expect(send).toHaveBeenCalledTimes(3);
  void transactions.start(owner, 'create-plan', [create]);
  await pass(100);
  expect(send).toHaveBeenCalledTimes(4);
  // The stop may be declined, so a cancellation proceeds.
  void transactions.start(owner, 'plan-1', [{ ...create, isEnd: true }]);
  transactions.halt(owner);
  await pass(100);
  expect(send).toHaveBeenCalledTimes(5);
});

test('a stop that a wallet never answers for is looked for, let go or over a reload', async () => {
  const stop = { ...create, isUntried: true } as const;
  for (const isReloaded of [false, true]) {
    const chain = fakeChain();
    const { transactions, tx, storage } = open(chain, () => new Promise(() => {}));
    const { id } = transactions.start(owner, 'stop', [stop]);
    await pass(1_000);
    const after = isReloaded ? open(chain, failing(new Error('not asked')), storage) : { transactions, tx };
    if (isReloaded) after.transactions.recall(owner);
    else transactions.stopWaiting(id);
    expect(after.tx()).toMatchObject({ state: 'unknown', asked: { since: expect.any(BigInt) } });
    const hash = chain.mine();
    await pass(3_000);
    expect(after.tx()).toMatchObject({ state: 'done', hashes: [hash] });
  }
});

test('an open transaction survives a reload, however many have ended since', async () => {
  const chain = fakeChain();
  let isMute = true;
  const { transactions, storage } = open(chain, () =>
    isMute ? new Promise(() => {}) : Promise.reject({ code: 4001 }),
  );
  const { id } = transactions.start(owner, 'create-plan', [create]);
  await pass(100);
  isMute = false;
  for (let count = 0; count < 25; count++) await transactions.start(owner, undefined, [approve]).ended;
  const after = open(chain, failing(new Error('not asked')), storage);
  after.transactions.recall(owner);
  expect(after.transactions.all()).toHaveLength(21);
  expect(after.transactions.all()[0]).toMatchObject({ id, state: 'unknown' });
});

test('after a sleep of the machine the wallet is not asked for the next step, and what was sent is told', async () => {
  const chain = fakeChain();
  const { client } = chain as unknown as { client: { getTransactionReceipt: (asked: unknown) => Promise<unknown> } };
  const honest = client.getTransactionReceipt;
  let wake = () => {};
  // The answer to a poll arrives when the machine wakes up.
  client.getTransactionReceipt = async (asked) => {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    return honest(asked);
  };
  let sends = 0;
  const send = async () => {
    sends++;
    return chain.mine();
  };
  const { transactions, tx } = open(chain, send);
  void transactions.start(owner, 'plan', [create, create]);
  await pass(100);
  vi.setSystemTime(Date.now() + 8 * 3_600_000);
  wake();
  await pass(2_000);
  expect(tx()).toMatchObject({ state: 'failed', failure: { kind: 'unfinished' }, at: 1 });
  expect(sends).toBe(1);
});
