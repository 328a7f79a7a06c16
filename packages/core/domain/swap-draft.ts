// A swap as unsigned calls for its owner's own wallet.

import type { Hop } from './facts.ts';
import type { Address, Hex } from './units.ts';

export interface SwapOrder {
  readonly owner: Address;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** The pools of the swap, from `tokenIn` to `tokenOut`. */
  readonly route: readonly Hop[];
  readonly amountIn: bigint;
  readonly minAmountOut: bigint;
  /** Last second in which it may be sent, unix seconds. */
  readonly deadline: bigint;
  /** Whether `tokenIn` is WBNB that the owner wraps from BNB just before the calls. */
  readonly isInBnb?: boolean;
}

export interface DraftCall {
  readonly kind: 'approve' | 'swap';
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
}

export type SwapDraft =
  /** The calls in order, and their simulated effect on the owner's balances. */
  | {
      readonly state: 'drafted';
      readonly calls: readonly DraftCall[];
      readonly tokenInDelta: bigint;
      readonly tokenOutDelta: bigint;
    }
  | { readonly state: 'refused'; readonly reason: 'balance_too_low' | 'swap_would_revert' | 'simulation_unavailable' };

export interface SwapDrafter {
  /** Throws BowlineError `chain_unavailable` (retryable). */
  draft(order: SwapOrder): Promise<SwapDraft>;
}
