import { fundedRuns } from '@bowline/core/domain/funded-runs';
import type { Plan } from '@bowline/core/domain/permissions';
import { toIsoTime } from '@bowline/core/domain/readable';
import { nextSlot, slotEnd } from '@bowline/core/domain/slots';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import { duePlans } from '../../agent/src/loops/executor/plan.ts';
import { createTroubles } from '../../agent/src/notify/troubles.ts';
import { callTool } from '../../agent/src/tools/call.ts';
import { tools } from '../../agent/src/tools/index.ts';
import { world } from '../../agent/test/tools/world.ts';
import type { Settings } from '../../web/app/api/settings.ts';
import type { Plan as PagePlan } from '../../web/app/chain/read-plans.ts';
import { needsOfPlans } from '../../web/app/home/plan-needs.ts';
import { executor, owner, registry, source } from './places.ts';
import { opensAt, type PlanCase, paidRuns, slotsOf } from './plans.ts';

/** Every answer about these plans that differs from the registry's rules, played second by second. */
export async function disagreementsOfPlans({ now, plans }: PlanCase): Promise<string[]> {
  const wrong: string[] = [];
  const must = (what: string, is: unknown, should: unknown) => {
    if (shown(is) !== shown(should)) wrong.push(`${what}: ${shown(is)}, not ${shown(should)}`);
  };
  const paid = paidRuns(plans, now);
  const [outlooks, told] = await Promise.all([outlooksOf(plans, now), toldOf(plans, now)]);
  const page = pageOf(plans, now);
  for (const plan of plans) {
    const { id } = plan;
    const [first] = slotsOf(plan, now);
    const runs = paid.get(id);
    const slot = nextSlot(plan, now);
    if (plan.status === 'active') {
      must(`core, next slot of ${id}`, slot, first?.start);
      if (slot !== undefined) must(`core, end of that slot of ${id}`, slotEnd(plan, slot), first?.end);
      must(`page, paid runs of ${id}`, page.funded.get(id)?.runs, runs?.runs ?? 0);
      must(`tool, paid runs of ${id}`, outlooks.get(id)?.paidFor, String(runs?.runs ?? 0));
      must(`tool, next slot of ${id}`, outlooks.get(id)?.slot, first && [toIsoTime(first.start), toIsoTime(first.end)]);
    }
    const isTold = runs?.isEnding === true && runs.runs < 3;
    must(`notices, runs left of ${id}`, told.get(id), isTold ? runs.runs : undefined);
    const isShown = page.needs.some(({ key }) => key === `plan-${id}-few`);
    // Where the next buys of all plans cannot be paid together, the page says that once, of the token.
    must(`page, whether it warns of ${id}`, isShown || (isTold && page.isShort), isTold);
    must(`executor, whether ${id} is due`, page.due.has(id), opensAt(plan, now) !== undefined && isPayable(plan));
  }
  if (page.isShort) must('notices, of a token that the next buys exceed', [...told.values()].includes(0), true);
  return wrong;
}

const isPayable = ({ ownerBalance, ownerAllowance, amountPerRun }: Plan): boolean =>
  ownerBalance >= amountPerRun && ownerAllowance >= amountPerRun;

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)) ?? 'nothing';

function pageOf(plans: readonly Plan[], now: bigint) {
  const token = USDT.address.toLowerCase();
  const [first] = plans;
  const means = {
    balances: { [token]: first?.ownerBalance ?? 0n },
    allowances: { [token]: first?.ownerAllowance ?? 0n },
  };
  const owned = { plans: plans.map(pagePlan), ...means };
  const known = { loans: [], covered: [], plans: owned, deeds: {}, buyer: undefined, now };
  const needs = needsOfPlans(known, settings);
  const snapshot = {
    ...{ now, plans, executor, assets: [BTCB, USDT], priceSources: [source] },
    policy: { tokens: ['BTCB', 'USDT'], minimumRunUsdWad: 0n, minimumPeriodSeconds: 0n, gasPerOwnerPerDay: 0n },
    ...{ revertedSlots: new Map(), cancelledSlots: new Map() },
  };
  return {
    funded: fundedRuns(owned, now),
    needs,
    isShort: needs.some(({ key }) => key.startsWith('plans-hold-') || key.startsWith('plans-approve-')),
    due: new Set(duePlans(snapshot).due.map(({ plan }) => plan.id)),
  };
}

const pagePlan = ({ owner: _, executor: __, ...plan }: Plan): PagePlan => ({
  ...plan,
  terms: {
    owner,
    recipient: owner,
    executor,
    verdictSigner: plan.verdictSigner,
    priceSource: source,
    maxSlippageBps: 100,
  } as never,
});

/** Of the page, as far as plans need them. */
export const settings = {
  assets: [
    { symbol: 'USDT', address: USDT.address, decimals: 18 },
    { symbol: 'BTCB', address: BTCB.address, decimals: 18, quote: 'USDT', poolFeeMillionths: 500 },
  ],
  contracts: { planRegistry: registry, priceSource: source, swapExecutor: executor },
  ...{ verdictSigners: [], lending: [] },
} as unknown as Settings;

/** The chain as the agent's readers tell it. */
function readersOf(plans: readonly Plan[], now: bigint) {
  const block = { number: 1n, timestamp: now };
  return {
    ...world.chain,
    planWithFunds: async (id: bigint) => ({ block, plan: plans.find((each) => each.id === id) as Plan }),
    newestPlans: async () => ({ block, plans: plans.toReversed(), total: plans.length, unread: 0 }),
  };
}

async function outlooksOf(plans: readonly Plan[], now: bigint) {
  const ask = callTool(tools, { ...world, chain: readersOf(plans, now) }, (error) => console.error(error));
  const all = await Promise.all(
    plans.map(async ({ id }) => {
      const answer = await ask('plan_outlook', { plan: String(id) });
      if (!answer.ok) throw new Error(answer.message);
      const [slot] = answer.value.slots;
      return [id, { paidFor: answer.value.runs_paid_for, slot: slot && [slot.opens, slot.closes] }] as const;
    }),
  );
  return new Map(all);
}

/** By plan: the runs left that its owner is told of. */
async function toldOf(plans: readonly Plan[], now: bigint): Promise<ReadonlyMap<bigint, unknown>> {
  const chain = readersOf(plans, now);
  const troubles = createTroubles({
    plans: chain,
    guards: chain,
    funds: { guardFunds: async () => [] },
    assets: [BTCB, USDT],
  });
  const { found } = await troubles.ofPlans(owner);
  return new Map(
    found.flatMap(({ key, trouble }) => {
      if (trouble === 'unknown') throw new Error(`${key} was not judged`);
      return trouble ? [[BigInt(String(trouble.data.plan)), trouble.data.runs_left]] : [];
    }),
  );
}
