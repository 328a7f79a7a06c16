import { exactAmount, shortAmount } from '../words/amounts.ts';
import { count, duration, every, when } from '../words/times.ts';
import type { PlanDraft } from './draft-plan.ts';

interface Prices {
  /** USD per whole unit with 18 decimals; absent if currently unknown. */
  readonly payUsdWad: bigint | undefined;
  readonly buyUsdWad: bigint | undefined;
}

interface Span {
  /** When the plan ends, unix seconds. */
  readonly endsAt: bigint;
  /** How long each slot stays open. */
  readonly windowSeconds: bigint;
  /** Runs that have happened already. */
  readonly done: number;
  /** Who receives what is bought, if not the owner. */
  readonly recipient?: string | undefined;
}

/** What exactly can happen once the plan is signed, one sentence each. */
export function summaryOf(
  draft: PlanDraft,
  { endsAt, windowSeconds, done, recipient }: Span,
  prices: Prices,
): readonly string[] {
  const { pay, buy, amountPerRun, periodSeconds, maxRuns, maxSlippageBps, limitPrice } = draft;
  const each = `${exactAmount(amountPerRun, pay.decimals)} ${pay.symbol}`;
  const share = `${exactAmount(10_000n - maxSlippageBps, 2)} %`;
  const least = minNow(draft, prices);
  const left = maxRuns - BigInt(done);
  return [
    `${count(left, done > 0 ? 'more run' : 'run')} at most, one ${every(periodSeconds)}, each buying ${buy.symbol} for exactly ${each}.`,
    `${exactAmount(amountPerRun * left, pay.decimals)} ${pay.symbol} at most in total: you approve exactly that.`,
    `Each run gives you at least ${share} of what ${each} is worth in ${buy.symbol} at the oracle (Chainlink) price of that moment` +
      `${least === undefined ? '' : `, now ${shortAmount(least, buy.decimals)} ${buy.symbol}`}, or it does not happen.`,
    ...(limitPrice === undefined
      ? []
      : [`Never at more than ${exactAmount(limitPrice, pay.decimals)} ${pay.symbol} for one ${buy.symbol}.`]),
    `${done > 0 ? '' : 'First buy: now. '}Each buy happens within ${duration(windowSeconds)} of its time, or is skipped. ` +
      `The plan ends ${when(endsAt)}. Buys are skipped while the price is not fair (the verdict is not GO).`,
    `The ${buy.symbol} goes to ${recipient ?? 'your own address'}. You can pause or cancel at any time.`,
  ];
}

/** Minimum delivery of one run at current prices, in base units of the bought token, rounded down. */
export function minNow(draft: PlanDraft, { payUsdWad, buyUsdWad }: Prices): bigint | undefined {
  if (payUsdWad === undefined || buyUsdWad === undefined || buyUsdWad === 0n) return undefined;
  const { pay, buy, amountPerRun, maxSlippageBps } = draft;
  const worth = amountPerRun * payUsdWad * (10_000n - maxSlippageBps) * 10n ** BigInt(buy.decimals);
  return worth / (buyUsdWad * 10_000n * 10n ** BigInt(pay.decimals));
}
