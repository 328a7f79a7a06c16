import { type Address, type Hex, padHex, toHex } from 'viem';
import { blockSeconds } from '../../../lab/world/block.ts';
import {
  call,
  copyOf,
  type EventLog,
  type JudgeRescue,
  newState,
  type PlanTerms,
  Reverted,
  type State,
  type Surroundings,
} from './contracts.ts';
import { createPool, type Pool, type Transaction } from './pool.ts';

/** Milliseconds between blocks. */
export const blockMs = 1000 * blockSeconds;

export interface Receipt {
  readonly transaction: Transaction;
  readonly block: Block;
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  readonly logs: readonly EventLog[];
}

export interface Block {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly receipts: readonly Receipt[];
  /** After the block. */
  readonly state: State;
}

export interface ChainOptions {
  readonly operator: Address;
  readonly plans: readonly PlanTerms[];
  /** Unix seconds at virtual time 0. */
  readonly startsAt: bigint;
  readonly pool?: Pool | undefined;
  /** What LoanGuard says of a rescue; absent: each fall of a loan allows one. */
  readonly judgeRescue?: JudgeRescue;
  /** Newest blocks that are kept, more than a node remembers; absent: all. */
  readonly keptBlocks?: number;
}

/** The chain as it is, which nodes may know late or not at all. */
export interface Chain {
  readonly pool: Pool;
  readonly plans: readonly PlanTerms[];
  head(): Block;
  /** Undefined for a number that the chain has not reached. */
  block(number: number): Block | undefined;
  /** Undefined for a block that is unknown or undone. */
  blockBy(hash: Hex): Block | undefined;
  receipt(hash: Hex): Receipt | undefined;
  around(block: Block): Surroundings;
  /** The loan of this guard falls below its trigger with the next block. */
  fall(guardId: bigint): void;
  /** No block takes a transaction that pays less. */
  setMinGasPrice(wei: bigint): void;
  minGasPriceWei(): bigint;
  mine(now: number): Block;
  /**
   * Replaces the newest `depth` blocks by that many and one more. Only those of their transactions that are kept come
   * into the new blocks. The others are gone, as if nobody had ever seen them.
   */
  reorganise(now: number, depth: number, isKept: (transaction: Transaction) => boolean): void;
  /** Failed calls, and the wei that their transactions have paid, in the blocks as they are. */
  paidForFailures(): { readonly count: number; readonly wei: bigint };
}

/** More than the reorganisations in one story. */
const BRANCHES = 1_000;
/** As much as a rescue uses. Failing early uses less. */
const gasOfSuccess = 700_000n;
const gasOfFailure = 100_000n;

export function createChain(options: ChainOptions): Chain {
  const { operator, plans, startsAt, pool = createPool(), judgeRescue, keptBlocks } = options;
  const falls: { readonly guardId: bigint; readonly number: number }[] = [];
  let minGasPriceWei = 1n;
  let branch = 0;
  const blocks: Block[] = [];
  const receipts = new Map<Hex, Receipt>();
  const failed = new Map<Hex, Receipt>();

  const hashOf = (number: number): Hex => padHex(toHex(number * BRANCHES + branch), { size: 32 });
  const head = (): Block => blocks.at(-1) as Block;

  const around = ({ number, timestamp }: Pick<Block, 'number' | 'timestamp'>): Surroundings => ({
    operator,
    plans,
    time: timestamp,
    number,
    ...(judgeRescue && { judgeRescue }),
    falls: (guardId) => falls.filter((fall) => fall.guardId === guardId && fall.number <= number).length,
  });

  function add(timestamp: bigint, taken: readonly Transaction[]): Block {
    const number = blocks.length;
    const parent = blocks.at(-1);
    const state = taken.length === 0 && parent !== undefined ? parent.state : copyOf(parent?.state ?? newState());
    const block = {
      number,
      hash: hashOf(number),
      parentHash: parent?.hash ?? padHex('0x', { size: 32 }),
      timestamp,
      receipts: [] as Receipt[],
      state,
    };
    blocks.push(block);
    for (const transaction of taken) {
      const receipt = execute(block, transaction);
      block.receipts.push(receipt);
      receipts.set(transaction.hash, receipt);
    }
    return block;
  }

  function execute(block: Block, transaction: Transaction): Receipt {
    const { from, nonce, to, data, hash } = transaction;
    const { state } = block;
    state.nonces.set(from, nonce + 1);
    const kept = copyOf(state);
    try {
      const { logs, failures, gasUsed = gasOfSuccess } = call(state, around(block), { from, to, data, hash });
      const receipt = { transaction, block, isSuccess: true, gasUsed, logs };
      if (failures > 0) failed.set(hash, { ...receipt, gasUsed: gasOfFailure * BigInt(failures) });
      return receipt;
    } catch (error) {
      if (!(error instanceof Reverted)) throw error;
      Object.assign(state, kept);
      const receipt = { transaction, block, isSuccess: false, gasUsed: gasOfFailure, logs: [] };
      failed.set(hash, receipt);
      return receipt;
    }
  }

  const timeOf = (now: number): bigint => startsAt + BigInt(Math.floor(now / 1000));
  const mine = (now: number): Block => {
    if (keptBlocks !== undefined) forget(blocks.length - keptBlocks);
    return add(timeOf(now), pool.take(head().state.nonces, now, minGasPriceWei));
  };
  function forget(number: number): void {
    for (const { transaction } of blocks[number]?.receipts ?? []) receipts.delete(transaction.hash);
    delete blocks[number];
  }
  add(startsAt, []);

  return {
    pool,
    plans,
    head,
    block: (number) => blocks[number],
    blockBy(hash) {
      const found = blocks[Math.floor(Number(hash) / BRANCHES)];
      return found?.hash === hash ? found : undefined;
    },
    receipt: (hash) => receipts.get(hash),
    around,
    fall: (guardId) => void falls.push({ guardId, number: blocks.length }),
    setMinGasPrice(wei) {
      minGasPriceWei = wei;
    },
    minGasPriceWei: () => minGasPriceWei,
    mine,
    reorganise(now, depth, isKept) {
      const undone = blocks.splice(Math.max(1, blocks.length - depth));
      branch += 1;
      for (const { transaction } of undone.flatMap((block) => block.receipts)) {
        receipts.delete(transaction.hash);
        failed.delete(transaction.hash);
      }
      // In the old order: another chain has the same transactions at about the same place.
      for (const { timestamp, receipts: before } of undone) {
        for (const { transaction } of before.filter((receipt) => isKept(receipt.transaction))) {
          pool.submit(transaction, head().state.nonces.get(transaction.from) ?? 0, 0);
        }
        add(timestamp, pool.take(head().state.nonces, now, minGasPriceWei));
      }
      mine(now);
    },
    paidForFailures: () => ({
      count: failed.size,
      wei: [...failed.values()].reduce((sum, { gasUsed, transaction }) => sum + gasUsed * transaction.gasPriceWei, 0n),
    }),
  };
}
