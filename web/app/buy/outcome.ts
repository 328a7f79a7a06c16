import { erc20Abi } from '@bowline/chain/erc20-abi';
import { sameAddress } from '@bowline/core/domain/same-address';
import { parseEventLogs, type TransactionReceipt } from 'viem';
import type { Trade } from '../../sound-offer.ts';

/** The changes of a trade in its owner's wallet, in base units. */
interface Outcome {
  readonly paid: bigint;
  readonly received: bigint;
  /** Whether the terms were met: no more was paid and no less received. */
  readonly isAsAgreed: boolean;
}

/** Uses only the two tokens' own Transfer logs: a contract's statements about itself prove nothing. */
export function outcomeOf({ owner, pay, receive, amountIn, minOut }: Trade, receipts: readonly TransactionReceipt[]) {
  const logs = receipts.flatMap((receipt) => (receipt.status === 'success' ? receipt.logs : []));
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs });
  const gained = (token: Trade['pay']): bigint =>
    transfers
      .filter(({ address }) => sameAddress(address, token.address))
      .reduce((sum, { args: { from, to, value } }) => {
        const into = sameAddress(to, owner) ? value : 0n;
        const out = sameAddress(from, owner) ? value : 0n;
        return sum + into - out;
      }, 0n);
  const [paid, received] = [-gained(pay), gained(receive)];
  return { paid, received, isAsAgreed: received >= minOut && received > 0n && paid <= amountIn } satisfies Outcome;
}
