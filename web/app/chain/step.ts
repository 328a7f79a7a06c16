import type { Address, Hex } from 'viem';
import type { Proof } from './proof.ts';

/** One transaction for the user to sign, labelled by what it does. */
export interface Step {
  readonly label: string;
  readonly to: Address;
  readonly data: Hex;
  /** wei of BNB that it sends; absent: none. Only contracts that the build pinned may receive any (chain/bnb.ts). */
  readonly value?: bigint;
  /** Sent without simulation, for a call that cannot fail and must not wait for the page's node. */
  readonly isUntried?: true;
  /** It only ends or pauses something, so it still runs after "Stop everything". */
  readonly isEnd?: true;
  /** What a receipt shows once it has happened. Steps that all have one can form a batch (transactions/batch.ts). */
  readonly proof?: Proof;
  /** For an approval: the part others need, in base units. If its step fails, the page offers to reduce it to this. */
  readonly kept?: { readonly spender: Address; readonly amount: bigint };
}
