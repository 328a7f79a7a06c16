import type { NetworkCost } from '@bowline/chain/network-cost';
import { shortCost } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { impactBps, networkFee, percent, poolFee, rateOf } from '../words/trade.ts';
import { Amount } from './amount.tsx';

interface Token {
  readonly symbol: string;
  readonly decimals: number;
}

interface Props {
  readonly pay: Token;
  readonly receive: Token;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** What the same route would pay without price impact; zero if not known. */
  readonly unmoved: bigint;
  readonly minOut: bigint;
  readonly route: readonly { readonly feeMillionths: number; readonly token: Token }[];
  /** Of the owner's transactions; null while it is computed, undefined if it is not known. */
  readonly cost: NetworkCost | null | undefined;
  readonly bnbUsdWad: bigint | undefined;
}

/** What a trade costs and gets: rate, fees, impact, minimum, and the network's fee. */
export function TradeFacts({ pay, receive, amountIn, amountOut, unmoved, minOut, route, cost, bnbUsdWad }: Props) {
  const impact = unmoved === 0n ? undefined : impactBps(amountOut, unmoved);
  const fees = route.map(({ token, feeMillionths }) => `${token.symbol} ${feeMillionths / 10_000} %`).join(', ');
  return (
    <>
      <div>
        <dt>{partWords.rate}</dt>
        <dd className="number">{rateOf(pay, receive, amountIn, amountOut) ?? '—'}</dd>
      </div>
      <div>
        <dt>{partWords.minimum}</dt>
        <dd className="number">
          <Amount base={minOut} token={receive} />
        </dd>
      </div>
      <div>
        <dt>{partWords.poolFee(fees)}</dt>
        <dd className="number">
          {shortCost(poolFee(route, amountIn), pay.decimals)} {pay.symbol}
        </dd>
      </div>
      <div>
        <dt>{partWords.impact}</dt>
        <dd className={impact !== undefined && impact >= 100n ? 'number out' : 'number'}>
          {impact === undefined ? partWords.notKnown : percent(impact)}
        </dd>
      </div>
      {cost !== null && (
        <div>
          <dt>{partWords.networkFee}</dt>
          <dd className="number">{cost === undefined ? partWords.notKnown : networkFee(cost.wei, bnbUsdWad)}</dd>
        </div>
      )}
    </>
  );
}
