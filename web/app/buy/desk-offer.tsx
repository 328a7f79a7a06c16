import { useState } from 'react';
import type { Order, Trade } from '../../sound-offer.ts';
import { exactAmount } from '../words/amounts.ts';
import { SignOffer } from './sign-offer.tsx';

interface Props {
  readonly trade: Trade;
  readonly order: Order;
  /** Whether the verdict has passed its time. */
  readonly isOld: boolean;
  readonly again: () => void;
}

/** The other way on chains with a desk: its maker's signed quote, for this buyer alone. */
export function DeskOffer({ trade, order, isOld, again }: Props) {
  // Nobody asks the chain about what nobody looks at. Once open it stays: it may be in the middle of signing.
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
