import type { WalletWord } from '@bowline/chain/wallet-signature';
import type { Payment } from '@bowline/core/domain/payment';
import type { Hex } from '@bowline/core/domain/units';

// What the chain shows of a payment, and who reads it.

/** On-chain state of an authorisation. */
export type Standing =
  | { readonly state: 'paid'; readonly transaction: Hex }
  | { readonly state: 'cancelled'; readonly isFinal: boolean }
  /** Used in a transaction that did not pay us. */
  | { readonly state: 'used_elsewhere'; readonly isFinal: boolean }
  /** As of `block`. `over`: its validity has ended, so it stays unused: by two nodes, or by one five minutes later. */
  | {
      readonly state: 'unused';
      readonly block: bigint;
      readonly over: boolean;
      readonly waiting: boolean;
      readonly isFinal: boolean;
    }
  /** Used or cancelled, but the nodes do not show the transaction. */
  | { readonly state: 'unclear'; readonly waiting: boolean; readonly isFinal: boolean };
// `waiting`: the node has no receipt yet for one of the named transactions, or has it in a block after the one that was read.
// `isFinal`: as of FINAL_SECONDS after the end of its validity, when no reorganisation and no late block changes it. That a payment
// did not pay us is final by two nodes, each by itself, and never by one.

/** How long after a payment's validity its outcome may still change: nodes lag by minutes at most. */
const FINAL_SECONDS = 300n;

/** @param timestamp of the block at which it was read, or of a clock; in seconds. */
export const isFinalAt = (timestamp: bigint, { authorization: { validBefore } }: Payment): boolean =>
  timestamp >= validBefore + FINAL_SECONDS;

type Preview =
  | { readonly state: 'unused'; readonly block: bigint }
  | { readonly state: 'used' | 'refused' | 'not_approved' };

export interface PaymentProof {
  /** What the payer says of the signature, if it is a contract (ERC-1271). Throws `chain_unavailable`. */
  askWallet(payment: Payment): Promise<WalletWord>;
  /**
   * Simulates the transfer, so that the token itself checks funds, freezes, time and signature. `unused`: the transfer
   * would succeed after that block. Throws `chain_unavailable`.
   */
  preview(payment: Payment): Promise<Preview>;
  /**
   * @param since last block in which the authorisation is known to be unused; the search for its use begins there.
   * @param transactions candidates named by the facilitator; each is checked.
   * @throws viem's errors and `chain_unavailable`.
   */
  standing(payment: Payment, since: bigint, transactions: readonly Hex[]): Promise<Standing>;
}
