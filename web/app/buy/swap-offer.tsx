import type { Order, Trade } from '../../sound-offer.ts';
import { Amount } from '../parts/amount.tsx';
import { TradeFacts } from '../parts/trade-facts.tsx';
import { exactAmount } from '../words/amounts.ts';
import { buyWords } from '../words/en/buy.ts';
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
        <div>
          <dt>{buyWords.youPay}</dt>
          <dd className="out number">
            -<Amount base={amountIn} token={pay} isPaid />
          </dd>
        </div>
        {market?.quoted !== undefined && (
          <div>
            <dt>{buyWords.youReceive}</dt>
            <dd className="in number">
              +<Amount base={market.quoted} token={receive} />
            </dd>
          </div>
        )}
        {market?.quoted === undefined ? (
          <div>
            <dt>{buyWords.minimum}</dt>
            <dd className="number">
              <Amount base={minOut} token={receive} />
            </dd>
          </div>
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
        <div className="calldata">
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
