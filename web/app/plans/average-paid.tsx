import { parseUnits } from 'viem';
import { isAnswerOld } from '../api/freshness.ts';
import { useQuote } from '../api/quote.ts';
import type { Asset } from '../api/settings.ts';
import { useMoment } from '../api/use-moment.ts';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { aboveBps, averagePrice, totals } from './history.ts';
import type { Run } from './use-runs.ts';

interface Props {
  readonly runs: readonly Run[];
  readonly pay: Asset;
  readonly buy: Asset;
}

/** What all buys have cost on average, compared with the market now. */
export function AveragePaid({ runs, pay, buy }: Props) {
  const { data: quote } = useQuote();
  const moment = useMoment();
  const { paid, received, floor, runs: bought } = totals(runs);
  const average = averagePrice(paid, received, buy);
  if (average === undefined) return null;
  const priceOf = ({ symbol }: Asset) => {
    const price =
      quote && !isAnswerOld(quote, moment) && quote.assets.find((each) => each.symbol === symbol)?.price_usd;
    return price ? parseUnits(price, 18) : undefined;
  };
  const [payUsd, buyUsd] = [priceOf(pay), priceOf(buy)];
  const market = payUsd && buyUsd ? (buyUsd * 10n ** BigInt(pay.decimals)) / payUsd : undefined;
  const above = market === undefined || market === 0n ? undefined : aboveBps(average, market);
  const price = (base: bigint) => `${shortAmount(base, pay.decimals)} ${pay.symbol}`;
  return (
    <dl className="facts">
      <div>
        <dt>Bought in all</dt>
        <dd>
          {shortAmount(received, buy.decimals)} {buy.symbol} in {bought.toLocaleString('en')}{' '}
          {bought === 1 ? 'buy' : 'buys'}
        </dd>
      </div>
      <div>
        <dt>Paid in all</dt>
        <dd>{price(paid)}</dd>
      </div>
      <div>
        <dt>Average price paid</dt>
        <dd>{price(average)}</dd>
      </div>
      <div>
        <dt>Market now</dt>
        <dd>
          {market === undefined ? 'not known' : price(market)}
          {above !== undefined &&
            ` (you paid ${above === 0n ? 'the same' : `${exactAmount(above < 0n ? -above : above, 2)} % ${above < 0n ? 'less' : 'more'}`})`}
        </dd>
      </div>
      {floor > 0n && (
        <div>
          <dt>Above the guaranteed minimum</dt>
          <dd>{exactAmount(((received - floor) * 10_000n) / floor, 2)} %</dd>
        </div>
      )}
    </dl>
  );
}
