import { useState } from 'react';
import type { Order, Trade } from '../../sound-offer.ts';
import { exactAmount } from '../words/amounts.ts';
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
      <summary>Or buy from the desk</summary>
      <div className="stack">
        <p>
          The desk of this chain has signed for you: exactly {exactAmount(minOut, receive.decimals)} {receive.symbol}{' '}
          for {exactAmount(amountIn, pay.decimals)} {pay.symbol}.
        </p>
        {isSeen && (
          <SignOffer
            trade={trade}
            order={order}
            isOld={isOld}
            act="Redeem"
            lastStep="Redeem the quote"
            spender="The desk"
            done={`Redeemed: the ${receive.symbol} is in your wallet.`}
            isPrimary={false}
            again={again}
          />
        )}
      </div>
    </details>
  );
}
