// Plans and guards of the deployment that this agent leaves out, and why: read by /served, /ready and /metrics.

import type {
  BatchPreviewer,
  GuardReader,
  HealthReader,
  PlanReader,
  PriceReader,
  SaleRouter,
} from '@bowline/chain/readers';
import type { Asset } from '@bowline/core/domain/assets';
import { guardKey } from '@bowline/core/domain/guard-key';
import { mayTake } from '@bowline/core/domain/guarded-loan';
import type { Guard, Plan } from '@bowline/core/domain/permissions';
import { Unready } from '@bowline/core/domain/readiness';
import { listedAt, sameAddress } from '@bowline/core/domain/same-address';
import type { Calls } from '@bowline/core/domain/sending';
import {
  type GuardLeftOut,
  type LeftOutCounts,
  type PlanLeftOut,
  plansServedBy,
  whyGuardLeftOut,
  whyPlanLeftOut,
} from '@bowline/core/domain/served';
import { hasEnded } from '@bowline/core/domain/slots';
import { type Address, isWorthIt, smallest, worthUsdWadDown } from '@bowline/core/domain/units';
import type { PlansSnapshot } from './executor/plan.ts';
import { type Endangered, endangeredLoans, type GuardServingPolicy, guardsServed } from './loan-guard/plan.ts';

interface LeftOutItem {
  readonly kind: 'plan' | 'guard';
  readonly id: string;
  readonly reason: PlanLeftOut | GuardLeftOut | 'not_keeper';
}

/** What the loops last read, as the reader returned it; absent before the first read. */
export interface LastReads {
  plans?: Awaited<ReturnType<PlanReader['plans']>>;
  guards?: Awaited<ReturnType<GuardReader['guards']>>;
}

export type LeftOut = ReturnType<typeof createLeftOut>;

export interface LeftOutDeps {
  readonly reads: Readonly<LastReads>;
  /** What the executor serves; absent: it does not run here, and no plan is read. */
  readonly plans?: Pick<PlansSnapshot, 'executor' | 'policy' | 'priceSources' | 'verdictSigners'> | undefined;
  readonly guards: GuardServingPolicy;
  readonly assets: readonly Asset[];
  /** The account that would rescue. */
  readonly keeper: Address;
  readonly prices: PriceReader;
  readonly loans: Pick<HealthReader, 'healths'>;
  readonly calls: Pick<Calls, 'rescue'>;
  readonly previewer: Pick<BatchPreviewer, 'rescues'>;
  readonly router?: SaleRouter | undefined;
}

/** Left to others, or dust: loans that fall there are not this operator's concern. */
const othersToRescue: ReadonlySet<LeftOutItem['reason']> = new Set([
  ...(['not_served_owner', 'not_keeper', 'not_served_repay'] as const),
]);
/** Maximum simulations per poll, the most endangered guards first: anybody can create guards. */
const MAX_SIMULATED = 50;

/** Interval after everything was read once: terms rarely change. */
const AGAIN_SECONDS = 60;
/** Interval until everything was read once. */
const FIRST_SECONDS = 1;

type Worth = (token: Address, amount: bigint) => bigint | undefined;
type Reason = LeftOutItem['reason'];

export function createLeftOut(deps: LeftOutDeps) {
  const { reads, guards: serving, loans } = deps;
  let items: readonly LeftOutItem[] | undefined;

  async function look(): Promise<string> {
    const { plans, guards } = reads;
    if (guards === undefined) return 'The guards have not been read yet.';
    const openPlans = plans?.plans.filter((plan) => !hasEnded(plan, plans.block.timestamp)) ?? [];
    const openGuards = guards.guards.filter((guard) => mayTake(guard, guards.block.timestamp));
    const tokens = [...openPlans.map(({ tokenIn }) => tokenIn), ...openGuards.map(({ repayToken }) => repayToken)];
    const worth = await worthOf(deps, tokens);
    const reasons = reasonsOf(deps, worth);
    const plansOut = openPlans.flatMap((plan) => withReason(plan, reasons.plan(plan)));
    const guardsOut = openGuards.flatMap((guard) => withReason(guard, reasons.guard(guard)));
    items = [
      ...plansOut.map(({ of, reason }) => ({ kind: 'plan', id: String(of.id), reason }) as const),
      ...guardsOut.map(({ of, reason }) => ({ kind: 'guard', id: String(guardKey(of)), reason }) as const),
    ];
    const ours = guardsOut.filter(({ reason }) => !othersToRescue.has(reason));
    // A loan above the operator's own bound is in no danger, whatever trigger its borrower chose.
    const watched = ours.map(({ of }) => ({
      ...of,
      triggerHealthWad: smallest([of.triggerHealthWad, serving.maxTriggerHealthWad]),
    }));
    const healths = ours.length === 0 ? [] : await loans.healths(ours.map(({ of }) => of));
    const due = await dueOf(deps, endangeredLoans(watched, healths).endangered, worth);
    if (due.length > 0) {
      const known = new Map(ours.map(({ of, reason }) => [guardKey(of), reason]));
      const named = due.map(guardKey).map((key) => `${key} (${known.get(key)})`);
      throw new Unready(
        'rescue_left_out',
        `Below the trigger, and left out by the settings: guard ${named.join(', ')}.`,
      );
    }
    return sentenceOf(countsOf(items));
  }

  return {
    /** As of the last look: plans, then guards, in the order they were read. Undefined until guards were read. */
    items: () => items,
    counts: () => countsOf(items ?? []),
    /** Why a plan is left out, by its terms and the price now. Undefined if it is not. */
    ofPlan: async (plan: Plan) => reasonsOf(deps, await worthOf(deps, [plan.tokenIn])).plan(plan),
    /** Whether the executor runs here. Without it no plan is read, and none is listed. */
    runsPlans: deps.plans !== undefined,
    /** Rebuilds the list. Not ok while a guard on it is below its trigger and could be rescued. */
    look: { name: 'served', look, everySeconds: () => (isRead(deps) ? AGAIN_SECONDS : FIRST_SECONDS) },
  };
}

