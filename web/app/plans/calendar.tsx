import { Link } from 'wouter';
import { assetAt } from '../api/settings.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';
import { shortAmount } from '../words/amounts.ts';
import { when } from '../words/times.ts';
import { upcoming } from './upcoming.ts';

const SHOWN = 8;

/** The next buys of all plans, and whether they are paid for. */
export function Calendar({ owned }: { readonly owned: OwnedPlans }) {
  const settings = useSettings();
  const now = useChainTime();
  const next = now === undefined ? [] : upcoming(owned, now, SHOWN);
  if (now === undefined || next.length === 0) return null;
  return (
    <details className="card more">
      <summary>Next buys</summary>
      <section className="scroll" aria-label="Next buys">
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Plan</th>
              <th scope="col">Pays</th>
              <th scope="col">Funded</th>
            </tr>
          </thead>
          <tbody>
            {next.map(({ plan, from, until, isFunded }) => {
              const [pay, buy] = [assetAt(settings, plan.tokenIn), assetAt(settings, plan.tokenOut)];
              return (
                <tr key={`${plan.id} ${from}`}>
                  <td data-label="When">{from <= now ? `now, until ${when(until)}` : when(from)}</td>
                  <td data-label="Plan">
                    <Link href={`/plans/${plan.id}`}>
                      {String(plan.id)}: {buy?.symbol ?? 'unlisted token'}
                    </Link>
                  </td>
                  <td data-label="Pays">
                    {pay
                      ? `${shortAmount(plan.amountPerRun, pay.decimals)} ${pay.symbol}`
                      : `${plan.amountPerRun} units`}
                  </td>
                  <td data-label="Funded">
                    {isFunded === undefined ? (
                      'not known'
                    ) : isFunded ? (
                      'yes'
                    ) : (
                      <span className="badge word bad">no</span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <p className="faint">If every buy before it happens. A buy is skipped while the price is not fair.</p>
    </details>
  );
}
