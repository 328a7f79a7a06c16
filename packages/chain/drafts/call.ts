import type { Address, Hex } from 'viem';

/** A transaction for a wallet to sign: pass it to viem's `sendTransaction`. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
}
