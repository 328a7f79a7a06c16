import type { Looked } from '@bowline/chain/find-own';

/** How much of an account's plans or guards is known. */
export interface Searched {
  /** Number of all accounts' at that time. */
  readonly count: bigint;
  /** The last number that was searched. Those after it, and the newest while they are young, are searched next. */
  readonly upTo: bigint;
  /** When the newest numbers were searched; undefined: not that it is known. */
  readonly looked?: Looked;
  /** The account's own that could not be read. They and the numbers after `upTo` are tried again next time. */
  readonly unread: readonly bigint[];
  /** Why the `unread` ones could not be read; undefined if there are none. */
  readonly cause: unknown;
  /** What ended the search at `upTo`; undefined if it searched everything, or stopped to go on next time. */
  readonly searchCause: unknown;
}
