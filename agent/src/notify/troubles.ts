import { plansOfOwner } from '@bowline/chain/plans-of-owner';
import type { GuardFundsReader, GuardReader, PlanReader } from '@bowline/chain/readers';
import type { Asset } from '@bowline/core/domain/assets';
import { fundedRuns } from '@bowline/core/domain/funded-runs';
import { coverageOf } from '@bowline/core/domain/guard-cover';
import { guardKey } from '@bowline/core/domain/guard-key';
import { withShares } from '@bowline/core/domain/guard-shares';
import { type FundedGuard, fundedGuard, isPaidAlike, mayTake } from '@bowline/core/domain/guarded-loan';
import type { BarePlan, Funds, Guard } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, smallest } from '@bowline/core/domain/units';
import { guardTrouble, planTrouble, type Trouble } from './tell.ts';

/** Maximum number of an account's guards that are checked: the newest. */
const MAX_GUARDS = 50;

/** What was found about one permission. An undefined trouble ends an earlier one; `unknown` leaves it unchanged. */
export interface Found {
  readonly owners: readonly Address[];
  readonly key: string;
  /** As it was read; absent for a plan. */
  readonly guard?: Guard;
  readonly trouble: Trouble | 'unknown' | undefined;
}

interface Deps {
  readonly plans: PlanReader;
  readonly guards: GuardReader;
  readonly funds: GuardFundsReader;
  /** The only tokens for which an owner's balance is known. */
  readonly assets: readonly Asset[];
}

/** Reads what an owner's plans and guards are paid from, and says which lack funds. */
export function createTroubles({ plans, guards, funds, assets }: Deps) {
  const listed = new Set(assets.map(({ address }) => address.toLowerCase()));

  /** By token in lower case: the owner's funds in each listed token that its active plans pay with. */
  async function fundsOf(owned: readonly BarePlan[]): Promise<ReadonlyMap<string, Funds>> {
    const running = owned.filter(({ status, tokenIn }) => status === 'active' && listed.has(tokenIn.toLowerCase()));
    const one = new Map(running.map((plan) => [plan.tokenIn.toLowerCase(), plan.id]));
    const read = [...one].map(async ([token, id]) => {
      const { ownerBalance, ownerAllowance } = (await plans.planWithFunds(id)).plan;
      return [token, { balance: ownerBalance, allowance: ownerAllowance }] as const;
    });
    return new Map(await Promise.all(read));
  }

  /** Undefined if the protocol does not answer: then nothing can be said about the loan. */
  const loanOf = (guard: Guard) =>
    guards.guardedLoan(guard).catch((error: unknown) => {
      if (error instanceof BowlineError && error.code === 'market_unavailable') return undefined;
      throw error;
    });

  /** These guards and others of the same funders, which share the funders' balances and allowances. */
  async function withOthers(own: readonly Guard[], account: Address): Promise<readonly Guard[]> {
    const funders = new Set(own.filter(({ funder }) => !sameAddress(funder, account)).map(({ funder }) => funder));
    const others = await Promise.all([...funders].map((funder) => guards.guardsFor(funder, MAX_GUARDS)));
    const all = [...own, ...others.flatMap((each) => each.guards)];
    return [...new Map(all.map((guard) => [guardKey(guard), guard])).values()];
  }

  return {
    /** All plans of an owner. `now`: the chain's time. */
    async ofPlans(owner: Address) {
      const { block, plans: owned, isWhole } = await plansOfOwner(plans, owner);
      const held = await fundsOf(owned);
      const each = (what: keyof Funds) => Object.fromEntries([...held].map(([token, of]) => [token, of[what]]));
      const means = { balances: each('balance'), allowances: each('allowance') };
      const funded = fundedRuns({ plans: owned, ...means }, block.timestamp);
      const found = owned.map((plan): Found => {
        const [of, own] = [held.get(plan.tokenIn.toLowerCase()), funded.get(plan.id)];
        const trouble = of && own && planTrouble(plan, own, of);
        // Plans that were not read only make a lack larger.
        const isJudged = trouble !== undefined || plan.status !== 'active' || (isWhole && own !== undefined);
        return { owners: [owner], key: `plan:${plan.id}`, trouble: isJudged ? trouble : 'unknown' };
      });
      return { found, plans: owned, now: block.timestamp };
    },

    /** The guards of which an account is the borrower or the funder. */
    async ofGuards(account: Address, now: bigint): Promise<readonly Found[]> {
      const own = (await guards.guardsFor(account, MAX_GUARDS)).guards;
      const all = (await withOthers(own, account)).filter((guard) => mayTake(guard, now));
      const held = await funds.guardFunds(all);
      const known = all.map((guard, at) => fundedGuard(guard, held[at]));
      const covered = await Promise.all(
        known.map(async (guard, at) => {
          const needsLoan = !isAmple(guard, known);
          const loan = needsLoan ? await loanOf(all[at] as Guard) : undefined;
          const isJudged = guard.means !== undefined && (loan !== undefined || !needsLoan);
          return { guard, loan, coverage: coverageOf(guard, loan, now, true), isJudged };
        }),
      );
      const shared = new Map(withShares(covered, now).map((each) => [guardKey(each.guard), each]));
      const unjudged = new Set(covered.filter(({ isJudged }) => !isJudged).map(({ guard }) => guardKey(guard)));
      return own.map((guard): Found => {
        const of = shared.get(guardKey(guard));
        const trouble = of && guardTrouble(guard, of, now);
        const isJudged = trouble !== undefined || !unjudged.has(guardKey(guard));
        const owners = [guard.borrower, guard.funder];
        return { owners, guard, key: `guard:${guardKey(guard)}`, trouble: isJudged ? trouble : 'unknown' };
      });
    },
  };
}

/**
 * Whether the funder can pay a rescue by each of its guards in this token at its cap. If so, their loans need not be
 * read. A deposit repays less under a guard with a higher maximum cost, so it must be enough for each of them.
 */
function isAmple(guard: FundedGuard, all: readonly FundedGuard[]): boolean {
  if (guard.means === undefined) return true;
  const alike = all.filter((each) => isPaidAlike(each, guard));
  const caps = alike.reduce((sum, { capPerRescue }) => sum + capPerRescue, 0n);
  return alike.every(({ means }) => means === undefined || smallest([means.balance, means.allowance]) >= caps);
}
