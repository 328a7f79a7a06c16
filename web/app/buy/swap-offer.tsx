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
import { useCost, useMarket } from './readings.ts';
import { type Props as OfferProps, SignOffer } from './sign-offer.tsx';
import { tradeSteps } from './trade-steps.ts';

type Props = Omit<OfferProps, 'market' | 'steps' | 'pay' | 'cost'>;

/** The changes of the owner's balances according to the calls themselves, and what the pool gives now. */
export function SwapOffer({ trade, order, isBnb, isOld, again }: Props) {
  const market = useMarket(trade);
  const { quoted, unmoved = 0n } = market.data ?? {};
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
        <Fact name={partWords.youPay} className="out number">
          -<Amount base={amountIn} token={pay} isPaid />
        </Fact>
        {quoted !== undefined && (
          <Fact name={buyWords.youReceive} className="in number">
            +<Amount base={quoted} token={receive} />
          </Fact>
        )}
        {quoted === undefined ? (
          <Fact name={partWords.minimum} className="number">
            <Amount base={minOut} token={receive} />
          </Fact>
        ) : (
          <TradeFacts {...{ pay, receive, amountIn, minOut, route, cost, bnbUsdWad, unmoved }} amountOut={quoted} />
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
      <SignOffer {...{ trade, order, isBnb, isOld, again, market, steps, pay, cost }} />
    </div>
  );
}
