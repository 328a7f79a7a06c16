import type { Funded } from '@bowline/core/domain/funded-runs';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { grouped, shortAddress } from '@bowline/core/domain/readable';
import { priceOf, type Sided } from '@bowline/core/domain/sided';
import { Link } from 'wouter';
import { isReadingOld, type Timed } from '../api/freshness.ts';
import { assetAt, sidedAt } from '../api/settings.ts';
import { useMoment } from '../api/use-moment.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import type { Buyer } from '../chain/serving.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { AssetMark } from '../parts/asset-mark.tsx';
import { Fact } from '../parts/facts.tsx';
import { useSettings } from '../settings.tsx';
import { amountOf } from '../words/amount-of.ts';
import { exactAmount } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { every, when } from '../words/times.ts';
import { floorSource } from './draft-plan.ts';
import { Outlook, TermsNotices } from './outlook.tsx';
import { PlanButtons } from './plan-buttons.tsx';
import { formOf, type PlanForm } from './plan-form.ts';
import { Runs } from './runs.tsx';
import { hindranceOf, shownStatus } from './shown-status.ts';
import { useWait, Waiting } from './waiting.tsx';

interface Props {
  readonly plan: Plan;
  readonly owned: Timed<OwnedPlans>;
  /** The runs that are paid for, given all plans; undefined if not known. */
  readonly funded: Funded | undefined;
  readonly buyer: Buyer;
  /** Whether the newest reading failed or is old. */
  readonly isStale: boolean;
  /** Opens the form with this plan's values. */
  readonly open: (isEdit: boolean, changes?: Partial<PlanForm>) => void;
}

const tones = {
  none: 'plain',
  active: 'good',
  paused: 'caution',
  cancelled: 'plain',
  revoked: 'plain',
  over: 'plain',
  unknown: 'caution',
} as const;

export function PlanCard({ plan, owned, funded, buyer, isStale, open }: Props) {
  const settings = useSettings();
  const now = useChainTime();
  const isOld = isReadingOld(owned, useMoment());
  const isKnown = formOf(plan, settings.assets) !== undefined;
  const buy = assetAt(settings, plan.tokenOut);
  const pay = assetAt(settings, plan.tokenIn);
  const sided = sidedAt(settings, plan);
  const status = shownStatus(plan, owned, now, isOld);
  const hindrance =
    status === 'active' && now !== undefined ? hindranceOf(plan, settings, { funded, buyer, now }) : undefined;
  const wait = useWait(plan, pay, sided, status === 'active' && hindrance === undefined);
  const amount = (base: bigint) => amountOf(settings, plan.tokenIn, base);

  const isLive = status === 'active' || status === 'paused' || status === 'unknown';
  return (
    <article className="card" aria-labelledby={`plan-${plan.id}`}>
      <div className="card-head">
        <div className="row">
          <AssetMark symbol={sided?.asset.symbol ?? buy?.symbol ?? '?'} />
          <div>
            <h2 id={`plan-${plan.id}`}>
              {(sided?.isSale ? planWords.saleHeading : planWords.heading)(
                buy?.symbol ?? shortAddress(plan.tokenOut),
                amount(plan.amountPerRun),
                plan.maxRuns === 1 ? planWords.once : every(plan.periodSeconds),
              )}
            </h2>
            <p className="faint">
              <Link href={`/plans/${plan.id}`}>{partWords.plan(plan.id)}</Link>
            </p>
          </div>
        </div>
        <span className={`badge word ${(hindrance ?? wait) ? 'caution' : tones[status]}`}>
          {hindrance ? planWords.hindered[hindrance] : wait ? planWords.waits : planWords.status[status]}
        </span>
      </div>
      {status === 'unknown' && <p className="faint">{planWords.unreadNow(planWords.status[plan.status])}</p>}
      <dl className="facts key">
        <Fact name={partWords.runs}>
          {planWords.runsOf(grouped(plan.runs), grouped(plan.maxRuns))}
          <svg className="progress" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">
            <rect width="1000" height="6" />
            <rect width={Math.min(1_000, Math.ceil((plan.runs / plan.maxRuns) * 1_000))} height="6" />
          </svg>
        </Fact>
        {/* An edit may have changed the amount; the history then shows the sum. */}
        {plan.version === 1 && (
          <Fact
            name={planWords.spent}
            title={pay && `${exactAmount(plan.amountPerRun * BigInt(plan.runs), pay.decimals)} ${pay.symbol}`}
          >
            {amount(plan.amountPerRun * BigInt(plan.runs))}
          </Fact>
        )}
        <PlanBounds {...{ plan, sided }} />
        {/* The chain's state does not store the time of a cancellation. */}
        {(isLive || status === 'over') && (
          <Fact name={now !== undefined && now >= plan.expiresAt ? planWords.endedAt : planWords.ends}>
            {when(plan.expiresAt)}
          </Fact>
        )}
      </dl>
      {isLive && <TermsNotices plan={plan} buyer={buyer} />}
      {wait && <Waiting {...wait} open={isKnown ? (changes) => open(true, changes) : undefined} />}
      {now !== undefined && status === 'active' && (
        <Outlook {...{ plan, owned, funded, buyer, now, amount, isStale }} />
      )}
      <PlanButtons
        {...{ plan, owned, now, isStale, isLive }}
        edit={isKnown ? () => open(true) : undefined}
        copy={isKnown ? () => open(false) : undefined}
      />
      <Runs {...{ plan, buy, pay, sided }} isAlone={owned.plans.length === 1} />
    </article>
  );
}

interface BoundsProps {
  readonly plan: Plan;
  readonly sided: Sided | undefined;
}

/** What bounds the price of each run. Slippage is measured from a source's price, so without one it bounds nothing. */
function PlanBounds({ plan, sided }: BoundsProps) {
  const source = floorSource(plan.priceSource, useSettings());
  const percent = `${exactAmount(BigInt(plan.maxSlippageBps), 2)} %`;
  const told = (wad: bigint, isTrigger: boolean, ofPurchase: Said, ofSale: Said): string => {
    if (sided === undefined) return planWords.limitUnlisted;
    const { asset, quote, isSale } = sided;
    const price = `${exactAmount(priceOf(wad, sided, isTrigger), quote.decimals)} ${quote.symbol}`;
    return (isSale ? ofSale : ofPurchase)(price, asset.symbol);
  };
  return (
    <>
      {source !== 'none' && (
        <Fact name={planWords.slippage}>{source === 'oracle' ? percent : planWords.foreignSlippage(percent)}</Fact>
      )}
      {plan.limitPriceWad !== 0n && (
        <Fact name={partWords.limitPrice}>{told(plan.limitPriceWad, false, planWords.limitOf, planWords.leastOf)}</Fact>
      )}
      {plan.farLimit && source !== 'oracle' && <Fact name={partWords.anyPrice}>{planWords.anyPriceAllowed}</Fact>}
      {plan.triggerPriceWad !== 0n && (
        <Fact name={partWords.triggerPrice}>
          {told(plan.triggerPriceWad, true, planWords.triggerOf, planWords.stopOf)}
        </Fact>
      )}
    </>
  );
}

type Said = (price: string, symbol: string) => string;
