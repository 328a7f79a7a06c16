import type { Address, Hex } from 'viem';

/** A signed transaction. */
export interface Transaction {
  readonly hash: Hex;
  readonly from: Address;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly gasPriceWei: bigint;
}

/** Why a node refuses a transaction, in geth's words. */
export type Refusal = 'nonce too low' | 'already known' | 'replacement transaction underpriced';

interface Pending {
  readonly transaction: Transaction;
  /** No block takes it before. Virtual milliseconds. */
  readonly heldUntil: number;
}

/** Transactions that are in no block. */
export interface Pool {
  /** @param nonce the next nonce of its key in the newest block. */
  submit(transaction: Transaction, nonce: number, heldUntil: number): Refusal | undefined;
  has(hash: Hex): boolean;
  /** The next nonce of a key after its pending transactions without a gap. */
  nextNonce(from: Address, mined: number): number;
  /** The transactions that a block of this time includes, in its order. */
  take(nonces: ReadonlyMap<Address, number>, now: number, minGasPriceWei: bigint): Transaction[];
  /** Forgets a transaction, as a node does whose pool is full or restarted. */
  drop(hash: Hex): void;
  newest(): Transaction | undefined;
}

export function createPool(): Pool {
  let pending: readonly Pending[] = [];
  const find = (from: Address, nonce: number) =>
    pending.find(({ transaction }) => transaction.from === from && transaction.nonce === nonce);
  const remove = (gone: Pending): void => {
    pending = pending.filter((each) => each !== gone);
  };

  return {
    submit(transaction, nonce, heldUntil) {
      if (transaction.nonce < nonce) return 'nonce too low';
      const before = find(transaction.from, transaction.nonce);
      if (before?.transaction.hash === transaction.hash) return 'already known';
      if (before !== undefined) {
        // A replacement pays at least a tenth more.
        if (transaction.gasPriceWei * 10n < before.transaction.gasPriceWei * 11n) {
          return 'replacement transaction underpriced';
        }
        remove(before);
      }
      pending = [...pending, { transaction, heldUntil }];
      return undefined;
    },
    has: (hash) => pending.some(({ transaction }) => transaction.hash === hash),
    nextNonce(from, mined) {
      let next = mined;
      while (find(from, next) !== undefined) next += 1;
      return next;
    },
    take(nonces, now, minGasPriceWei) {
      if (pending.length === 0) return [];
      const taken: Transaction[] = [];
      const next = new Map(nonces);
      const isNext = ({ transaction: { from, nonce, gasPriceWei }, heldUntil }: Pending) =>
        nonce === (next.get(from) ?? 0) && heldUntil <= now && gasPriceWei >= minGasPriceWei;
      const dearest = (a: Pending, b: Pending) => Number(b.transaction.gasPriceWei - a.transaction.gasPriceWei);
      for (;;) {
        const [best] = pending.filter(isNext).toSorted(dearest);
        if (best === undefined) break;
        const { transaction } = best;
        next.set(transaction.from, transaction.nonce + 1);
        taken.push(transaction);
        remove(best);
      }
      // Transactions whose nonce is now used are dropped.
      pending = pending.filter(({ transaction: { from, nonce } }) => nonce >= (next.get(from) ?? 0));
      return taken;
    },
    drop(hash) {
      pending = pending.filter(({ transaction }) => transaction.hash !== hash);
    },
    newest: () => pending.at(-1)?.transaction,
  };
}
