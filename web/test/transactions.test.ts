import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { type Address, concat, type Hex, keccak256, pad, slice, TransactionReceiptNotFoundError, toHex } from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { planRegistryAbi } from '../../abis/index.ts';
import type { Settings } from '../app/api/settings.ts';
import { approveStep, leftBehind } from '../app/chain/approve.ts';
import { isShown, type Proof, proofBy } from '../app/chain/proof.ts';
import type { Step } from '../app/chain/step.ts';
import { registerStep } from '../app/guard/guard-steps.ts';
import { createCall } from '../app/plans/draft-plan.ts';
import { editCall } from '../app/plans/plan-steps.ts';
import type { BatchStatus, BatchWallet } from '../app/transactions/batch.ts';
import { createTransactions } from '../app/transactions/store.ts';
import { editLog, guardLog, guardTerms, planLog, planTerms } from './events.ts';

// Approval and transaction as one batch, with a wallet and a node that a test controls, in virtual time. The browser's
// part is in batch.test.ts.

const owner: Address = '0x00000000000000000000000000000000000a11ce';
const stranger: Address = '0x0000000000000000000000000000000000000bad';
const token: Address = '0x55d398326f99059fF775485246999027B3197955';
const registry: Address = '0x0000000000000000000000000000000000001234';

const approval = approveStep('Approve 150 USDT', token, registry, 150n, 0n);
const creation: Step = {
  ...{ label: 'Create the plan', to: registry, data: '0x1234' },
  proof: proofBy(registry, planRegistryAbi, 'PlanCreated', { owner, terms: planTerms(owner) }),
};
const steps = [approval, creation];

/** A step's event, as a receipt contains it. */
const logOf = ({ address, topics, data = [] }: Proof, of: Address = owner) => ({
  ...{ address, data: concat(data.map((word) => word ?? pad('0x07'))) },
  topics: topics.map((topic) =>
    topic === 'owner' || topic === pad(owner).toLowerCase() ? pad(of) : (topic ?? pad('0x07')),
  ),
});
const eventOf = (step: Step, of?: Address) => logOf(step.proof as Proof, of);

interface Receipt {
  readonly status: 'success' | 'reverted';
  readonly logs: readonly ReturnType<typeof eventOf>[];
  /** By default the block after the newest. */
  readonly blockNumber?: bigint;
}

const newest = 100n;

/** A page with a wallet and a node. What they say can be changed at any time. */
function setUp(changes: Partial<BatchWallet> = {}, storage?: Storage) {
  const chain = new Map<Hex, Receipt>();
  const asked: unknown[] = [];
  const said: { status: BatchStatus | undefined } = { status: undefined };
  const batches: BatchWallet = {
    canBatch: async () => true,
    async send(_, calls, id) {
      asked.push(calls);
      return id;
    },
    async status(id) {
      asked.push(id);
      if (said.status === undefined) throw new Error('unknown id');
      return said.status;
    },
    ...changes,
  };
  const store = createTransactions({
    chainId: 31_337,
    client: {
      async getTransactionReceipt({ hash }: { hash: Hex }) {
        const receipt = chain.get(hash);
        if (receipt === undefined) throw new TransactionReceiptNotFoundError({ hash });
        return { transactionHash: hash, blockHash: keccak256('0x'), blockNumber: newest + 1n, ...receipt };
      },
      async call() {},
      getBlockNumber: async () => newest,
    } as never,
    async send(call) {
      asked.push(call.to);
      throw Object.assign(new Error('declined'), { code: 4001 });
    },
    batches,
    tryAll: async () => undefined,
    readAnew: async () => {},
    storage,
    takesBnb: () => true,
  });
  /** Puts a transaction into a block. */
  const mine = (receipt: Receipt): Hex => {
    const hash = keccak256(toHex(chain.size));
    chain.set(hash, receipt);
    return hash;
  };
  return { store, chain, asked, said, mine, tx: () => store.all().at(-1) };
}

