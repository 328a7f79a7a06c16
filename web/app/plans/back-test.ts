import { BPS, mulDivUp, WAD } from '@bowline/core/domain/units';
import { parseUnits } from 'viem';
import type { YearAnswer } from '../../wire.ts';
import type { PlanDraft } from './draft-plan.ts';

/** Daily closes say nothing of shorter periods. */
export const DAY = 86_400n;

/** What a plan would have bought in the past, by daily closes. Amounts in base units, rounded down. */
export interface BackTest {
  /** Opening of the first and of the last day, unix seconds. */
  readonly from: bigint;
  readonly to: bigint;
  readonly buys: bigint;
  /** Buys that the owner's own limit would have skipped. */
  readonly aboveLimit: bigint;
  readonly paid: bigint;
  readonly received: bigint;
  /** Base units of the token paid with for one whole unit of the bought one; undefined if nothing was bought. */
  readonly average: bigint | undefined;
  /** The mean of all days' closes, and the last one, in the same unit. */
  readonly market: bigint;
  readonly last: bigint;
  /** Deepest fall of what was bought below what was paid for it, at a day's close, in bps of what was paid. */
  readonly worstBps: bigint;
}

type Terms = Pick<PlanDraft, 'pay' | 'buy' | 'amountPerRun' | 'periodSeconds' | 'limitPrice'>;

/**
 * Buys at each slot since the first close, however many buys the plan has, at the close of the slot's day. A stablecoin
 * counts as one dollar; fees and the agent's checks are not in it. Days without a close are left out.
 * @param paidIn closes of the token paid with; ignored for a stablecoin.
 * @returns undefined where fewer than 30 days have both prices.
 */
export function backTest(
  terms: Terms,
  bought: YearAnswer['closes'],
  paidIn: YearAnswer['closes'],
): BackTest | undefined {
  const { pay, buy, amountPerRun, periodSeconds, limitPrice } = terms;
  const payUsd = new Map(paidIn.map(([day, close]) => [day, parseUnits(close, 18)]));
  const days = bought.flatMap(([day, close]) => {
    const unit = pay.class === 'stable' ? WAD : payUsd.get(day);
    if (unit === undefined || unit === 0n) return [];
    const price = (parseUnits(close, 18) * 10n ** BigInt(pay.decimals)) / unit;
    return price > 0n ? [{ day: BigInt(day), price }] : [];
  });
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || days.length < 30) return undefined;

  let [buys, aboveLimit, received, worstBps] = [0n, 0n, 0n, 0n];
  for (const { day, price } of days) {
    const slots = slotsIn(day - first.day, periodSeconds);
    if (limitPrice !== undefined && price > limitPrice) {
      aboveLimit += slots;
    } else {
      buys += slots;
      received += (slots * amountPerRun * 10n ** BigInt(buy.decimals)) / price;
    }
    const paid = buys * amountPerRun;
    const worth = (received * price) / 10n ** BigInt(buy.decimals);
    const fallBps = paid === 0n ? 0n : ((paid - worth) * BPS) / paid;
    if (fallBps > worstBps) worstBps = fallBps;
  }
  const paid = buys * amountPerRun;
  return {
    ...{ from: first.day, to: last.day, buys, aboveLimit, paid, received, worstBps },
    average: received === 0n ? undefined : (paid * 10n ** BigInt(buy.decimals)) / received,
    market: days.reduce((sum, { price }) => sum + price, 0n) / BigInt(days.length),
    last: last.price,
  };
}

/** Slots that begin within a day, counted from the start of the first. */
function slotsIn(since: bigint, periodSeconds: bigint): bigint {
  const before = (at: bigint) => mulDivUp(at, 1n, periodSeconds);
  return before(since + DAY) - before(since);
}
