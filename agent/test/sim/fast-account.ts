import {
  type Address,
  type Hex,
  keccak256,
  type PrivateKeyAccount,
  pad,
  parseTransaction,
  serializeTransaction,
} from 'viem';
import { toAccount } from 'viem/accounts';
import type { Transaction } from './pool.ts';

/** Stands in for elliptic curves, which would take most of a simulation's time: a signature that names its signer. */
export function fastAccount(address: Address): PrivateKeyAccount {
  const account = toAccount({
    address,
    signMessage: async () => signature,
    signTypedData: async () => signature,
    // Only legacy transactions are signed.
    signTransaction: async (transaction) =>
      serializeTransaction(transaction, { r: pad(address), s: pad('0x1'), v: 27n, yParity: 0 }),
  });
  return account as unknown as PrivateKeyAccount;
}

const signature: Hex = `0x${'11'.repeat(65)}`;

/** The transaction in these bytes, signed as above. */
export function readTransaction(raw: Hex): Transaction {
  const { r = '0x', nonce = 0, to, data = '0x', gas = 0n, gasPrice = 0n } = parseTransaction(raw);
  return {
    hash: keccak256(raw),
    from: `0x${pad(r).slice(-40)}`,
    nonce,
    to: (to ?? '0x').toLowerCase() as Address,
    data,
    gas,
    gasPriceWei: gasPrice,
  };
}
