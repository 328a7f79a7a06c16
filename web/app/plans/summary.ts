import { sidedOf } from '@bowline/core/domain/sided';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { planWords } from '../words/en/plans.ts';
import { duration, every, when } from '../words/times.ts';
import type { FloorSource, PlanDraft } from './draft-plan.ts';

/** USD per whole unit with 18 decimals, by the plan's price source. */
interface Prices {
  readonly payUsdWad: bigint;
  readonly buyUsdWad: bigint;
}

interface Span {
  /** When the plan ends, unix seconds. */
  readonly endsAt: bigint;
  /** How long each slot stays open. */
  readonly windowSeconds: bigint;
  /** Runs that have happened already; undefined for a plan that does not exist yet. */
  readonly done: number | undefined;
  /** What the registry may then take of the token for all plans, in base units. */
  readonly approved: bigint;
  /** Who receives what is bought, if not the owner. */
  readonly recipient?: string | undefined;
  readonly source: FloorSource;
}

/** What exactly can happen once the plan is signed, one sentence each. */
export function summaryOf(
  draft: PlanDraft,
  { endsAt, windowSeconds, done, approved, recipient, source }: Span,
  prices: Prices | undefined,
): readonly string[] {
  const { pay, buy, isSale, amountPerRun, periodSeconds, maxRuns, maxSlippageBps, limitPrice, stopPrice } = draft;
  const { asset, quote } = sidedOf(isSale, pay, buy);
  const price = (base: bigint) => `${exactAmount(base, quote.decimals)} ${quote.symbol}`;
  const isOrder = draft.validSeconds !== undefined;
  const each = `${exactAmount(amountPerRun, pay.decimals)} ${pay.symbol}`;
  const share = `${exactAmount(10_000n - maxSlippageBps, 2)} %`;
  const left = maxRuns - BigInt(done ?? 0);
  const total = amountPerRun * left;
  const [ofThis, ofAll, ofOthers] = [total, approved, approved - total].map(
    (base) => `${exactAmount(base, pay.decimals)} ${pay.symbol}`,
  ) as [string, string, string];
  return [
    isOrder
      ? planWords.sumOnce(isSale, buy.symbol, each)
      : planWords.sumRuns(isSale, left, done !== undefined && done > 0, every(periodSeconds), buy.symbol, each),
    // The wallet shows the sum, because an approval replaces the previous one.
    approved > total ? planWords.sumShared(ofThis, ofAll, ofOthers) : planWords.sumTotal(ofThis),
    // With another source or none, the floor is not the oracle's.
    source === 'oracle'
      ? planWords.sumLeast(share, each, buy.symbol, minimumNow(draft, prices))
      : planWords.sumNoFloor[source],
    ...(limitPrice === undefined ? [] : [planWords.sumLimit(isSale, price(limitPrice), asset.symbol)]),
    ...(stopPrice === undefined ? [] : [planWords.sumStop(price(stopPrice), asset.symbol)]),
    isOrder
      ? planWords.sumOrderTime(when(endsAt))
      : `${done === undefined ? planWords.sumFirst : ''}${planWords.sumTime(duration(windowSeconds), when(endsAt))}`,
    planWords.sumRecipient(buy.symbol, recipient ?? planWords.ownAddress),
  ];
}

function minimumNow(draft: PlanDraft, prices: Prices | undefined): string | undefined {
  const least = minNow(draft, prices);
  return least === undefined ? undefined : `${shortAmount(least, draft.buy.decimals)} ${draft.buy.symbol}`;
}

/** One run's minimum at these prices, in base units of the bought token, rounded down; undefined without prices. */
export function minNow(draft: PlanDraft, prices: Prices | undefined): bigint | undefined {
  if (prices === undefined || prices.buyUsdWad === 0n) return undefined;
  const { payUsdWad, buyUsdWad } = prices;
  const { pay, buy, amountPerRun, maxSlippageBps } = draft;
  const worth = amountPerRun * payUsdWad * (10_000n - maxSlippageBps) * 10n ** BigInt(buy.decimals);
  return worth / (buyUsdWad * 10_000n * 10n ** BigInt(pay.decimals));
}
