import type { Address, Hex } from './units.ts';

/** What the agent owes for a payment whose work failed: one answer to that question, by the same payment. */
export interface PaymentCredit {
  readonly payer: Address;
  readonly token: Address;
  /** Base units of the token. */
  readonly amount: bigint;
  /** Of the payment's authorisation. */
  readonly nonce: Hex;
  /** Transaction that paid. */
  readonly transaction: Hex;
  /** keccak256 of the question's identity. */
  readonly question: Hex;
  /** Unix seconds. */
  readonly issuedAt: bigint;
}

/** Signed part of a credit (EIP-712). */
export const creditTypes = {
  PaymentCredit: [
    { name: 'payer', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'transaction', type: 'bytes32' },
    { name: 'question', type: 'bytes32' },
    { name: 'issuedAt', type: 'uint64' },
  ],
} as const;

/** EIP-712 domain of credits on a chain. */
export const creditDomain = (chainId: number) => ({ name: 'Bowline credits', version: '1', chainId }) as const;
