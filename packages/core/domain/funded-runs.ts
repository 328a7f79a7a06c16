// How many runs an owner's balance and approval pay for, over all plans that share them. The page, the notices and the
// tools all use this code. Times are unix seconds, amounts base units.

import type { BarePlan } from './permissions.ts';
import { isRunning, nextSlot, type Schedule, slotEnd } from './slots.ts';
import { smallest } from './units.ts';

/** The needed fields of a plan. */
export type PayablePlan = Schedule & Pick<BarePlan, 'id' | 'tokenIn' | 'amountPerRun'> & { readonly status: string };

/** Plans of one owner, with the owner's balances and allowances to the registry by token in lower case. */
export interface OwnedFunds<Plan extends PayablePlan = PayablePlan> {
  readonly plans: readonly Plan[];
  /** Without tokens that could not be read. */
  readonly balances: Readonly<Record<string, bigint>>;
  readonly allowances: Readonly<Record<string, bigint>>;
}

/** A run to come. */
export interface Upcoming<Plan> {
  readonly plan: Plan;
  /** Start and end of its slot. */
  readonly from: bigint;
  readonly until: bigint;
  /** Whether balance and allowance cover it if all earlier runs execute; undefined if they could not be read. */
  readonly isFunded: boolean | undefined;
}

/** How many of a plan's next runs are paid for, after what all other plans take. */
export interface Funded {
  readonly runs: number;
  /** `part`: the run after those cannot be paid. `more`: so many that the rest was not counted. */
  readonly state: 'all' | 'part' | 'more';
}

/** How many runs of all plans together are counted. */
const COUNTED = 5_000;
/** Owners are told when fewer runs than this are paid for: time to top up before one is missed. */
const FEW = 3;

/** Whether to tell an owner that a plan's funds are running out. */
export const areFundsEnding = ({ runs, state }: Funded): boolean => state === 'part' && runs < FEW;

/** The next runs of an owner's active plans, in the order of their slots. */
export function upcomingRuns<Plan extends PayablePlan>(
  owned: OwnedFunds<Plan>,
  now: bigint,
  count: number,
): readonly Upcoming<Plan>[] {
  const found: Upcoming<Plan>[] = [];
  for (const run of inOrder(owned, now)) {
    if (found.push(run) === count) break;
  }
  return found;
}

/**
 * The paid-for runs of each plan, by its ID. A plan is absent if that is not known: its token could not be read, or its
 * first run is after those that are counted.
 */
export function fundedRuns(owned: OwnedFunds, now: bigint): ReadonlyMap<bigint, Funded> {
  const known = owned.plans.filter(({ tokenIn }) => spendable(owned, tokenIn) !== undefined);
  const ended = known.filter((plan) => !isRunning(plan, now));
  const funded = new Map<bigint, Funded>(ended.map(({ id }) => [id, { runs: 0, state: 'all' }]));
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

/** Each run takes its part of balance and allowance. One that cannot be paid takes none, so a smaller later one may. */
function* inOrder<Plan extends PayablePlan>(owned: OwnedFunds<Plan>, now: bigint): Generator<Upcoming<Plan>> {
  const waiting = owned.plans
    .filter(({ status }) => status === 'active')
    .flatMap((plan) => {
      const from = nextSlot(plan, now);
      return from === undefined ? [] : [{ plan, from, runs: plan.maxRuns - plan.runs }];
    });
  const left = new Map<string, bigint | undefined>();
  for (;;) {
    const [first, ...others] = waiting;
    if (first === undefined) return;
    const next = others.reduce((best, each) => (isBefore(each, best) ? each : best), first);
    const { plan, from } = next;
    next.from += plan.periodSeconds;
    if (--next.runs === 0 || next.from >= plan.expiresAt) waiting.splice(waiting.indexOf(next), 1);
    const token = plan.tokenIn.toLowerCase();
    const has = left.has(token) ? left.get(token) : spendable(owned, token);
    const isFunded = has === undefined ? undefined : has >= plan.amountPerRun;
    left.set(token, has !== undefined && isFunded ? has - plan.amountPerRun : has);
    yield { plan, from, until: slotEnd(plan, from), isFunded };
  }
}

function spendable({ balances, allowances }: OwnedFunds, token: string): bigint | undefined {
  const [balance, allowance] = [balances[token.toLowerCase()], allowances[token.toLowerCase()]];
  return balance === undefined || allowance === undefined ? undefined : smallest([balance, allowance]);
}

interface Waiting {
  readonly plan: PayablePlan;
  readonly from: bigint;
}

const isBefore = (a: Waiting, b: Waiting): boolean => (a.from === b.from ? a.plan.id < b.plan.id : a.from < b.from);
