import { nextSlot, slotEnd } from './next-slot.ts';
import type { OwnedPlans, Plan } from './read-plans.ts';
import type { PlanTerms } from './rehearse.ts';

/** A run to come. */
export interface Upcoming {
  readonly plan: Plan;
  /** Start and end of its slot, unix seconds. */
  readonly from: bigint;
  readonly until: bigint;
  /** Whether balance and approval last until it, if all before it run; undefined if they could not be read. */
  readonly isFunded: boolean | undefined;
}

/** The next runs of an owner's active plans, in the order of their slots. @param now the chain's time, unix seconds. */
export function upcoming(owned: Owned, now: bigint, most: number): readonly Upcoming[] {
  const found: Upcoming[] = [];
  for (const run of inOrder(owned, now)) {
    if (found.push(run) === most) break;
  }
  return found;
}

/** How many of a plan's next runs all plans together leave paid for. */
export interface Funded {
  readonly runs: number;
  /** `part`: the run after those cannot be paid. `more`: so many that the rest was not counted. */
  readonly state: 'all' | 'part' | 'more';
}

/** Runs of all plans that are counted. */
const COUNTED = 5_000;

/** Of each active plan, by its number: how many runs balance and approval last for, which its owner's plans share. */
export function fundedRuns(owned: Owned, now: bigint): ReadonlyMap<bigint, Funded> {
  const known = owned.plans.filter(({ tokenIn }) => {
    const token = tokenIn.toLowerCase();
    return owned.balances[token] !== undefined && owned.allowances[token] !== undefined;
  });
  const funded = new Map<bigint, Funded>();
  let counted = 0;
  for (const { plan, isFunded } of inOrder({ ...owned, plans: known }, now)) {
    const before = funded.get(plan.id) ?? { runs: 0, state: 'all' };
    if (before.state === 'all') {
      funded.set(plan.id, isFunded ? { ...before, runs: before.runs + 1 } : { ...before, state: 'part' });
    }
    if (++counted < COUNTED) continue;
    for (const [id, each] of funded) if (each.state === 'all') funded.set(id, { ...each, state: 'more' });
    break;
  }
  return funded;
}

interface Planned {
  readonly terms: PlanTerms;
  /** What the registry may take of the token then, for all plans, in base units. */
  readonly approved: bigint;
  /** The plan that the terms change; undefined for a new one. */
  readonly edited: Plan | undefined;
}

/**
 * How many runs of a plan that is not signed yet would be paid for, beside the owner's other plans.
 * @param held the owner's balance of the token, in base units.
 */
export function fundedWith(
  owned: Owned & Pick<OwnedPlans, 'count'>,
  { terms, approved, edited }: Planned,
  held: bigint,
  now: bigint,
): Funded {
  const token = terms.tokenIn.toLowerCase();
  const plan: Plan = {
    ...{ cursor: 0n, runs: 0, records: 0, version: 1 },
    ...edited,
    ...terms,
    id: edited?.id ?? owned.count + 1n,
    ...{ terms, status: 'active' },
    startAt: BigInt(terms.startAt),
    periodSeconds: BigInt(terms.periodSeconds),
    windowSeconds: BigInt(terms.windowSeconds),
    expiresAt: BigInt(terms.expiresAt),
  };
  const funded = fundedRuns(
    {
      plans: [...owned.plans.filter(({ id }) => id !== plan.id), plan],
      balances: { ...owned.balances, [token]: held },
      allowances: { ...owned.allowances, [token]: approved },
    },
    now,
  );
  return funded.get(plan.id) ?? { runs: 0, state: 'all' };
}

type Owned = Pick<OwnedPlans, 'plans' | 'balances' | 'allowances'>;

/** Each run takes its part of balance and approval, unless it cannot be paid: then a smaller one after it may. */
function* inOrder({ plans, balances, allowances }: Owned, now: bigint): Generator<Upcoming> {
  const waiting = plans
    .filter(({ status }) => status === 'active')
    .flatMap((plan) => {
      const from = nextSlot(plan, now);
      return from === undefined ? [] : [{ plan, from, runs: plan.maxRuns - plan.runs }];
    });
  const left = new Map<string, bigint>();
  for (;;) {
    const [first, ...others] = waiting.filter(({ plan, from, runs }) => runs > 0 && from < plan.expiresAt);
    if (first === undefined) return;
    const next = others.reduce((best, each) => (isBefore(each, best) ? each : best), first);
    const { plan, from } = next;
    next.from += plan.periodSeconds;
    next.runs--;
    const token = plan.tokenIn.toLowerCase();
    const [balance, allowance] = [balances[token], allowances[token]];
    const run = { plan, from, until: slotEnd(plan, from) };
    if (balance === undefined || allowance === undefined) {
      yield { ...run, isFunded: undefined };
      continue;
    }
    const has = left.get(token) ?? (balance < allowance ? balance : allowance);
    const isFunded = has >= plan.amountPerRun;
    left.set(token, isFunded ? has - plan.amountPerRun : has);
    yield { ...run, isFunded };
  }
}

interface Waiting {
  readonly plan: Plan;
  readonly from: bigint;
}

const isBefore = (a: Waiting, b: Waiting): boolean => (a.from === b.from ? a.plan.id < b.plan.id : a.from < b.from);
