import type { TransactionReceipt } from 'viem';
import type { Trade } from '../../validate-offer.ts';
import { BNB } from '../chain/bnb.ts';
import { unwrapStep } from '../chain/wrap-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { OfferedStep } from '../parts/offered-step.tsx';
import { TransactionLink } from '../parts/transaction-link.tsx';
import { shortAmount, shortCost } from '../words/amounts.ts';
import { bnbWords } from '../words/en/bnb.ts';
import { buyWords } from '../words/en/buy.ts';
import { outcomeOf } from './trade.ts';

interface Props {
  readonly trade: Trade;
  readonly receipts: readonly TransactionReceipt[];
  readonly isSale: boolean;
  /** Whether the owner trades BNB, with WBNB only in between. */
  readonly isBnb: boolean;
}

/** Shows what the receipts moved, and nothing that they do not confirm. */
export function Result({ trade, receipts, isSale, isBnb }: Props) {
  const { receive, owner } = trade;
  const pay = isBnb && isSale ? BNB : trade.pay;
  const { paid, received, isAsAgreed } = outcomeOf(trade, receipts);
  const left = `${shortCost(paid, pay.decimals)} ${pay.symbol}`;
  const arrived = `${shortAmount(received, receive.decimals)} ${receive.symbol}`;
  const hash = receipts.at(-1)?.transactionHash;
  if (isAsAgreed) {
    return (
      <>
        <Notice
          kind="good"
          title={(isSale ? buyWords.sold : buyWords.bought)(receive.symbol)}
          more={buyWords.asAgreed(arrived, left)}
        >
          {hash && <TransactionLink hash={hash} />}
        </Notice>
        {isBnb && !isSale && (
          <OfferedStep
            step={unwrapStep(receive, owner, received)}
            title={bnbWords.mayUnwrap}
            more={bnbWords.mayUnwrapMore}
            done={bnbWords.unwrapped}
          />
        )}
      </>
    );
  }
  return (
    <Notice kind="bad" title={received > 0n ? buyWords.notAsAgreed : buyWords.noneArrived(receive.symbol)}>
      <p>
        {received > 0n && buyWords.onlyArrived(arrived)}
        {paid > 0n ? buyWords.left(left) : buyWords.noneLeft(pay.symbol)}
        {buyWords.lookFirst}
      </p>
      {hash && <TransactionLink hash={hash} />}
    </Notice>
  );
}
