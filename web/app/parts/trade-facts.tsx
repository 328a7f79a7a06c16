import type { NetworkCost } from '@bowline/chain/network-cost';
import { shortCost } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { impactBps, networkFee, percent, poolFee, rateOf } from '../words/trade.ts';
import { Amount } from './amount.tsx';
import { Fact } from './facts.tsx';

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
  /** Network cost of the owner's transactions; null while it is computed, undefined if unknown. */
  readonly cost: NetworkCost | null | undefined;
  readonly bnbUsdWad: bigint | undefined;
}

/** What a trade costs and gets: rate, fees, impact, minimum, and the network's fee. */
export function TradeFacts({ pay, receive, amountIn, amountOut, unmoved, minOut, route, cost, bnbUsdWad }: Props) {
  const impact = unmoved === 0n ? undefined : impactBps(amountOut, unmoved);
  const fees = route.map(({ token, feeMillionths }) => `${token.symbol} ${feeMillionths / 10_000} %`).join(', ');
  return (
    <>
      <Fact name={partWords.rate} className="number">
        {rateOf(pay, receive, amountIn, amountOut) ?? '—'}
      </Fact>
      <Fact name={partWords.minimum} className="number">
        <Amount base={minOut} token={receive} />
      </Fact>
      <Fact name={partWords.poolFee(fees)} className="number">
        {shortCost(poolFee(route, amountIn), pay.decimals)} {pay.symbol}
      </Fact>
      <Fact name={partWords.impact} className={impact !== undefined && impact >= 100n ? 'number out' : 'number'}>
        {impact === undefined ? partWords.notKnown : percent(impact)}
      </Fact>
      {cost !== null && (
        <Fact name={partWords.networkFee} className="number">
          {cost === undefined ? partWords.notKnown : networkFee(cost.wei, bnbUsdWad)}
        </Fact>
      )}
    </>
  );
}
