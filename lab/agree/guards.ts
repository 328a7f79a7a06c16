import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import type { Funds, Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { USDT } from '@bowline/core/test/verdict/proposals';
import type { Random } from '../bench/verdict-quality/random.ts';
import { adapter, funder, owner } from './places.ts';

/** Guards that one account pays for, each of a loan of its own. Amounts are small, so that edges are met. */
export interface GuardCase {
  readonly now: bigint;
  readonly held: Funds;
  readonly guards: readonly { readonly guard: Guard; readonly loan: GuardedLoan }[];
}

const DAY = 86_400n;

export function randomGuards(random: Random): GuardCase {
  const whole = (low: number, high: number) => BigInt(Math.floor(random.between(low, high + 1)));
  const now = 20n * DAY + whole(0, 1_000);
  const guards = Array.from({ length: Number(whole(1, 3)) }, (_, at) => {
    const market = `0x${String(at + 1).repeat(64)}` as const;
    const triggerHealthWad = (WAD * whole(100, 130)) / 100n;
    const rescues = Number(whole(0, 1));
    const guard: Guard = {
      ...{ id: BigInt(at + 1), borrower: owner, funder, adapter, market, repayToken: USDT.address },
      ...{ triggerHealthWad, targetHealthWad: triggerHealthWad + (WAD * whole(2, 30)) / 100n },
      ...{ capPerRescue: whole(20, 400), capPerDay: whole(400, 600), minRepay: whole(1, 60), cooldownSeconds: 600n },
      ...{ expiresAt: now + whole(-100, 2_000), status: random.chance(0.9) ? 'active' : 'cancelled', rescues },
      ...{ lastRescueAt: rescues === 0 ? 0n : now - whole(1, 1_200), day: now / DAY - whole(0, 1) },
      takenInDay: rescues === 0 ? 0n : whole(0, 600),
    };
    return { guard, loan: randomLoan(guard, random, whole) };
  });
  const wanted = guards.map((each) => takenBy(each, now));
  const edges = [...wanted, wanted.reduce((sum, each) => sum + each), ...guards.map(({ guard }) => guard.minRepay)];
  // Half of them at an edge, or one beside it.
  const some = () =>
    random.chance(0.5) ? whole(0, 900) : (edges[Number(whole(0, edges.length - 1))] ?? 0n) + whole(0, 2) - 1n;
  const [balance, allowance] = [some(), some()].map((each) => (each < 0n ? 0n : each)) as [bigint, bigint];
  return { now, held: { balance, allowance }, guards };
}

function randomLoan({ market }: Guard, random: Random, whole: (low: number, high: number) => bigint): GuardedLoan {
  const debtUsdWad = random.chance(0.1) ? 0n : whole(100, 2_000);
  const priceWad = (WAD * whole(2, 9)) / 3n;
  const weightedUsdWad = (debtUsdWad * whole(101, 200)) / 100n;
  return {
    ...{ protocol: { adapter }, debtUsdWad, weightedUsdWad, chainlinkHealthWad: undefined, forcedMarkets: [] },
    markets: [{ market, debt: (debtUsdWad * WAD * whole(1, 4)) / (4n * priceWad) }],
    healthWad: debtUsdWad === 0n ? undefined : (weightedUsdWad * WAD) / debtUsdWad,
    prices: { [market]: priceWad },
  };
}

/** What the next rescue of the loan needs to reach the target, found by trying. */
function neededBy({ triggerHealthWad, targetHealthWad, market }: Guard, loan: GuardedLoan): bigint {
  const { debtUsdWad, healthWad = 0n, prices } = loan;
  const weighted = healthWad < triggerHealthWad ? loan.weightedUsdWad : (debtUsdWad * triggerHealthWad) / WAD;
  const carries = (weighted * WAD) / targetHealthWad;
  let paid = 0n;
  while (debtUsdWad * WAD - paid * (prices[market] ?? 0n) > carries * WAD) paid++;
  return paid;
}

const least = (...amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => (a < b ? a : b));

/** What a guard may take in one rescue, as LoanGuard bounds it; nothing if it would refuse for another reason than its money. */
function takenBy({ guard, loan }: GuardCase['guards'][number], now: bigint): bigint {
  const debt = loan.markets[0]?.debt ?? 0n;
  const taken = guard.day === now / DAY ? guard.takenInDay : 0n;
  const left = guard.capPerDay > taken ? guard.capPerDay - taken : 0n;
  if (guard.status !== 'active' || now >= guard.expiresAt || debt === 0n || left < guard.minRepay) return 0n;
  return least(guard.capPerRescue, left, debt, neededBy(guard, loan));
}

export interface Expected {
  /** The money is below the guard's minimum, whatever its loan is. */
  readonly cannotPay: boolean;
  /** The money is less than the next rescue takes within the guard's cap. */
  readonly isShort: boolean;
  /** It is enough for this guard, and not for all that it pays for. */
  readonly isShared: boolean;
}

/** By guard: what is to be told of its funder's money, played by the contract's own bounds. */
export function expectedOf({ now, held, guards }: GuardCase): ReadonlyMap<bigint, Expected> {
  const has = least(held.balance, held.allowance);
  const able = (each: GuardCase['guards'][number]): bigint => {
    const taken = takenBy(each, now);
    return has < each.guard.minRepay || least(taken, has) < each.guard.minRepay ? 0n : taken;
  };
  const all = guards.reduce((sum, each) => sum + able(each), 0n);
  return new Map(
    guards.map((each) => {
      const { guard, loan } = each;
      const isLive = guard.status === 'active' && now < guard.expiresAt;
      const debt = loan.markets[0]?.debt ?? 0n;
      const wanted = debt === 0n ? 0n : least(guard.capPerRescue, debt, neededBy(guard, loan));
      const own = able(each);
      return [
        guard.id,
        {
          cannotPay: isLive && has < guard.minRepay,
          isShort: isLive && has < wanted,
          isShared: own > 0n && all > own && all > has,
        },
      ] as const;
    }),
  );
}
