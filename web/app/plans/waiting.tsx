import { isRun } from '@bowline/core/audit/figures';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { reasonOf } from '@bowline/core/domain/reasons';
import { priceOf, type Sided, tradedOf } from '@bowline/core/domain/sided';
import { formatUnits, WAD } from '@bowline/core/domain/units';
import { isReadingOld } from '../api/freshness.ts';
import type { Asset } from '../api/settings.ts';
import { useMoment } from '../api/use-moment.ts';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { inWords } from '../words/core-words.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { when } from '../words/times.ts';
import { floorSource } from './draft-plan.ts';
import type { PlanForm } from './plan-form.ts';
import { SHOWN, useFloorPrices, useOwnCost, useRuns } from './readings.ts';

/** Why a plan that is served and paid for does not trade, and what its owner can do about it. */
export interface Wait {
  readonly title: string;
  readonly more: string;
  /** Opens the form with these changes. */
  readonly mend?: { readonly label: string; readonly changes: Partial<PlanForm> };
}

/** Undefined if the plan waits for nothing. @param isRead whether the plan is one that could trade. */
export function useWait(
  plan: Plan,
  pay: Asset | undefined,
  sided: Sided<Asset> | undefined,
  isRead: boolean,
): Wait | undefined {
  const forPrice = usePriceWait(plan, sided, isRead);
  const isDeferred = isRead && forPrice === undefined && plan.lastReason !== 0;
  const isCost = isDeferred && reasonOf(plan.lastReason) === 'cost_high';
  const { data: runs = [] } = useRuns(plan, { isWhole: plan.records <= SHOWN, isRead: isDeferred });
  const { data: cost } = useOwnCost(plan, isCost);
  if (forPrice !== undefined || !isDeferred) return forPrice;
  const run = runs.findIndex(isRun);
  const deferrals = run === -1 ? runs : runs.slice(0, run);
  const [first, newest] = [deferrals.at(-1), deferrals[0]];
  // Terms that changed since then have not been tried yet.
  if (first === undefined || newest?.version !== plan.version) return undefined;
  const since = when(BigInt(first.time));
  const told = newest.isAttested ? '' : ` ${partWords.byExecutor}`;
  if (!isCost || !cost || !pay) {
    const why = inWords(reasonOf(newest.reason) ?? partWords.unknownReason(newest.reason));
    return { title: planWords.waitingSince(since, why), more: planWords.triesAgain + told };
  }
  const { bps, limitBps, passes } = cost;
  const figures = planWords.sizeCosts(`${exactAmount(bps, 2)} %`, `${exactAmount(limitBps, 2)} %`);
  if (bps <= limitBps) {
    return { title: planWords.waitingSince(since, inWords('cost_high')), more: planWords.passesNow(figures) + told };
  }
  const title = planWords.waitingSince(since, figures);
  if (passes === undefined) return { title, more: planWords.noneSmaller };
  const amount = `${shortAmount(passes, pay.decimals)} ${pay.symbol}`;
  return {
    ...{ title, more: planWords.upToPasses(amount) },
    mend: { label: planWords.insteadUse(amount), changes: { amount: formatUnits(passes, pay.decimals) } },
  };
}

function usePriceWait(plan: Plan, sided: Sided<Asset> | undefined, isRead: boolean): Wait | undefined {
  const hasPrice = plan.limitPriceWad + plan.triggerPriceWad > 0n;
  const isOracle = floorSource(plan.priceSource, useSettings()) === 'oracle';
  const { pay, buy } = sided ? tradedOf(sided) : {};
  const isAsked = isRead && hasPrice && isOracle;
  const { data } = useFloorPrices(isAsked ? pay : undefined, isAsked ? buy : undefined);
  const moment = useMoment();
  if (!isAsked || !data || isReadingOld(data, moment) || data.payUsdWad === 0n || !pay || !buy) return undefined;
  const price = (data.buyUsdWad * 10n ** BigInt(pay.decimals) * WAD) / (data.payUsdWad * 10n ** BigInt(buy.decimals));
  const isTrigger = price < plan.triggerPriceWad;
  if (!isTrigger && (plan.limitPriceWad === 0n || price <= plan.limitPriceWad)) return undefined;
  const { asset, quote, isSale } = sided as Sided;
  const shown = (wad: bigint) =>
    `${shortAmount(priceOf(wad, sided as Sided, isTrigger), quote.decimals)} ${quote.symbol}`;
  const wanted = shown(isTrigger ? plan.triggerPriceWad : plan.limitPriceWad);
  // A purchase waits for less and its trigger for more; a sale the other way round.
  const said = isTrigger === isSale ? planWords.atMost(wanted) : planWords.atLeast(wanted);
  return {
    ...{ title: planWords.waitsForPrice(asset.symbol, said, shown(price)), more: planWords.nothingRecorded },
    mend: { label: planWords.changePrice, changes: {} },
  };
}

interface Props extends Wait {
  /** Opens the form; absent if the page cannot change the plan. */
  readonly open: ((changes: Partial<PlanForm>) => void) | undefined;
}

export const Waiting = ({ title, more, mend, open }: Props) => (
  <Notice kind="caution" title={title} more={more}>
    {mend && open && (
      <button type="button" className="button" onClick={() => open(mend.changes)}>
        {mend.label}
      </button>
    )}
  </Notice>
);