/** Whether all that is listed has been read once. */
const isRead = ({ reads, plans }: LeftOutDeps): boolean =>
  reads.guards !== undefined && (plans === undefined || reads.plans !== undefined);

const withReason = <Of>(of: Of, reason: Reason | undefined) => (reason === undefined ? [] : [{ of, reason }]);

/** Why a plan or a guard is left out; undefined if it is not. */
function reasonsOf({ plans, guards, assets, keeper }: LeftOutDeps, worth: Worth) {
  const runs = plans && { ...plansServedBy({ ...plans, assets }), minimumRunUsdWad: plans.policy.minimumRunUsdWad };
  const rescues = guardsServed(guards, assets);
  return {
    plan: (plan: Plan): PlanLeftOut | undefined =>
      runs && whyPlanLeftOut(plan, runs, assets, worth(plan.tokenIn, plan.amountPerRun)),
    guard: (guard: Guard): Reason | undefined => {
      if (guard.keeper !== undefined && !sameAddress(guard.keeper, keeper)) return 'not_keeper';
      return whyGuardLeftOut(guard, rescues, worth(guard.repayToken, guard.capPerRescue));
    },
  };
}

/** By each token's own feed, read once. As in the loops, nothing without a price is left out as worth too little. */
async function worthOf({ assets, prices }: LeftOutDeps, tokens: readonly Address[]): Promise<Worth> {
  const listed = new Set(tokens.flatMap((token) => listedAt(assets, token) ?? []));
  const read = await Promise.all(
    [...listed].map(async (asset) => {
      const price = await prices.price(asset).catch(() => undefined);
      return [asset, price?.chainlink?.usdWad] as const;
    }),
  );
  const known = new Map(read);
  return (token, amount) => {
    const asset = listedAt(assets, token);
    return asset && worthUsdWadDown(amount, known.get(asset), asset.decimals);
  };
}

/** Guards whose rescue the contract would make now, if the rescue is worth its gas. */
async function dueOf(
  { calls, previewer, router, guards }: LeftOutDeps,
  endangered: readonly Endangered[],
  worth: Worth,
): Promise<readonly Guard[]> {
  const due: Guard[] = [];
  const read = endangered.filter(({ healthWad }) => healthWad !== undefined);
  const first = read.toSorted((a, b) => ((a.healthWad ?? 0n) < (b.healthWad ?? 0n) ? -1 : 1)).slice(0, MAX_SIMULATED);
  for (const { guard } of first) {
    const routed = guard.sale === undefined ? guard : ((await router?.routed(guard)) ?? guard);
    const [judged] = await previewer.rescues(calls.rescue(routed));
    if (judged === undefined || 'error' in judged) continue;
    if (isWorthIt(worth(guard.repayToken, judged.repay), guards.minimumRepayUsdWad)) due.push(guard);
  }
  return due;
}

function countsOf(items: readonly LeftOutItem[]): LeftOutCounts {
  const counts = { plan: {}, guard: {} } as Record<LeftOutItem['kind'], Record<string, number>>;
  for (const { kind, reason } of items) counts[kind][reason] = (counts[kind][reason] ?? 0) + 1;
  return counts;
}

function sentenceOf(counts: LeftOutCounts): string {
  const said = Object.entries(counts).flatMap(([kind, by]) =>
    Object.entries(by).map(([reason, count]) => `${kind} ${reason} ${count}`),
  );
  return said.length === 0 ? 'No plan and no guard is left out.' : `Left out: ${said.join(', ')}.`;
}
