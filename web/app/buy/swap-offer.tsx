import type { Order, Trade } from '../../sound-offer.ts';
import { isApproval } from '../chain/approve.ts';
import { BNB } from '../chain/bnb.ts';
import type { Step } from '../chain/step.ts';
import { isWrapping } from '../chain/wrap-steps.ts';
import { Amount } from '../parts/amount.tsx';
import { Fact } from '../parts/facts.tsx';
import { TradeFacts } from '../parts/trade-facts.tsx';
import { exactAmount } from '../words/amounts.ts';
import { bnbWords } from '../words/en/bnb.ts';
import { buyWords } from '../words/en/buy.ts';
import { partWords } from '../words/en/parts.ts';
import { SignOffer } from './sign-offer.tsx';
import { tradeSteps } from './trade-steps.ts';
import { useCost } from './use-cost.ts';
import { useMarket } from './use-market.ts';

interface Props {
  readonly trade: Trade;
  readonly order: Order;
  /** Whether its owner trades BNB, and WBNB only on the way. */
  readonly isBnb: boolean;
  /** Whether the verdict has expired. */
  readonly isOld: boolean;
  readonly again: () => void;
}

/** The changes of the owner's balances according to the calls themselves, and what the pool gives now. */
export function SwapOffer({ trade, order, isBnb, isOld, again }: Props) {
  const { data: market } = useMarket(trade);
  const { receive, route, amountIn, minOut } = trade;
  const isInBnb = isBnb && order.side === 'sell';
  const pay = isInBnb ? BNB : trade.pay;
  const steps = tradeSteps(trade, isInBnb);
  const { cost, bnbUsdWad } = useCost(trade.owner, steps);
  const paid = `${exactAmount(amountIn, pay.decimals)} ${pay.symbol}`;
  const least = `${exactAmount(minOut, receive.decimals)} ${receive.symbol}`;
  const toldOf = (step: Step) => {
    if (isWrapping(step)) return bnbWords.wrapTo(paid);
    return isApproval(step)
      ? buyWords.approvalTo(`${exactAmount(amountIn, pay.decimals)} ${trade.pay.symbol}`)
      : buyWords.swapTo(least);
  };
  return (
    <div className="stack">
      <h3>{buyWords.changes}</h3>
      <dl className="ledger">
        <Fact name={buyWords.youPay} className="out number">
          -<Amount base={amountIn} token={pay} isPaid />
        </Fact>
        {market?.quoted !== undefined && (
          <Fact name={buyWords.youReceive} className="in number">
            +<Amount base={market.quoted} token={receive} />
          </Fact>
        )}
        {market?.quoted === undefined ? (
          <Fact name={partWords.minimum} className="number">
            <Amount base={minOut} token={receive} />
          </Fact>
        ) : (
          <TradeFacts
            {...{ pay, receive, amountIn, minOut, route, cost, bnbUsdWad }}
            amountOut={market.quoted}
            unmoved={market.unmoved ?? 0n}
          />
        )}
      </dl>
      <details className="more">
        <summary>{buyWords.exactly}</summary>
        <div className="calldata stack small">
          {steps.map((step) => (
            <div key={step.label}>
              <p>
                {toldOf(step)} <span className="mono full">{step.to}</span>
              </p>
              <code>{step.data}</code>
            </div>
          ))}
        </div>
      </details>
      <SignOffer {...{ trade, order, isBnb, isOld, again }} />
    </div>
  );
}
