import type { Address, Hex } from 'viem';

/** One transaction that the user signs, named by what it does. */
export interface Step {
  readonly label: string;
  readonly to: Address;
  readonly data: Hex;
  /** Sent without trying it out: for what cannot fail, and must not wait for the page's own node. */
  readonly isUntried?: true;
}
