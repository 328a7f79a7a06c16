import { type Address, type Hex, RpcRequestError, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '../../../lab/world/anvil.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { chainId, keeperKey } from './addresses.ts';
import { storyOf } from './check-story.ts';
import { limits } from './limits.ts';
import { createPool, type Pool, type Refusal, type Transaction } from './pool.ts';
import { simulate } from './simulate.ts';

// A real node must agree with the model about the pool and nonces.

/** What happened to the model's pool, in order. */
type Recorded =
  | { readonly kind: 'sent'; readonly transaction: Transaction; readonly refused: Refusal | undefined }
  | { readonly kind: 'mined'; readonly transactions: readonly Transaction[] }
  | { readonly kind: 'dropped'; readonly hash: Hex };

function recordingPool(): { readonly pool: Pool; readonly recorded: readonly Recorded[] } {
  const inner = createPool();
  const recorded: Recorded[] = [];
  const pool: Pool = {
    ...inner,
    submit(transaction, nonce, heldUntil) {
      const refused = inner.submit(transaction, nonce, heldUntil);
      recorded.push({ kind: 'sent', transaction, refused });
      return refused;
    },
    take(...block) {
      const transactions = inner.take(...block);
      if (transactions.length > 0) recorded.push({ kind: 'mined', transactions });
      return transactions;
    },
    drop(hash) {
      recorded.push({ kind: 'dropped', hash });
      inner.drop(hash);
    },
  };
  return { pool, recorded };
}

const mnemonic = 'test test test test test test test test test test test junk';
const accounts = new Map(
  Array.from({ length: 4 }, (_, at) => {
    const account = mnemonicToAccount(mnemonic, { addressIndex: at + 1 });
    return [account.address.toLowerCase(), account];
  }),
);

let anvil: Anvil;
let node: Chain;
beforeAll(async () => {
  anvil = await startAnvil([
    '--no-mining',
    '--chain-id',
    String(chainId),
    '--base-fee',
    '0',
    '--gas-limit',
    '2000000000',
  ]);
  node = connect(anvil.url);
});
afterAll(() => anvil?.stop());

/** The same transaction with a true signature. */
const signed = ({ from, nonce, to, data, gas, gasPriceWei: gasPrice }: Transaction): Promise<Hex> => {
  const account = accounts.get(from);
  if (account === undefined) throw new Error(`${from} has no key`);
  return account.signTransaction({ type: 'legacy', chainId, nonce, to, data, gas, gasPrice, value: 0n });
};

/** The node's words for each refusal. */
const words: Readonly<Record<Refusal, RegExp>> = {
  'nonce too low': /nonce too low/,
  'already known': /already imported/,
  'replacement transaction underpriced': /underpriced/,
};

/** Sends it and returns its hash there, or how the node refused it. */
async function send(raw: Hex): Promise<{ readonly hash: Hex } | { readonly refused: string }> {
  try {
    return { hash: await node.sendRawTransaction({ serializedTransaction: raw }) };
  } catch (error) {
    const answer = (error as Error & { walk?: (is: (cause: unknown) => boolean) => unknown }).walk?.(
      (cause) => cause instanceof RpcRequestError,
    );
    if (!(answer instanceof RpcRequestError)) throw error;
    return { refused: answer.details };
  }
}

const nonceOf = (address: Address, blockTag: 'latest' | 'pending') => node.getTransactionCount({ address, blockTag });
const drop = (hash: Hex) => node.request({ method: 'anvil_dropTransaction', params: [hash] } as never);

/** Does the same on the node and compares. Returns the numbers of transactions sent and blocks mined. */
async function replay(recorded: readonly Recorded[]): Promise<{ readonly sent: number; readonly blocks: number }> {
  const before = await node.snapshot();
  /** In the model's pool, with the hash that each has on the node. */
  const pending = new Map<Hex, { readonly transaction: Transaction; readonly raw: Hex; hash: Hex }>();
  const nonces = new Map<Address, number>();
  let sent = 0;
  let blocks = 0;
  for (const each of recorded) {
    if (each.kind === 'dropped') {
      const known = pending.get(each.hash);
      if (known !== undefined) await drop(known.hash);
      pending.delete(each.hash);
    } else if (each.kind === 'sent') {
      const { transaction, refused } = each;
      const raw = await signed(transaction);
      const answered = await send(raw);
      sent += 1;
      const said = 'refused' in answered ? answered.refused : '';
      expect(said).toMatch(refused === undefined ? /^$/ : words[refused]);
      if (refused !== undefined || 'refused' in answered) continue;
      const replaced = [...pending].find(
        ([, { transaction: other }]) => other.from === transaction.from && other.nonce === transaction.nonce,
      );
      if (replaced !== undefined) pending.delete(replaced[0]);
      pending.set(transaction.hash, { transaction, raw, hash: answered.hash });
    } else {
      const taken = new Set(each.transactions.map(({ hash }) => hash));
      // The node must not see what the model's validators leave out while it makes the block.
      const left = [...pending.values()].filter(({ transaction }) => !taken.has(transaction.hash));
      for (const { hash } of left) await drop(hash);
      await node.mine({ blocks: 1 });
      blocks += 1;
      const { transactions } = await node.getBlock();
      const expected = each.transactions.map(({ hash }) => pending.get(hash)?.hash);
      expect(transactions.toSorted()).toEqual(expected.toSorted());
      for (const { hash, from, nonce } of each.transactions) {
        const known = pending.get(hash);
        pending.delete(hash);
        nonces.set(from, nonce + 1);
        if (known !== undefined) {
          const receipt = await node.getTransactionReceipt({ hash: known.hash });
          expect(receipt.from).toBe(from);
        }
      }
      for (const [from, nonce] of nonces) expect(await nonceOf(from, 'latest')).toBe(nonce);
      for (const known of left) await send(known.raw);
    }
    for (const [from, nonce] of nonces) {
      let next = nonce;
      while ([...pending.values()].some(({ transaction }) => transaction.from === from && transaction.nonce === next)) {
        next += 1;
      }
      expect(await nonceOf(from, 'pending')).toBe(next);
    }
  }
  await node.request({ method: 'anvil_dropAllTransactions' } as never);
  await node.revert({ id: before });
  return { sent, blocks };
}

/** Without reorganisations, which the node makes differently. */
async function recordOf(seed: number): Promise<readonly Recorded[]> {
  const story = storyOf(seed);
  const { pool, recorded } = recordingPool();
  const faults = story.faults.filter(({ kind }) => kind !== 'reorganisation');
  await simulate({ ...story, faults }, { limits, pool });
  return recorded;
}

/** Replays the first `count` seeds. */
async function replayed(count: number) {
  let total = { sent: 0, blocks: 0 };
  for (let seed = 1; seed <= count; seed += 1) {
    const { sent, blocks } = await replay(await recordOf(seed));
    total = { sent: total.sent + sent, blocks: total.blocks + blocks };
  }
  return total;
}

test('the transactions of 3 stories fare on a real node as in the model', async () => {
  const { sent, blocks } = await replayed(3);
  expect(sent).toBeGreaterThan(30);
  expect(blocks).toBeGreaterThan(30);
});

test('the transactions of 50 stories fare on a real node as in the model', { tags: ['long'] }, async () => {
  const { sent, blocks } = await replayed(50);
  expect(sent).toBeGreaterThan(500);
  expect(blocks).toBeGreaterThan(300);
});

test('a replacement that pays too little, a used nonce and the same bytes again are refused alike', async () => {
  const of = (nonce: number, gasPriceWei: bigint): Transaction => ({
    ...{ from: keeperKey, nonce, to: keeperKey, data: '0x', gas: 21_000n, gasPriceWei },
    hash: toHex(`${nonce} ${gasPriceWei}`, { size: 32 }),
  });
  const { pool, recorded } = recordingPool();
  const submit = (transaction: Transaction, mined: number) => pool.submit(transaction, mined, 0);
  expect(submit(of(0, 100n), 0)).toBe(undefined);
  expect(submit(of(0, 100n), 0)).toBe('already known');
  expect(submit(of(0, 99n), 0)).toBe('replacement transaction underpriced');
  expect(submit(of(0, 113n), 0)).toBe(undefined);
  expect(submit(of(2, 100n), 0)).toBe(undefined);
  expect(pool.nextNonce(keeperKey, 0)).toBe(1);
  expect(pool.take(new Map(), 0, 1n)).toMatchObject([{ gasPriceWei: 113n }]);
  expect(submit(of(0, 200n), 1)).toBe('nonce too low');
  expect(submit(of(1, 100n), 1)).toBe(undefined);
  expect(pool.take(new Map([[keeperKey, 1]]), 0, 1n)).toHaveLength(2);
  await replay(recorded);
});
