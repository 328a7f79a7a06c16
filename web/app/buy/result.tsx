import type { TransactionReceipt } from 'viem';
import type { Trade } from '../../sound-offer.ts';
import { Notice } from '../parts/notice.tsx';
import { TransactionLink } from '../parts/transaction-link.tsx';
import { exactAmount } from '../words/amounts.ts';
import { outcomeOf } from './outcome.ts';

interface Props {
  readonly trade: Trade;
  readonly receipts: readonly TransactionReceipt[];
  /** The sentence to show if the receipt confirms the agreed amounts. */
  readonly done: string;
}

/** Shows what the receipts moved, and nothing that they do not confirm. */
export function Result({ trade, receipts, done }: Props) {
  const { pay, receive } = trade;
  const { paid, received, isAsAgreed } = outcomeOf(trade, receipts);
  const left = `${exactAmount(paid, pay.decimals)} ${pay.symbol}`;
  const arrived = `${exactAmount(received, receive.decimals)} ${receive.symbol}`;
  const hash = receipts.at(-1)?.transactionHash;
  if (isAsAgreed) {
    return (
      <Notice kind="good" title={done}>
        <p>
          {arrived} arrived and {left} left your wallet, by the transaction’s receipt.
        </p>
        {hash && <TransactionLink hash={hash} />}
      </Notice>
    );
  }
  return (
    <Notice
      kind="bad"
      title={
        received > 0n
          ? 'The transaction went through, but not as agreed.'
          : `The transaction went through, but no ${receive.symbol} arrived.`
      }
    >
      <p>
        {received > 0n && `Only ${arrived} arrived. `}
        {paid > 0n ? `${left} left your wallet.` : `No ${pay.symbol} left your wallet.`} Look at the transaction before
        you try again.
      </p>
      {hash && <TransactionLink hash={hash} />}
    </Notice>
  );
}
