import type { Order, Trade } from '../../sound-offer.ts';
import { Amount } from '../parts/amount.tsx';
import { Fact } from '../parts/facts.tsx';
import { TradeFacts } from '../parts/trade-facts.tsx';
import { exactAmount } from '../words/amounts.ts';
import { buyWords } from '../words/en/buy.ts';
import { partWords } from '../words/en/parts.ts';
import { SignOffer } from './sign-offer.tsx';
import { useCost } from './use-cost.ts';
import { useMarket } from './use-market.ts';

interface Props {
  readonly trade: Trade;
  readonly order: Order;
  /** Whether the verdict has expired. */
  readonly isOld: boolean;
  readonly again: () => void;
}

/** The changes of the owner's balances according to the calls themselves, and what the pool gives now. */
export function SwapOffer({ trade, order, isOld, again }: Props) {
  const { data: market } = useMarket(trade);
  const { pay, receive, route, amountIn, minOut, calls } = trade;
  const { cost, bnbUsdWad } = useCost(trade);
  const paid = `${exactAmount(amountIn, pay.decimals)} ${pay.symbol}`;
  const least = `${exactAmount(minOut, receive.decimals)} ${receive.symbol}`;
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
          {calls.map(({ kind, to, data }) => (
            <div key={kind}>
              <p>
                {kind === 'approve' ? buyWords.approvalTo(paid) : buyWords.swapTo(least)}{' '}
                <span className="mono full">{to}</span>
              </p>
              <code>{data}</code>
            </div>
          ))}
        </div>
      </details>
      <SignOffer trade={trade} order={order} isOld={isOld} again={again} />
    </div>
  );
}
