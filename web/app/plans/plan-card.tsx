import { shortAddress } from '@bowline/core/domain/readable';
import { Link } from 'wouter';
import { isReadingOld, type Timed } from '../api/freshness.ts';
import { assetAt } from '../api/settings.ts';
import { useMoment } from '../api/use-moment.ts';
import type { OwnedPlans, Plan } from '../chain/read-plans.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { AssetMark } from '../parts/asset-mark.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { every, when } from '../words/times.ts';
import { Outlook } from './outlook.tsx';
import { PlanButtons } from './plan-buttons.tsx';
import { formOf } from './plan-form.ts';
import { Runs } from './runs.tsx';
import { shownStatus } from './shown-status.ts';
import type { Funded } from './upcoming.ts';

interface Props {
  readonly plan: Plan;
  readonly owned: Timed<OwnedPlans>;
  /** What all plans together leave paid for; undefined if that is not known. */
  readonly funded: Funded | undefined;
  /** Whether the newest reading failed or is old. */
  readonly isStale: boolean;
  /** Opens the form with this plan's values. */
  readonly open: (isEdit: boolean) => void;
}

const badges = {
  none: { tone: 'plain', word: 'none' },
  active: { tone: 'good', word: 'active' },
  paused: { tone: 'caution', word: 'paused' },
  cancelled: { tone: 'plain', word: 'cancelled' },
  revoked: { tone: 'plain', word: 'revoked' },
  over: { tone: 'plain', word: 'finished' },
  unknown: { tone: 'caution', word: 'not known' },
} as const;

export function PlanCard({ plan, owned, funded, isStale, open }: Props) {
  const settings = useSettings();
  const now = useChainTime();
  const isOld = isReadingOld(owned, useMoment());
  const isKnown = formOf(plan, settings.assets) !== undefined;
  const buy = assetAt(settings, plan.tokenOut);
  const pay = assetAt(settings, plan.tokenIn);
  const status = shownStatus(plan, owned, now, isOld);
  const { tone, word } = badges[status];
  const amount = (base: bigint) =>
    pay ? `${shortAmount(base, pay.decimals)} ${pay.symbol}` : `${base} units of ${shortAddress(plan.tokenIn)}`;

  const isLive = status === 'active' || status === 'paused' || status === 'unknown';
  return (
    <article className="card" aria-labelledby={`plan-${plan.id}`}>
      <div className="card-head">
        <div className="plan-title">
          <AssetMark symbol={buy?.symbol ?? '?'} />
          <div>
            <h2 id={`plan-${plan.id}`}>
              {buy?.symbol ?? shortAddress(plan.tokenOut)} for {amount(plan.amountPerRun)} {every(plan.periodSeconds)}
            </h2>
            <p className="faint">
              <Link href={`/plans/${plan.id}`}>Plan {String(plan.id)}</Link>
            </p>
          </div>
        </div>
        <span className={`badge word ${tone}`}>{word}</span>
      </div>
      {status === 'unknown' && (
        <p className="faint">This plan could not be read just now. It was {plan.status} when it was last read.</p>
      )}
      <dl className="facts">
        <div>
          <dt>Runs</dt>
          <dd>
            {plan.runs.toLocaleString('en')} of {plan.maxRuns.toLocaleString('en')}
          </dd>
        </div>
        {/* An edit may have changed the amount: the history then tells the sum. */}
        {plan.version === 1 && (
          <div>
            <dt>Spent</dt>
            <dd title={pay && `${exactAmount(plan.amountPerRun * BigInt(plan.runs), pay.decimals)} ${pay.symbol}`}>
              {amount(plan.amountPerRun * BigInt(plan.runs))}
            </dd>
          </div>
        )}
        <div>
          <dt>Maximum slippage</dt>
          <dd>{exactAmount(BigInt(plan.maxSlippageBps), 2)} %</dd>
        </div>
        <div>
          <dt>Ends</dt>
          <dd>{when(plan.expiresAt)}</dd>
        </div>
      </dl>
      <svg className="progress" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="1000" height="6" />
        <rect width={Math.min(1_000, Math.ceil((plan.runs / plan.maxRuns) * 1_000))} height="6" />
      </svg>
      {now !== undefined && status === 'active' && <Outlook {...{ plan, owned, funded, now, amount }} />}
      <Runs plan={plan} buy={buy} pay={pay} />
      <PlanButtons
        {...{ plan, owned, now, isStale, isLive }}
        edit={isKnown ? () => open(true) : undefined}
        copy={isKnown ? () => open(false) : undefined}
      />
      <Link href={`/audit/plan/${plan.id}`}>Audit of this plan</Link>
    </article>
  );
}
