import type { Looked } from '@bowline/chain/find-own';

/** How much of an account's plans or guards is known. */
export interface Searched {
  /** Number of all accounts' plans or guards at the time of the search. */
  readonly count: bigint;
  /** The last number searched. Next are the ones after it, and the newest again while they are young. */
  readonly upTo: bigint;
  /** When the newest numbers were searched; undefined if unknown. */
  readonly looked?: Looked;
  /** The account's own that could not be read. They and the numbers after `upTo` are retried next time. */
  readonly unread: readonly bigint[];
  /** Why the `unread` ones could not be read; undefined if there are none. */
  readonly cause: unknown;
  /** The error that ended the search at `upTo`; undefined if it searched everything or will continue next time. */
  readonly searchCause: unknown;
}
