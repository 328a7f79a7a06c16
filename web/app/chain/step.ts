import type { Address, Hex } from 'viem';

/** One transaction for the user to sign, labelled by what it does. */
export interface Step {
  readonly label: string;
  readonly to: Address;
  readonly data: Hex;
  /** Sent without a simulation: for a call that cannot fail and must not wait for the page's node. */
  readonly isUntried?: true;
}
