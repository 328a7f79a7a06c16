import { useState } from 'react';
import type { Order, Trade } from '../../sound-offer.ts';
import { exactAmount } from '../words/amounts.ts';
import { buyWords } from '../words/en/buy.ts';
import { SignOffer } from './sign-offer.tsx';

interface Props {
  readonly trade: Trade;
  readonly order: Order;
  /** Whether the verdict has expired. */
  readonly isOld: boolean;
  readonly again: () => void;
}

/** The alternative on chains with a desk: a quote signed by the desk's maker, for this buyer only. */
export function DeskOffer({ trade, order, isOld, again }: Props) {
  // Reads nothing from the chain until the panel is opened. Afterwards it stays mounted, because signing may be in
  // progress.
  const [isSeen, setSeen] = useState(false);
  const { pay, receive, amountIn, minOut } = trade;
  return (
    <details className="more" onToggle={() => setSeen(true)}>
      <summary>{buyWords.desk}</summary>
      <div className="stack">
        <p>
          {buyWords.deskMore(
            `${exactAmount(minOut, receive.decimals)} ${receive.symbol}`,
            `${exactAmount(amountIn, pay.decimals)} ${pay.symbol}`,
          )}
        </p>
        {isSeen && (
          <SignOffer
            trade={trade}
            order={order}
            isOld={isOld}
            act={buyWords.redeem}
            lastStep={buyWords.redeemStep}
            spender={buyWords.theDesk}
            done={buyWords.redeemed(receive.symbol)}
            isPrimary={false}
            again={again}
          />
        )}
      </div>
    </details>
  );
}
