import { useYear } from '../api/year.ts';
import { Fact } from '../parts/facts.tsx';
import { Folded } from '../parts/folded.tsx';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { day, every } from '../words/times.ts';
import { backTest } from './back-test.ts';
import type { PlanDraft } from './draft-plan.ts';
import { aboveBps } from './history.ts';

interface Props {
  readonly draft: PlanDraft;
}

/** What the plan would have done over the past year, as far as daily closes can answer. */
export const PastYear = ({ draft }: Props) => (
  <Folded summary={planWords.pastYear}>
    <BackTest draft={draft} />
  </Folded>
);

function BackTest({ draft }: Props) {
  const { pay, buy, amountPerRun, periodSeconds } = draft;
  const bought = useYear(buy.symbol);
  const paidIn = useYear(pay.class === 'stable' ? undefined : pay.symbol);
  const isLoading = bought.isPending || (pay.class !== 'stable' && paidIn.isPending);
  const each = `${shortAmount(amountPerRun, pay.decimals)} ${pay.symbol}`;
  const test = bought.data && backTest(draft, bought.data.closes, paidIn.data?.closes ?? []);
  return (
    <div className="stack">
      {isLoading && <p className="faint">{planWords.readingPast}</p>}
      {!isLoading && test === undefined && <p className="faint">{planWords.noPast(pay.symbol, buy.symbol)}</p>}
      {test && (
        <>
          <p>
            {test.aboveLimit > 0n
              ? planWords.wouldHaveSkipped(each, every(periodSeconds), test.buys, test.aboveLimit)
              : planWords.wouldHaveMade(each, every(periodSeconds), test.buys)}
          </p>
          {test.average !== undefined && <Totals {...{ draft, test }} average={test.average} />}
          <p className="faint">
            {planWords.pastSource(day(test.from), day(test.to))}
            {pay.class === 'stable' && planWords.asOneDollar(pay.symbol)}
            {planWords.pastLimits}
          </p>
        </>
      )}
    </div>
  );
}

function Totals({
  draft: { pay, buy },
  test: { paid, received, market, last, worstBps },
  average,
}: {
  readonly draft: PlanDraft;
  readonly test: NonNullable<ReturnType<typeof backTest>>;
  readonly average: bigint;
}) {
  const price = (base: bigint) => `${shortAmount(base, pay.decimals)} ${pay.symbol}`;
  const worth = (received * last) / 10n ** BigInt(buy.decimals);
  return (
    <dl className="facts">
      <Fact name={planWords.boughtPast}>
        {planWords.boughtFor(`${shortAmount(received, buy.decimals)} ${buy.symbol}`, price(paid))}
      </Fact>
      <Fact name={partWords.averagePrice}>
        {compared(price(average), aboveBps(average, market), planWords.belowMarket, planWords.aboveMarket)}
      </Fact>
      <Fact name={planWords.worth}>
        {compared(price(worth), aboveBps(worth, paid), planWords.worthLess, planWords.worthMore)}
      </Fact>
      <Fact name={planWords.worst}>
        {worstBps === 0n ? planWords.neverBelow : planWords.belowPaid(exactAmount(worstBps, 2))}
      </Fact>
    </dl>
  );
}

type Said = (price: string, percent: string) => string;

const compared = (price: string, bps: bigint, below: Said, above: Said): string =>
  bps < 0n ? below(price, exactAmount(-bps, 2)) : above(price, exactAmount(bps, 2));
