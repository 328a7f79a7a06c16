import { upcomingRuns } from '@bowline/core/domain/funded-runs';
import { Link } from 'wouter';
import { assetAt } from '../api/settings.ts';
import { noBuyWords } from '../chain/no-buy-words.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { whyUnserved } from '../chain/served.ts';
import { type Buyer, isNotKnown } from '../chain/serving.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';
import { shortAmount } from '../words/amounts.ts';
import { planWords } from '../words/en/plans.ts';
import { when } from '../words/times.ts';

const SHOWN = 8;

interface Props {
  readonly owned: OwnedPlans;
  readonly buyer: Buyer;
  /** Whether the newest reading failed or is old. */
  readonly isStale: boolean;
}

/** The next buys of all plans, and whether they are paid for. */
export function Calendar({ owned, buyer, isStale }: Props) {
  const settings = useSettings();
  const now = useChainTime();
  const next = now === undefined ? [] : upcomingRuns(owned, now, SHOWN);
  if (now === undefined || next.length === 0) return null;
  const isAway = typeof buyer === 'string' && !isNotKnown(buyer);
  return (
    <details className="card more">
      <summary>{planWords.nextBuys}</summary>
      <section className="scroll" aria-label={planWords.nextBuys}>
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{planWords.when}</th>
              <th scope="col">{planWords.planColumn}</th>
              <th scope="col">{planWords.pays}</th>
              <th scope="col">{planWords.stateColumn}</th>
            </tr>
          </thead>
          <tbody>
            {next.map(({ plan, from, until, isFunded }) => {
              const [pay, buy] = [assetAt(settings, plan.tokenIn), assetAt(settings, plan.tokenOut)];
              return (
                <tr key={`${plan.id} ${from}`}>
                  <td className="time" data-label={planWords.when}>
                    {from <= now ? planWords.nowUntil(when(until)) : when(from)}
                  </td>
                  <td data-label={planWords.planColumn}>
                    <Link href={`/plans/${plan.id}`}>
                      {planWords.planOf(plan.id, buy?.symbol ?? planWords.unlisted)}
                    </Link>
                  </td>
                  <td data-label={planWords.pays}>
                    {pay
                      ? `${shortAmount(plan.amountPerRun, pay.decimals)} ${pay.symbol}`
                      : planWords.units(plan.amountPerRun)}
                  </td>
                  <td data-label={planWords.stateColumn}>
                    {whyUnserved(plan, settings, buyer) !== undefined || isAway ? (
                      <span className="badge word caution">{planWords.notRun}</span>
                    ) : isStale || isFunded === undefined || owned.unread.includes(plan.id) ? (
                      planWords.status.unknown
                    ) : isFunded ? (
                      planWords.isFunded
                    ) : (
                      <span className="badge word bad">{planWords.notFunded}</span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {typeof buyer === 'string' && <p className="faint">{noBuyWords(buyer)}</p>}
      <p className="faint">{planWords.nextBuysMore}</p>
    </details>
  );
}
