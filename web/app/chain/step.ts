import type { Address, Hex } from 'viem';

/** One transaction that the user signs, named by what it does. */
export interface Step {
  readonly label: string;
  readonly to: Address;
  readonly data: Hex;
}
