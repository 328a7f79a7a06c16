import { useYear } from '../api/year.ts';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { count, day, every } from '../words/times.ts';
import { backTest } from './back-test.ts';
import type { PlanDraft } from './draft-plan.ts';
import { aboveBps } from './history.ts';

/** What the plan would have done over the past year, as far as daily closes can answer. */
export function PastYear({ draft }: { readonly draft: PlanDraft }) {
  const { pay, buy, amountPerRun, periodSeconds } = draft;
  const bought = useYear(buy.symbol);
  const paidIn = useYear(pay.class === 'stable' ? undefined : pay.symbol);
  const isLoading = bought.isPending || (pay.class !== 'stable' && paidIn.isPending);
  const test = bought.data && backTest(draft, bought.data.closes, paidIn.data?.closes ?? []);
  return (
    <section className="stack" aria-labelledby="past-year">
      <h3 id="past-year">Over the past year</h3>
      {isLoading && <p className="faint">Reading past prices …</p>}
      {!isLoading && test === undefined && (
        <p className="faint">
          No past prices are at hand for {pay.symbol} and {buy.symbol}.
        </p>
      )}
      {test && (
        <>
          <p>
            {shortAmount(amountPerRun, pay.decimals)} {pay.symbol} {every(periodSeconds)} would have made{' '}
            {count(test.buys, 'buy')}
            {test.aboveLimit > 0n && `; ${count(test.aboveLimit, 'other')} would have been skipped above your limit`}.
          </p>
          {test.average !== undefined && <Totals {...{ draft, test }} average={test.average} />}
          <p className="faint">
            From {day(test.from)} to {day(test.to)}, at the exchange’s daily closes, however many buys the plan has.
            {pay.class === 'stable' && ` ${pay.symbol} is counted as one dollar.`} Fees and the agent’s price checks are
            not included, and past prices do not tell future ones.
          </p>
        </>
      )}
    </section>
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
      <div>
        <dt>Bought</dt>
        <dd>
          {shortAmount(received, buy.decimals)} {buy.symbol} for {price(paid)}
        </dd>
      </div>
      <div>
        <dt>Average price</dt>
        <dd>
          {price(average)} ({compared(aboveBps(average, market), 'below', 'above')} the market’s average)
        </dd>
      </div>
      <div>
        <dt>Worth at the last close</dt>
        <dd>
          {price(worth)} ({compared(aboveBps(worth, paid), 'less', 'more')} than paid)
        </dd>
      </div>
      <div>
        <dt>At its worst</dt>
        <dd>{worstBps === 0n ? 'never below what was paid' : `${exactAmount(worstBps, 2)} % below what was paid`}</dd>
      </div>
    </dl>
  );
}

const compared = (bps: bigint, below: string, above: string): string =>
  `${exactAmount(bps < 0n ? -bps : bps, 2)} % ${bps < 0n ? below : above}`;
