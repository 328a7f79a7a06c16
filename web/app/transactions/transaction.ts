import type { Address, Hex, TransactionReceipt } from 'viem';
import type { Moment } from '../api/age.ts';
import type { Step } from '../chain/step.ts';
import type { Failure } from '../words/contract-errors.ts';

/** What is known of a step from the moment that the wallet has sent it. */
export interface Sent {
  readonly hash: Hex;
  /** Its number among the account's transactions; undefined until a node has shown it. */
  readonly nonce?: number | undefined;
  /** A block in which it was not found; undefined until the first look. */
  readonly since?: bigint | undefined;
  /** Whether the node has not known it for a while, and its number is unused. */
  readonly isDropped?: boolean;
}

/** The chain's state when the wallet was asked: used to find a transaction whose hash the wallet never reported. */
export interface Asked {
  /** The account's first transaction number that no block had used. */
  readonly first: number;
  /** Its first number that nothing in the node's pool had used either. */
  readonly next: number;
  /** The newest block. */
  readonly since: bigint;
}

/** What is looked at again of a transaction that has its end, because its blocks may still be replaced by others. */
export interface Young {
  /** When it had its end, milliseconds of the browser's clock. */
  readonly since: number;
  /** The step of the first of those that are looked at. */
  readonly from: number;
  readonly transactions: readonly Pick<TransactionReceipt, 'transactionHash' | 'blockHash' | 'status'>[];
}

/** What only this load of the page knows of a transaction. It is not kept. */
export interface Watch {
  /** Since when it waits for the wallet, or for what comes before the wallet is asked. */
  readonly signingSince?: Moment | undefined;
  /** Whether the wallet has been asked, and has not answered. */
  readonly isAsking?: boolean;
  /** Whether the chain's state is still being read while a wallet was asked without waiting for it. */
  readonly isMarking?: boolean;
  /** Whether no further step is requested. The wallet's answer to the last one still counts. */
  readonly isLeft?: boolean;
  /** Whether it was open when its owner stopped everything. */
  readonly isHalted?: boolean;
  /** Since when its outcome is looked for. */
  readonly from?: Moment;
  /** Since when no node has known its hash. */
  readonly missingFrom?: Moment | undefined;
  /** When the wallet last reported on a batch. */
  readonly heard?: Moment | undefined;
  /** What the last look found, if only a second look makes it certain: one node may be ahead of another. */
  readonly once?: 'replaced' | 'overtaken' | undefined;
  /** Hashes of later steps, of a transaction that had been done. */
  readonly later?: readonly Hex[];
}

/**
 * What has become of a transaction. `signing`: simulated, then waiting for the wallet. `pending`: sent. `unknown`: sent, or
 * perhaps sent, with unknown outcome; it is still looked for, by its hash or by what was asked. `done`, `failed` and a
 * step before `at` are final.
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

/** What every state of a transaction has. */
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
  /** Of the steps before `at`, and of that step once it is in a block. */
  readonly hashes: readonly Hex[];
  /** Those of `hashes` that were read since the page was loaded. */
  readonly receipts: readonly TransactionReceipt[];
  readonly young?: Young | undefined;
  readonly watch?: Watch;
}

/** What one button asks the wallet for: steps that are signed one after another, or as one batch. */
export type Transaction = State & Body;

/** A transaction in another state. Of the state before nothing is left. */
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

/** Busy transactions hold their button; one of unknown outcome is for a person to judge. */
export const isBusy = ({ state }: Transaction): boolean => state === 'signing' || state === 'pending';
