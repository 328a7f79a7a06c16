import type { Hex } from './units.ts';

/** A block at the end of the chain. */
export interface Head {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly hash: Hex;
}

/** Between two blocks of BNB Chain, as BEP-619 has it. */
export const BLOCK_MS = 450;

/** After this long without a block, the nodes have stopped or lost the chain. */
export const SILENT_SECONDS = 15;

/** Fifteen minutes, whose logs public nodes search in one request. */
export const LOG_BLOCKS = 2_000n;

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
