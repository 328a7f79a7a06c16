import type { Json, Payment } from '@bowline/core/domain/payment';
import { creditDomain, creditTypes, type PaymentCredit } from '@bowline/core/domain/payment-credit';
import type { Address, Hex } from '@bowline/core/domain/units';
import { getAddress, keccak256, stringToBytes } from 'viem';
import type { Question } from './question.ts';

/** A key of the agent that signs credits. */
export interface CreditAccount {
  readonly address: Address;
  signTypedData(credit: {
    readonly domain: ReturnType<typeof creditDomain>;
    readonly types: typeof creditTypes;
    readonly primaryType: 'PaymentCredit';
    readonly message: PaymentCredit;
  }): Promise<Hex>;
}

export type SignCredit = (payment: Payment, transaction: Hex, question: Question) => Promise<Json>;

/** Signs what is owed for paid work that failed. The credit is redeemed by sending the same payment again. */
export function createCredits(account: CreditAccount, chainId: number, clock: () => bigint): SignCredit {
  const domain = creditDomain(chainId);
  return async ({ asset, authorization: { from, value, nonce } }, transaction, question) => {
    const message: PaymentCredit = {
      payer: from,
      token: getAddress(asset),
      amount: value,
      nonce,
      transaction,
      question: keccak256(stringToBytes(question.key)),
      issuedAt: clock(),
    };
    const signature = await account.signTypedData({
      domain,
      types: creditTypes,
      primaryType: 'PaymentCredit',
      message,
    });
    const { issuedAt, amount, ...rest } = message;
    return {
      ...rest,
      amount: amount.toString(),
      issued_at: issuedAt.toString(),
      signer: account.address,
      signature,
      domain: { name: domain.name, version: domain.version, chain_id: chainId },
    };
  };
}
