import { parseUnits } from 'viem';
import { isAnswerOld } from '../api/freshness.ts';
import { useQuote } from '../api/quote.ts';
import type { Asset } from '../api/settings.ts';
import { useMoment } from '../api/use-moment.ts';
import { Fact } from '../parts/facts.tsx';
import { exactAmount, shortAmount, shortCost } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { aboveBps, averagePrice, totals } from './history.ts';
import type { Run } from './use-runs.ts';

/** What was paid on average, compared with the market. */
function compared(above: bigint): string {
  if (above === 0n) return planWords.paidSame;
  return above < 0n ? planWords.paidLess(exactAmount(-above, 2)) : planWords.paidMore(exactAmount(above, 2));
}

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
  const cost = (base: bigint) => `${shortCost(base, pay.decimals)} ${pay.symbol}`;
  return (
    <dl className="facts">
      <Fact name={planWords.boughtInAll}>
        {planWords.boughtIn(`${shortAmount(received, buy.decimals)} ${buy.symbol}`, bought)}
      </Fact>
      <Fact name={planWords.paidInAll}>{cost(paid)}</Fact>
      <Fact name={planWords.averagePaid}>{cost(average)}</Fact>
      <Fact name={planWords.marketNow}>
        {market === undefined ? partWords.notKnown : price(market)}
        {above !== undefined && ` ${compared(above)}`}
      </Fact>
      {floor > 0n && (
        <Fact name={planWords.aboveMinimum}>{exactAmount(((received - floor) * 10_000n) / floor, 2)} %</Fact>
      )}
    </dl>
  );
}