/** Storage of a browser's tab. */
const tab = (): Storage => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as Storage;
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('WB-109: the wallet gets the very calls of the steps, once, and the chain says that they are done', async () => {
  const { store, asked, said, mine, tx } = setUp();
  said.status = { code: 100, hashes: [] };
  const { ended } = store.start(owner, 'create-plan', steps);
  await pass(10);
  expect(tx()?.state).toBe('pending');
  said.status = { code: 200, hashes: [mine({ status: 'success', logs: steps.map((step) => eventOf(step)) })] };
  await pass(2_000);
  await expect(ended).resolves.toBe(true);
  expect(tx()).toMatchObject({ state: 'done', hashes: said.status.hashes });
  expect(asked[0]).toEqual(steps.map(({ to, data }) => ({ to, data })));
  expect(asked.slice(1).every((id) => id === tx()?.batch)).toBe(true);
});

test('WB-330: a list of calls has the BNB of each', async () => {
  const wrapping: Step = { ...creation, to: token, value: 5n };
  const { store, asked } = setUp();
  store.start(owner, undefined, [wrapping, creation]);
  await pass(10);
  expect(asked[0]).toEqual([
    { to: token, data: wrapping.data, value: 5n },
    { to: creation.to, data: creation.data },
  ]);
});

test('WB-109: a wallet that does not say what it can is asked for the first step', async () => {
  const { store, asked, tx } = setUp({ canBatch: () => new Promise(() => {}) });
  store.start(owner, undefined, steps);
  await pass(2_900);
  expect(asked).toEqual([]);
  await pass(200);
  expect(asked).toEqual([token]);
  expect(tx()).toMatchObject({ state: 'failed', batch: undefined, failure: { kind: 'rejected' } });
});

test('WB-109: a step whose success no receipt would show is not made as one with others', async () => {
  const { proof: _, ...bare } = creation;
  const { store, asked } = setUp();
  store.start(owner, undefined, [approval, bare]);
  await pass(10);
  expect(asked).toEqual([token]);
});

test.each([
  ['a lone step', [creation]],
  ['a step that waits for no simulation', [{ ...creation, isUntried: true as const }]],
  ['two steps', steps],
])('WB-321: a wallet that names no hash gets %s as a list, and its id is followed over a reload', async (_, asked) => {
  const storage = tab();
  const safe = { namesNoHash: () => true, canBatch: async () => false, send: async () => pad('0x5afe') };
  const before = setUp(safe, storage);
  before.said.status = { code: 100, hashes: [] };
  before.store.start(owner, undefined, asked);
  await pass(100_000);
  expect(before.tx()).toMatchObject({ state: 'pending', batch: pad('0x5afe'), sent: undefined, hashes: [] });
  // The plain request was never made, and only the wallet was asked about the id.
  expect(before.asked.every((each) => each === pad('0x5afe'))).toBe(true);
  const after = setUp(safe, storage);
  after.store.recall(owner);
  await pass(10);
  expect(after.tx()?.state).toBe('unknown');
  const logs = asked.map((step) => eventOf(step));
  after.said.status = { code: 200, hashes: [after.mine({ status: 'success', logs })] };
  await pass(10_000);
  expect(after.tx()?.state).toBe('done');
});

test('WB-321: a wallet that names no hash and refuses nothing by code leaves what it did not take unknown', async () => {
  const { store, tx } = setUp({
    namesNoHash: () => true,
    send: async () => {
      throw new Error('Network error');
    },
  });
  store.start(owner, undefined, [creation]);
  await pass(10);
  expect(tx()).toMatchObject({ state: 'unknown', isUnheard: true });
});

test('WB-109: what the wallet does not tell is unknown, and is asked for until the chain shows it', async () => {
  const { store, said, mine, tx } = setUp();
  said.status = { code: 100, hashes: [] };
  store.start(owner, undefined, steps);
  await pass(119_000);
  expect(tx()?.state).toBe('pending');
  await pass(5_000);
  expect(tx()?.state).toBe('unknown');
  // The wallet forgets the list, then names a transaction that is in no block, then one that is.
  said.status = undefined;
  await pass(200_000);
  said.status = { code: 200, hashes: [pad('0x01')] };
  await pass(200_000);
  expect(tx()?.state).toBe('unknown');
  store.clear();
  expect(tx()?.state).toBe('unknown');
  said.status = { code: 200, hashes: [mine({ status: 'success', logs: steps.map((step) => eventOf(step)) })] };
  await pass(120_000);
  expect(tx()?.state).toBe('done');
});

