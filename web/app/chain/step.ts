import type { Address, Hex } from 'viem';
import type { Proof } from './proof.ts';

/** One transaction for the user to sign, labelled by what it does. */
export interface Step {
  readonly label: string;
  readonly to: Address;
  readonly data: Hex;
  /** wei of BNB that it carries; absent: none. Only contracts that the build pinned are sent any (chain/bnb.ts). */
  readonly value?: bigint;
  /** Sent without a simulation: for a call that cannot fail and must not wait for the page's node. */
  readonly isUntried?: true;
  /** It only ends or pauses something, and so continues after "Stop everything". */
  readonly isEnd?: true;
  /** What a receipt shows once it has happened. Steps that all have one can be made as one (transactions/batch.ts). */
  readonly proof?: Proof;
  /** For an approval: the part that others need, in base units. If its step fails, the page offers to reduce it to that. */
  readonly kept?: { readonly spender: Address; readonly amount: bigint };
}
