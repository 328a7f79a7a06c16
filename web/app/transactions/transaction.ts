import type { Address, Hex, TransactionReceipt } from 'viem';
import type { Moment } from '../api/age.ts';
import type { Step } from '../chain/step.ts';
import type { Failure } from '../words/contract-errors.ts';

/** What is known of a step once the wallet has sent it. */
export interface Sent {
  readonly hash: Hex;
  /** Undefined until a node has shown it. */
  readonly nonce?: number | undefined;
  /** A block in which it was not found; undefined until the first lookup. */
  readonly since?: bigint | undefined;
  /** Whether the node has not known it for a while and its nonce is unused. */
  readonly isDropped?: boolean;
}

/** The chain's state when the wallet was asked: used to find a transaction whose hash the wallet never reported. */
export interface Asked {
  /** The account's first nonce that no block had used. */
  readonly first: number;
  /** Its first nonce that nothing in the node's pool had used either. */
  readonly next: number;
  /** The newest block. */
  readonly since: bigint;
}

/** The part of an ended transaction that is checked again, because a reorg may still replace its blocks. */
export interface Young {
  /** When it ended, milliseconds of the browser's clock. */
  readonly since: number;
  /** The step of the first of `transactions`. */
  readonly from: number;
  readonly transactions: readonly Pick<TransactionReceipt, 'transactionHash' | 'blockHash' | 'status'>[];
}

/** State that only this page load has of a transaction. It is not stored. */
export interface Watch {
  /** Since when it waits for the wallet, or for the preparation before the wallet is asked. */
  readonly signingSince?: Moment | undefined;
  /** Whether the wallet was asked and has not answered. */
  readonly isAsking?: boolean;
  /** Whether the chain's state is still being read, because the wallet was asked without waiting for it. */
  readonly isMarking?: boolean;
  /** Whether no further step is requested. The wallet's answer to the last one still counts. */
  readonly isLeft?: boolean;
  /** Whether it was open when its owner stopped everything. */
  readonly isHalted?: boolean;
  /** Since when its outcome has been looked up. */
  readonly from?: Moment;
  /** Since when no node has known its hash. */
  readonly missingFrom?: Moment | undefined;
  /** When the wallet last reported on a batch. */
  readonly heard?: Moment | undefined;
  /** What the last lookup found, if only a second one makes it certain: one node may be ahead of another. */
  readonly once?: 'replaced' | 'overtaken' | undefined;
  /** Hashes of later steps, for a transaction that was done before a reorg. */
  readonly later?: readonly Hex[];
}

/**
 * The state of a transaction. `signing`: being simulated, then waiting for the wallet. `pending`: sent. `unknown`: sent
 * or perhaps sent, with unknown outcome; it is still looked up, by its hash or by what was asked. `done`, `failed` and
 * a step before `at` are final.
 */
export type State =
  | { readonly state: 'signing' }
  | {
      readonly state: 'pending' | 'unknown';
      readonly sent: Sent | undefined;
      /** For a batch: whether the wallet reported nothing when last asked. */
      readonly isUnheard?: boolean;
    }
  | { readonly state: 'done' }
  | {
      readonly state: 'failed';
      readonly failure: Failure;
      /** For a batch: the steps that the chain shows. */
      readonly made?: readonly number[];
    };

/** Fields of a transaction in every state. */
export interface Body {
  readonly id: string;
  readonly owner: Address;
  /** Which button of the page started it; undefined if its place is not remembered. */
  readonly place: string | undefined;
  /** What a person signs one after another: "Approve 100 USDT", then "Create the plan". */
  readonly steps: readonly Step[];
  /** The step that it has reached. */
  readonly at: number;
  /** The wallet's id for all steps as one batch (transactions/batch.ts); undefined: steps are requested one by one. */
  readonly batch: string | undefined;
  /** The newest block when the wallet was asked for the batch. */
  readonly since?: bigint | undefined;
  /** The chain's state when the wallet was asked for this step; undefined if it could not be read. */
  readonly asked?: Asked | undefined;
  /** Hashes of the steps before `at`, and of the step at `at` once it is in a block. */
  readonly hashes: readonly Hex[];
  /** Receipts of `hashes` that were read since the page was loaded. */
  readonly receipts: readonly TransactionReceipt[];
  readonly young?: Young | undefined;
  readonly watch?: Watch;
}

/** What one button requests from the wallet: steps that are signed one after another, or as one batch. */
export type Transaction = State & Body;

/** A transaction in another state. Drops the fields of the previous state. */
export function to(tx: Transaction, changes: Partial<Body> & State): Transaction {
  const { id, owner, place, steps, at, batch, since, asked, hashes, receipts, young, watch } = tx;
  return {
    ...{ id, owner, place, steps, at, batch, since, asked, hashes, receipts, young },
    ...(watch && { watch }),
    ...changes,
  };
}

/** The steps of a failed transaction that have happened. */
export const madeOf = (tx: Transaction & { readonly state: 'failed' }): readonly Step[] =>
  tx.batch === undefined ? tx.steps.slice(0, tx.at) : tx.steps.filter((_, at) => tx.made?.includes(at));

export const isOpen = ({ state }: Transaction): boolean =>
  state === 'signing' || state === 'pending' || state === 'unknown';

/** Busy transactions disable their button; a transaction of unknown outcome is left to the user. */
export const isBusy = ({ state }: Transaction): boolean => state === 'signing' || state === 'pending';