test('WB-109: a wallet that never answers for a list leaves it unknown, and it can be cleared', async () => {
  const { store, tx } = setUp({ status: () => new Promise(() => {}) });
  const { ended } = store.start(owner, undefined, steps);
  await pass(9_000);
  store.clear();
  expect(tx()?.state).toBe('pending');
  await pass(60_000);
  expect(tx()?.state).toBe('unknown');
  store.clear();
  expect(tx()).toBeUndefined();
  await pass(60_000);
  await expect(ended).resolves.toBe(false);
});

test('WB-109: a list of which the wallet knows nothing can be cleared, also after a reload', async () => {
  const storage = tab();
  const before = setUp({}, storage);
  before.store.start(owner, undefined, steps);
  await pass(10);
  const { store, tx } = setUp({ status: () => new Promise(() => {}) }, storage);
  store.recall(owner);
  expect(tx()?.state).toBe('unknown');
  store.clear();
  expect(tx()).toBeUndefined();
  before.said.status = { code: 100, hashes: [] };
  await pass(3_000);
  before.store.clear();
  expect(before.tx()?.state).toBe('pending');
});

test('WB-109: after a reload the list is found by its id, also if the wallet had not answered yet', async () => {
  const storage = tab();
  const before = setUp({ send: () => new Promise(() => {}) }, storage);
  before.store.start(owner, 'create-plan', steps);
  await pass(10);
  const { store, asked, said, mine, tx } = setUp({}, storage);
  store.recall(owner);
  await pass(10);
  expect(tx()).toMatchObject({ state: 'unknown', batch: before.tx()?.batch });
  said.status = { code: 200, hashes: [mine({ status: 'success', logs: steps.map((step) => eventOf(step)) })] };
  await pass(3_000);
  expect(tx()?.state).toBe('done');
  expect(asked.every((id) => id === before.tx()?.batch)).toBe(true);
});

test('WB-7: a list on which the wallet failed without a refusal is unknown, and asked for by its id', async () => {
  const fails = async () => {
    throw new Error('Nothing was sent. (text of a third party)');
  };
  const { store, said, mine, tx } = setUp({ send: fails });
  store.start(owner, undefined, steps);
  await pass(5_000);
  expect(tx()?.state).toBe('unknown');
  said.status = { code: 200, hashes: [mine({ status: 'success', logs: steps.map((step) => eventOf(step)) })] };
  await pass(3_000);
  expect(tx()?.state).toBe('done');
});

test('WB-22: a list that a wallet never answers for is let go, and found by its id', async () => {
  for (const answersLate of [false, true]) {
    let answer = (_id: string) => {};
    const send = () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      });
    const { store, said, mine, asked, tx } = setUp({ send });
    const { id } = store.start(owner, 'create-plan', steps);
    await pass(10);
    expect(tx()?.state).toBe('signing');
    store.stopWaiting(id);
    await pass(1_000);
    expect(tx()).toMatchObject({ state: 'unknown', isUnheard: true });
    // The wallet may return another id than the requested one.
    if (answersLate) answer('0xother');
    await pass(10);
    said.status = { code: 200, hashes: [mine({ status: 'success', logs: steps.map((step) => eventOf(step)) })] };
    await pass(5_000);
    expect(tx()?.state).toBe('done');
    if (answersLate) expect(asked.at(-1)).toBe('0xother');
  }
});

test('WB-109: an approval of another amount, or a transaction from before the wallet was asked, shows nothing', async () => {
  const other = approveStep('Approve 1 USDT', token, registry, 1n, 0n);
  const all = steps.map((step) => eventOf(step));
  for (const [receipt, made] of [
    [{ status: 'success', logs: [eventOf(other), eventOf(creation)] }, [1]],
    [{ status: 'success', logs: all, blockNumber: newest - 1n }, []],
    // It was already in a block.
    [{ status: 'success', logs: all, blockNumber: newest }, []],
    [{ status: 'reverted', logs: [], blockNumber: newest - 1n }, []],
  ] as const) {
    const storage = tab();
    const { store, said, mine, tx } = setUp({}, storage);
    said.status = { code: 200, hashes: [mine(receipt)] };
    store.start(owner, undefined, steps);
    await pass(2_000);
    expect(tx()).toMatchObject({
      state: 'failed',
      made,
      failure: { kind: made.length === 0 ? 'missing' : 'partial' },
    });
  }
});

