import type { Address, Hex, TransactionReceipt } from 'viem';
import type { Moment } from '../api/age.ts';
import type { Step } from '../chain/step.ts';
import type { Failure } from '../words/contract-errors.ts';

/** What is known of a step's transaction from the moment that the wallet has sent it. */
export interface Sent {
  readonly hash: Hex;
  /** Its number among the account's transactions; undefined until a node has shown it. */
  readonly nonce?: number | undefined;
  /** A block that it was looked for in vain; undefined until the first look. */
  readonly since?: bigint | undefined;
  /** Whether the node has not known it for a while, and its number is unused. */
  readonly isDropped?: boolean;
}

/** What the chain showed when the wallet was asked: where a transaction is found whose hash the wallet never told. */
export interface Asked {
  /** The account's first transaction number that no block had used. */
  readonly first: number;
  /** Its first number that nothing in the node's pool had used either. */
  readonly next: number;
  /** The newest block. */
  readonly since: bigint;
}

/** What is looked at again of an act that has its end, because its blocks may still be replaced by others. */
export interface Young {
  /** When it had its end, milliseconds of the browser's clock. */
  readonly since: number;
  /** The step of the first of its transactions that are looked at. */
  readonly from: number;
  readonly transactions: readonly Pick<TransactionReceipt, 'transactionHash' | 'blockHash' | 'status'>[];
}

/** What only this load of the page knows of an act. It is not kept. */
export interface Watch {
  /** Since when it waits for the wallet, or for what comes before the wallet is asked. */
  readonly signingSince?: Moment | undefined;
  /** Whether the wallet has been asked, and has not answered. */
  readonly isAsking?: boolean;
  /** Whether what the chain showed beside a wallet that was asked at once is still being read. */
  readonly isMarking?: boolean;
  /** Whether no further step is asked for. What the wallet answers to the last one is heard. */
  readonly isLeft?: boolean;
  /** Whether it was open when its owner stopped everything. */
  readonly isHalted?: boolean;
  /** Since when its outcome is looked for. */
  readonly from?: Moment;
  /** Since when no node has known its transaction. */
  readonly missingFrom?: Moment | undefined;
  /** When the wallet last told of steps made as one. */
  readonly heard?: Moment | undefined;
  /** What the last look found, if only a second look makes it certain: one node may be ahead of another. */
  readonly once?: 'replaced' | 'overtaken' | undefined;
  /** Transactions of later steps, of an act that had been done. */
  readonly later?: readonly Hex[];
}

/**
 * What has become of an act. `signing`: simulated, then waiting for the wallet. `pending`: sent. `unknown`: sent, or
 * perhaps sent, with unknown outcome; it is still looked for, by its hash or by what was asked. `done`, `failed` and a
 * step before `at` are final.
 */
export type State =
  | { readonly state: 'signing' }
  | {
      readonly state: 'pending' | 'unknown';
      readonly sent: Sent | undefined;
      /** Of steps made as one: whether the wallet, when it was last asked, told nothing of them. */
      readonly isUnheard?: boolean;
    }
  | { readonly state: 'done' }
  | {
      readonly state: 'failed';
      readonly failure: Failure;
      /** Of steps made as one: those that the chain shows. */
      readonly made?: readonly number[];
    };

/** What every state of an act has. */
export interface Body {
  readonly id: string;
  readonly owner: Address;
  /** Which button of the page started it; undefined if its place is not remembered. */
  readonly place: string | undefined;
  /** What a person signs one after another: "Approve 100 USDT", then "Create the plan". */
  readonly steps: readonly Step[];
  /** The step that it has reached. */
  readonly at: number;
  /** Under which the wallet has all steps as one (acts/batch.ts); undefined: it is asked for one after another. */
  readonly batch: string | undefined;
  /** The newest block when the wallet was asked for all steps as one. */
  readonly since?: bigint | undefined;
  /** What the chain showed when the wallet was asked for this step; undefined if that could not be read. */
  readonly asked?: Asked | undefined;
  /** Of the steps before `at`, and of that step once its transaction is in a block. */
  readonly hashes: readonly Hex[];
  /** Those of `hashes` that were read since the page was loaded. */
  readonly receipts: readonly TransactionReceipt[];
  readonly young?: Young | undefined;
  readonly watch?: Watch;
}

export type Act = State & Body;

/** An act in another state. Of the state before nothing is left. */
export function to(act: Act, changes: Partial<Body> & State): Act {
  const { id, owner, place, steps, at, batch, since, asked, hashes, receipts, young, watch } = act;
  return {
    ...{ id, owner, place, steps, at, batch, since, asked, hashes, receipts, young },
    ...(watch && { watch }),
    ...changes,
  };
}

/** The steps of a failed act that have happened. */
export const madeOf = (act: Act & { readonly state: 'failed' }): readonly Step[] =>
  act.batch === undefined ? act.steps.slice(0, act.at) : act.steps.filter((_, at) => act.made?.includes(at));

export const isOpen = ({ state }: Act): boolean => state === 'signing' || state === 'pending' || state === 'unknown';

/** Busy acts hold their button; one of unknown outcome is for a person to judge. */
export const isBusy = ({ state }: Act): boolean => state === 'signing' || state === 'pending';
