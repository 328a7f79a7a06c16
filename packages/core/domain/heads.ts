import type { Hex } from './units.ts';

/** A block at the end of the chain. */
export interface Head {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly hash: Hex;
}

/** The end of the chain, as nodes tell it. */
export interface Heads {
  /** Undefined until a node has told one. */
  newest(): Head | undefined;
  /**
   * Calls for each new head, and for the newest one again when the nodes answer after all of them have failed: waiting
   * work need not wait for a block as well. The returned function ends the calls.
   */
  onHead(listen: (head: Head) => void): () => void;
}