test('WB-109: after a reload, too, an earlier transaction shows nothing', async () => {
  const storage = tab();
  const before = setUp({ send: () => new Promise(() => {}) }, storage);
  before.store.start(owner, undefined, steps);
  await pass(10);
  const { store, said, mine, tx } = setUp({}, storage);
  const logs = steps.map((step) => eventOf(step));
  said.status = { code: 200, hashes: [mine({ status: 'success', logs, blockNumber: newest - 1n })] };
  store.recall(owner);
  await pass(3_000);
  expect(tx()).toMatchObject({ state: 'failed', made: [], failure: { kind: 'missing' } });
});

test('WB-109: a list that was undone as a whole is told with the contract’s reason', async () => {
  const { store, said, mine, tx } = setUp();
  said.status = { code: 500, hashes: [mine({ status: 'reverted', logs: [] })] };
  store.start(owner, undefined, steps);
  await pass(2_000);
  expect(tx()).toMatchObject({ state: 'failed', made: [], failure: { kind: 'reverted' } });
});

test.each([
  [200, 'Your wallet reports success, but its transactions show none of the steps.'],
  [500, 'Your wallet reports a failure, and its transactions show none of the steps.'],
])('WB-109: a wallet that reports %d for transactions that show nothing is told as that', async (code, said) => {
  const page = setUp();
  page.said.status = { code, hashes: [page.mine({ status: 'success', logs: [] })] };
  page.store.start(owner, undefined, steps);
  await pass(2_000);
  const found = page.tx();
  expect(found).toMatchObject({ state: 'failed', made: [], failure: { kind: 'missing' } });
  expect(found?.state === 'failed' && found.failure.words).toContain(said);
});

test('WB-109: whatever a wallet reports, a transaction is done if and only if the owner’s receipts show every step', async () => {
  let seed = 7;
  const below = (many: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * many);
  };
  const seen = new Set<string>();
  for (let round = 0; round < 250; round++) {
    const { store, said, mine, tx } = setUp();
    const shown = new Set<number>();
    const hashes = Array.from({ length: below(4) }, () => {
      const status = below(3) === 0 ? 'reverted' : 'success';
      const logs = [...steps.keys()]
        .filter(() => below(2) === 0)
        .map((at) => {
          const of = below(3) === 0 ? stranger : owner;
          if (of === owner && status === 'success') shown.add(at);
          return eventOf(steps[at] as Step, of);
        });
      return mine({ status, logs });
    });
    const code = [100, 200, 200, 201, 400, 500, 600, 700, Number.NaN][below(9)] as number;
    said.status = { code, hashes };
    store.start(owner, undefined, steps);
    await pass(3_000);
    const found = tx();
    const isFinal = code >= 200 && code < 700 && hashes.length > 0;
    const what = JSON.stringify({ round, code, shown: [...shown], hashes: hashes.length, state: found?.state });
    expect(found?.state === 'done', what).toBe(isFinal && shown.size === steps.length);
    if (found?.state === 'failed' && isFinal) expect([...(found.made ?? [])], what).toEqual([...shown].toSorted());
    // Only the wallet's explicit answer means that nothing was sent.
    if (found?.state === 'failed' && found.failure.kind === 'failed')
      expect([code, hashes.length], what).toEqual([400, 0]);
    if (found?.state === 'failed' && found.failure.kind === 'partial') expect(shown.size, what).toBeGreaterThan(0);
    seen.add(`${found?.state} ${found?.state === 'failed' ? found.failure.kind : ''}`.trim());
    store.clear();
    await pass(60_000);
  }
  expect([...seen].toSorted()).toEqual([
    'done',
    'failed failed',
    'failed missing',
    'failed partial',
    'failed reverted',
    'pending',
  ]);
});

test('WB-109: an approval is left over if the step after it did not happen, and not if a later one failed', () => {
  const end: Step = { label: 'Cancel guard 1', to: registry, data: '0x5678' };
  const all = [approval, creation, end];
  const left = { token, spender: registry, needed: 0n, isSurplus: false };
  for (const isPartial of [false, true]) {
    expect(leftBehind(all, [approval], isPartial)).toEqual([left]);
    expect(leftBehind(all, [approval, end], isPartial)).toEqual([left]);
    expect(leftBehind(all, [approval, creation], isPartial)).toEqual([]);
    expect(leftBehind([creation, approval], [approval], isPartial)).toEqual([]);
  }
  expect(leftBehind(all, [creation, end], false)).toEqual([]);
});

