import { sumsOf } from '@bowline/core/audit/figures';
import { averagePrice, type Sided, tradedOf } from '@bowline/core/domain/sided';
import { averageText } from '@bowline/core/texts/amounts';
import { useToldPrice } from '../api/quote.ts';
import { Fact } from '../parts/facts.tsx';
import { exactAmount, shortAmount, shortCost } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { aboveBps, surplusOf } from './history.ts';
import type { Run } from './readings.ts';

/** The average price, compared with the market. */
function compared(above: bigint): string {
  if (above === 0n) return planWords.sameAsMarket;
  const percent = exactAmount(above < 0n ? -above : above, 2);
  return above < 0n ? planWords.belowMarketNow(percent) : planWords.aboveMarketNow(percent);
}

interface Props {
  readonly runs: readonly Run[];
  readonly sided: Sided;
}

/** What all runs cost or brought on average, compared with the market now, and what they got above their minimum. */
export function AveragePaid({ runs, sided }: Props) {
  const all = sumsOf({ runs });
  const { asset, quote: money } = sided;
  const { pay, buy } = tradedOf(sided);
  const [moneyUsd, assetUsd] = [useToldPrice(money.symbol), useToldPrice(asset.symbol)];
  const average = averagePrice(all.paid, all.received, sided);
  if (average === undefined) return null;
  const market = moneyUsd && assetUsd ? (assetUsd * 10n ** BigInt(money.decimals)) / moneyUsd : undefined;
  const above = market === undefined || market === 0n ? undefined : aboveBps(average, market);
  const short = (base: bigint) => `${shortAmount(base, money.decimals)} ${money.symbol}`;
  return (
    <dl className="facts">
      <Fact name={planWords.receivedInAll}>
        {planWords.receivedIn(`${shortAmount(all.received, buy.decimals)} ${buy.symbol}`, all.executed)}
      </Fact>
      <Fact name={planWords.paidInAll}>{`${shortCost(all.paid, pay.decimals)} ${pay.symbol}`}</Fact>
      <Fact name={partWords.averagePrice}>{averageText(all.paid, all.received, sided)}</Fact>
      <Fact name={planWords.marketNow}>
        {market === undefined ? partWords.notKnown : short(market)}
        {above !== undefined && ` ${compared(above)}`}
      </Fact>
      {all.floor > 0n && (
        <Fact name={planWords.aboveMinimum}>
          {short(surplusOf(all, sided))} ({exactAmount(aboveBps(all.received, all.floor), 2)} %)
        </Fact>
      )}
    </dl>
  );
}
