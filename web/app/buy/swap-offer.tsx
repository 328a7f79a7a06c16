import type { Order, Trade } from '../../sound-offer.ts';
import { exactAmount } from '../words/amounts.ts';
import { SignOffer } from './sign-offer.tsx';
import { useMarket } from './use-market.ts';

interface Props {
  readonly trade: Trade;
  readonly order: Order;
  /** Whether the verdict has expired. */
  readonly isOld: boolean;
  readonly again: () => void;
}

/** "WBNB (0.05 %), BTCB (0.25 %)": what each pool pays out. */
const shownRoute = (route: Trade['route']): string =>
  route.map(({ token, feeMillionths }) => `${token.symbol} (${feeMillionths / 10_000} %)`).join(', ');

/** The changes of the owner's balances according to the calls themselves, and what the pool gives now. */
export function SwapOffer({ trade, order, isOld, again }: Props) {
  const { data: market } = useMarket(trade);
  const { pay, receive, route, amountIn, minOut, calls } = trade;
  const paid = `${exactAmount(amountIn, pay.decimals)} ${pay.symbol}`;
  return (
    <div className="stack">
      <h3>What changes in your wallet</h3>
      <dl className="ledger">
        <div>
          <dt>You pay, exactly</dt>
          <dd className="out number">-{paid}</dd>
        </div>
        {market?.quoted !== undefined && (
          <div>
            <dt>You receive, as PancakeSwap quotes it now</dt>
            <dd className="in number">
              +{exactAmount(market.quoted, receive.decimals)} {receive.symbol}
            </dd>
          </div>
        )}
        <div>
          <dt>At the very least</dt>
          <dd className="number">
            {exactAmount(minOut, receive.decimals)} {receive.symbol}
          </dd>
        </div>
        <div>
          <dt>By these pools, each with its fee</dt>
          <dd>{shownRoute(route)}</dd>
        </div>
      </dl>
      <details className="more">
        <summary>Exactly what you sign</summary>
        <div className="calldata">
          {calls.map(({ kind, to, data }) => (
            <div key={kind}>
              <p>
                {kind === 'approve' ? `Approval of ${paid}` : 'Swap'}, sent to <span className="mono full">{to}</span>
              </p>
              <code>{data}</code>
            </div>
          ))}
        </div>
      </details>
      <SignOffer
        trade={trade}
        order={order}
        isOld={isOld}
        act={`Buy ${receive.symbol}`}
        lastStep={`Swap for ${receive.symbol}`}
        spender="PancakeSwap’s router"
        done={`Bought: the ${receive.symbol} is in your wallet.`}
        isPrimary
        again={again}
      />
    </div>
  );
}
