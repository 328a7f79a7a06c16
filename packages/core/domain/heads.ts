import type { Hex } from './units.ts';

/** A block at the end of the chain. */
export interface Head {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly hash: Hex;
}

/** Time between two blocks of BNB Chain (BEP-619). */
export const BLOCK_MS = 450;

/** After this long without a block, the nodes have stopped or lost the chain. */
export const SILENT_SECONDS = 15;

/** Fifteen minutes of blocks: public nodes search that many for logs in one request. */
export const LOG_BLOCKS = 2_000n;

/** The end of the chain, as nodes report it. */
export interface Heads {
  /** Undefined until a node has reported one. */
  newest(): Head | undefined;
  /**
   * Calls for each new head. Calls again with the newest head when nodes answer after all of them have failed, so that
   * pending work need not also wait for a block. The returned function ends the calls.
   */
  onHead(listen: (head: Head) => void): () => void;
}
