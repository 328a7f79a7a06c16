import { coverageOf } from '@bowline/core/domain/guard-cover';
import { withShares } from '@bowline/core/domain/guard-shares';
import type { Means } from '@bowline/core/domain/guarded-loan';
import type { Guard } from '@bowline/core/domain/permissions';
import { USDT } from '@bowline/core/test/verdict/proposals';
import { createTroubles } from '../../agent/src/notify/troubles.ts';
import { world } from '../../agent/test/tools/world.ts';
import type { Settings } from '../../web/app/api/settings.ts';
import type { Covered } from '../../web/app/chain/coverage/use-covered.ts';
import type { Guard as PageGuard } from '../../web/app/chain/read-guards.ts';
import { needsOf } from '../../web/app/home/needs.ts';
import { type Expected, expectedOf, type GuardCase } from './guards.ts';
import { funder, source } from './places.ts';

/** Every answer about the money of these guards that differs from what the contract's bounds make of it. */
export async function disagreementsOfGuards(of: GuardCase): Promise<string[]> {
  const expected = expectedOf(of);
  const [told, page] = [await toldOf(of), pageOf(of)];
  return of.guards.flatMap(({ guard: { id }, loan }) => {
    const { cannotPay, isShort, isShared } = expected.get(id) as Expected;
    const should = cannotPay ? 'guard_cannot_pay' : isShort || isShared ? 'funds_ending' : undefined;
    const isOwed = (loan.markets[0]?.debt ?? 0n) > 0n;
    const shown = page.get(id);
    return [
      ...differs(`notices, guard ${id}`, told.get(id), should),
      // The page says nothing of a guard whose loan owes nothing.
      ...differs(`page, whether guard ${id} lacks funds`, shown?.isShort, isOwed && (cannotPay || isShort)),
      ...differs(`page, whether guard ${id} shares too little`, shown?.isShared, isShared),
    ];
  });
}

const differs = (what: string, is: unknown, should: unknown): string[] =>
  is === should ? [] : [`${what}: ${String(is)}, not ${String(should)}`];

async function toldOf({ now, held, guards }: GuardCase): Promise<ReadonlyMap<bigint, string>> {
  const own = guards.map(({ guard }) => guard);
  const chain = {
    ...world.chain,
    guardsFor: async () => ({ guards: own, total: own.length, unread: 0 }),
    guardedLoan: async ({ id }: Guard) =>
      guards.find(({ guard }) => guard.id === id)?.loan as GuardCase['guards'][0]['loan'],
  };
  const funds = { guardFunds: async (of: readonly Guard[]) => of.map(({ repayToken }) => meansOf(held, repayToken)) };
  const found = await createTroubles({ plans: chain, guards: chain, funds, assets: [USDT] }).ofGuards(funder, now);
  return new Map(
    found.flatMap(({ key, trouble }) => {
      if (trouble === 'unknown') throw new Error(`${key} was not judged`);
      return trouble ? [[BigInt(String(trouble.data.guard)), trouble.type] as const] : [];
    }),
  );
}

/** A guard's money, as the page's need names what it lacks. */
const lacking = ['allowance', 'balance', 'no_allowance', 'allowance_too_low', 'no_balance', 'balance_too_low'];

function pageOf({ now, held, guards }: GuardCase) {
  const all = guards.map(({ guard, loan }): Covered => {
    const own = pageGuard(guard, held);
    const known = { ...loan, protocol: { ...loan.protocol, name: 'Venus' } } as unknown as NonNullable<Covered['loan']>;
    return { guard: own, loan: known, coverage: coverageOf(own, known, now) };
  });
  const covered = withShares(all, now);
  const known = { loans: [], covered, plans: undefined, deeds: {}, buyer: undefined, now };
  const keys = new Set(needsOf(known, settings).map(({ key }) => key));
  return new Map(
    covered.map(({ guard: { id }, coverage }) => [
      id,
      {
        isShort: lacking.some((what) => keys.has(`guard-${id}-${what}`)),
        isShared: coverage.state !== 'unable' && coverage.shares !== undefined,
      },
    ]),
  );
}

const pageGuard = (guard: Guard, held: GuardCase['held']): PageGuard => ({
  ...guard,
  ...{ triggerWad: guard.triggerHealthWad, targetWad: guard.targetHealthWad, isBySource: false },
  ...{ keeper: undefined, priceSource: undefined },
  means: meansOf(held, guard.repayToken),
});

const meansOf = (held: GuardCase['held'], marketToken: Guard['repayToken']): Means => ({
  ...held,
  ...{ marketToken, isRepayPaused: false },
});

const settings = {
  assets: [{ symbol: 'USDT', address: USDT.address, decimals: 18 }],
  contracts: { priceSource: source },
  lending: [],
} as unknown as Settings;