test('an approval of another amount than asked for may leave more behind than its step needs', () => {
  const left = { token, spender: registry };
  expect(leftBehind(steps, [creation], true)).toEqual([{ ...left, needed: 150n, isSurplus: true }]);
  expect(leftBehind(steps, [], true)).toEqual([{ ...left, needed: 0n, isSurplus: false }]);
  // If the owner declined the approval, what was approved before does not belong to this transaction.
  expect(leftBehind(steps, [], false)).toEqual([]);
});

test('a list of which only an approval of another amount was made is told as that, and not as missing', async () => {
  const { store, said, mine, tx } = setUp();
  const other = approveStep('Approve 500 USDT', token, registry, 500n, 0n);
  said.status = { code: 200, hashes: [mine({ status: 'success', logs: [eventOf(other)] })] };
  store.start(owner, undefined, steps);
  await pass(2_000);
  const found = tx();
  expect(found).toMatchObject({ state: 'failed', made: [], failure: { kind: 'partial' } });
  expect(found?.state === 'failed' && found.failure.words).toContain('It approved a different amount than requested.');
  // An approval of another token, to another spender or by a stranger does not count.
  for (const [step, of] of [
    [approveStep('', stranger, registry, 500n), owner],
    [approveStep('', token, stranger, 500n), owner],
    [other, stranger],
  ] as const) {
    const again = setUp();
    again.said.status = { code: 200, hashes: [again.mine({ status: 'success', logs: [eventOf(step, of)] })] };
    again.store.start(owner, undefined, steps);
    await pass(2_000);
    expect(again.tx()).toMatchObject({ state: 'failed', failure: { kind: 'missing' } });
  }
});

const settings = { contracts: { planRegistry: registry, loanGuard: registry } } as never as Settings;
const terms = planTerms(owner);
const guarded = guardTerms(owner);
const asEdited = { id: 3n, version: 4, runs: 1 } as Plan;

test.each<[string, Proof | undefined, (changes: object) => ReturnType<typeof planLog>, object]>([
  ['PlanCreated', createCall(settings, terms).proof, (changes) => planLog(registry, { ...terms, ...changes }), terms],
  [
    'PlanEdited',
    editCall(settings, asEdited, terms).proof,
    (changes) => editLog(registry, 3n, 5n, { ...terms, ...changes }),
    terms,
  ],
  [
    'GuardRegistered',
    registerStep({ contracts: { loanGuard: registry } } as never, guarded, { repayToken: token }).proof,
    (changes) => guardLog(registry, { ...guarded, ...changes }, token),
    guarded,
  ],
])('WB-87: %s shows a step only with all of the terms that were signed', (_, proof, log, signed) => {
  if (proof === undefined) throw new Error('no proof');
  const isIn = (found: object) => isShown(proof, owner, [{ status: 'success', logs: [found] }] as never);
  expect(isIn(log({}))).toBe(true);
  for (const [name, value] of Object.entries(signed)) {
    expect(isIn(log({ [name]: otherThan(value) })), name).toBe(false);
  }
  const event = log({});
  expect(isIn({ ...event, address: stranger })).toBe(false);
  expect(isIn({ ...event, data: concat([event.data, pad('0x01')]) })).toBe(false);
  expect(isIn({ ...event, data: slice(event.data, 0, -32) })).toBe(false);
  expect(isShown(proof, owner, [{ status: 'reverted', logs: [event] }] as never)).toBe(false);
});

function otherThan(value: string | bigint | boolean | number): string | bigint | boolean | number {
  if (typeof value === 'string') return pad('0xbad', { size: (value.length - 2) / 2 });
  if (typeof value === 'boolean') return !value;
  return typeof value === 'bigint' ? value + 1n : value + 1;
}

test('WB-87: an edit shows with its version and its plan, and a guard with the token that it takes', () => {
  const isIn = (proof: Proof, log: object) => isShown(proof, owner, [{ status: 'success', logs: [log] }] as never);
  const edit = editCall(settings, asEdited, terms).proof;
  expect(isIn(edit, editLog(registry, 3n, 5n, terms))).toBe(true);
  expect(isIn(edit, editLog(registry, 3n, 6n, terms))).toBe(false);
  expect(isIn(edit, editLog(registry, 4n, 5n, terms))).toBe(false);
  expect(
    isIn(
      registerStep({ contracts: { loanGuard: registry } } as never, guarded, { repayToken: token }).proof as Proof,
      guardLog(registry, guarded, stranger),
    ),
  ).toBe(false);
});
