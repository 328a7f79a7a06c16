import { useState } from 'react';
import { quoteDeskAbi } from '../../../abis/index.ts';
import { readQuoteMarket } from '../../desk-quote.ts';
import type { Order, Trade } from '../../sound-offer.ts';
import { type Proof, proofBy } from '../chain/proof.ts';
import { exactAmount } from '../words/amounts.ts';
import { tellErrorsOf } from '../words/contract-errors.ts';
import { deskWords } from '../words/en/desk.ts';
import { SignOffer } from './sign-offer.tsx';

export { decodeQuote } from '../../desk-quote.ts';

tellErrorsOf(quoteDeskAbi);

interface Props {
  readonly trade: Trade;
  readonly order: Order;
  /** Whether the verdict has expired. */
  readonly isOld: boolean;
  readonly again: () => void;
}

/** The alternative on chains with a desk, which alone load it: a quote signed by the desk's maker, for this buyer only. */
export function DeskOffer({ trade, order, isOld, again }: Props) {
  // Reads nothing from the chain until the panel is opened. Afterwards it stays mounted, because signing may be in
  // progress.
  const [isSeen, setSeen] = useState(false);
  const { pay, receive, amountIn, minOut } = trade;
  return (
    <details className="more" onToggle={() => setSeen(true)}>
      <summary>{deskWords.title}</summary>
      <div className="stack">
        <p>
          {deskWords.more(
            `${exactAmount(minOut, receive.decimals)} ${receive.symbol}`,
            `${exactAmount(amountIn, pay.decimals)} ${pay.symbol}`,
          )}
        </p>
        {isSeen && (
          <SignOffer
            trade={trade}
            order={order}
            isOld={isOld}
            proof={redemption(trade)}
            read={readQuoteMarket}
            act={deskWords.redeem}
            lastStep={deskWords.redeemStep}
            spender={deskWords.spender}
            done={deskWords.redeemed(receive.symbol)}
            isPrimary={false}
            again={again}
          />
        )}
      </div>
    </details>
  );
}

const redemption = ({ owner, spender, pay, receive, amountIn, minOut }: Trade): Proof =>
  proofBy(spender, quoteDeskAbi, 'QuoteRedeemed', {
    ...{ buyer: owner, tokenIn: pay.address, amountIn, tokenOut: receive.address, amountOut: minOut },
  });
