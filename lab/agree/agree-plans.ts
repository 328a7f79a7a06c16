import type { SourcePriceReader } from '@bowline/chain/readers';
import { createSourcePriceReader } from '@bowline/chain/source-price-reader';
import { hasEnded as hasEndedByAudit } from '@bowline/core/audit/figures';
import { planIrregularities } from '@bowline/core/audit/irregularities';
import { serviceFigures } from '@bowline/core/audit/service';
import { fundedRuns } from '@bowline/core/domain/funded-runs';
import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { BarePlan, Plan } from '@bowline/core/domain/permissions';
import { poolFeeOf } from '@bowline/core/domain/pool-fee';
import { toIsoTime } from '@bowline/core/domain/readable';
import { nextSlot, slotEnd, slotStartOf } from '@bowline/core/domain/slots';
import { formatUnits, smallest } from '@bowline/core/domain/units';
import { duePlans } from '../../agent/src/loops/executor/plan.ts';
import { triggeredPlans } from '../../agent/src/loops/executor/triggered.ts';
import { createTroubles } from '../../agent/src/notify/troubles.ts';
import { callTool } from '../../agent/src/tools/call.ts';
import { tools } from '../../agent/src/tools/index.ts';
import type { ToolContext } from '../../agent/src/tools/tool.ts';
import { world } from '../../agent/test/tools/world.ts';

import { hasEnded } from '../../web/app/chain/has-ended.ts';
import { whyUnserved } from '../../web/app/chain/served.ts';
import { mayStillRun, skipsOf } from '../../web/app/chain/skips.ts';
import { needsOfPlans, running } from '../../web/app/home/plan-needs.ts';
import { assetsOf, comparing, drafterOf, type Must, nameOf, pageSettings, snake } from './common.ts';

import type { PlanCase, PlayedPlan } from './plans.ts';
import { type Outcome, owner, type Stage, symbols } from './stage.ts';

/** Every answer about these plans that differs from what the registry did with them. */
export async function disagreementsOfPlans(stage: Stage, played: PlanCase): Promise<string[]> {
  const { must, wrong } = comparing();
  const { now, plans } = played;
  const [outlooks, told, skips] = await Promise.all([
    outlooksOf(stage, played),
    toldOf(stage, played),
    skipsOfExecutor(stage, played),
  ]);
  const page = pageOf(stage, played);
  for (const each of plans) {
    const { id, status, tokenIn } = each.plan;
    const outlook = outlooks.get(id) as Outlook;
    const unserved = whyUnserved(each.plan, pageSettings(stage), undefined);
    compareNow(must, each, now, { skip: skips.get(id), outlook, unserved });
    compareAudit(must, each, now, stage);
    if (status !== 'active') continue;
    compareSlots(must, each, now, outlook);
    const { runs, isEnding } = paidRuns(each);
    must(`core, paid runs of ${id}`, page.funded.get(id)?.runs, runs);
    must(`tool, paid runs of ${id}`, outlook.paidFor, String(runs));
    const isTold = isEnding && runs < 3;
    must(`notices, runs left of ${id}`, told.get(id), isTold ? runs : undefined);
    // Where the next buys of all plans cannot be paid together, the page says that once, of the token.
    const isShown = page.keys.has(`plan-${id}-few`) || (isTold && page.isShort(tokenIn));
    must(`page, whether it warns of ${id}`, isShown, isTold);
  }
  const kept = keptByRegistry(stage, played);
  must('tool, what an approval keeps for other plans', await keptByTool(stage, played), kept);
  must('page, what an approval keeps for other plans', keptByPage(stage, played), kept);
  for (const symbol of symbols) {
    const { address } = stage.tokens[symbol];
    const left = plans.flatMap(({ plan }) => (plan.tokenIn === address ? [told.get(plan.id)] : []));
    if (page.isShort(address)) must(`notices, of ${symbol}, which the next buys exceed`, left.includes(0), true);
  }
  return wrong;
}

const isUnpaid = (outcome: Outcome): boolean => nameOf(outcome).startsWith('ERC20');

/** Whether the registry found the plan's slot open, whatever it refused the run for. */
const isOpen = (outcome: Outcome): boolean =>
  isUnpaid(outcome) || ['ok', 'FloorNotMet', 'TriggerNotReached', 'PriceSourceFailed'].includes(nameOf(outcome));

function paidRuns({ runs }: PlayedPlan): { readonly runs: number; readonly isEnding: boolean } {
  const first = runs.findIndex(({ outcome }) => isUnpaid(outcome));
  const before = first < 0 ? runs : runs.slice(0, first);
  return { runs: before.filter(({ outcome }) => outcome.ok).length, isEnding: first >= 0 };
}

/** What each says to a run now, beside what the registry said. */
function compareNow(must: Must, each: PlayedPlan, now: bigint, said: Said): void {
  const { plan, history, now: outcome } = each;
  const { skip, outlook, unserved } = said;
  const { obstacles } = outlook;
  const { id, status, ownerBalance, ownerAllowance, amountPerRun } = plan;
  const isServed = skip?.startsWith('not_served') !== true;
  const money = ownerBalance < amountPerRun ? 'balance_too_low' : 'allowance_too_low';
  const isShort = ownerBalance < amountPerRun || ownerAllowance < amountPerRun;
  if (unserved === 'executor') must(`executor, why ${id} is not run`, skip, 'not_ours');
  else if (!isOpen(outcome)) {
    must(`executor, why ${id} is not run`, skip, status === 'revoked' ? 'plan_revoked' : snake(nameOf(outcome)));
  } else {
    const waits = nameOf(outcome) === 'TriggerNotReached';
    const isPriced = nameOf(outcome) !== 'PriceSourceFailed';
    must(`page, whether ${id} is served`, unserved === undefined || unserved === 'termBelowFee', isServed);
    const skipped = isShort ? money : waits ? 'trigger_not_reached' : undefined;
    if (isServed) must(`executor, why ${id} is not run`, skip, skipped);
    if (!waits && isPriced) must(`core, whether ${id} is short of money`, isShort, isUnpaid(outcome));
    must(`tool, whether ${id} waits for its trigger`, obstacles.has('trigger_not_reached'), waits);
    must(`tool, whether ${id} is short of money`, obstacles.has(money), isShort);
  }
  const stops = ['plan_not_active', 'plan_expired', 'runs_used_up'].some((why) => obstacles.has(why));
  must(`tool, whether ${id} may run now`, outlook.isOpen && !stops, isOpen(outcome));
  if (status === 'active') {
    const isEnded = ['PlanExpired', 'RunsUsedUp'].includes(nameOf(outcome));
    must(`tool, whether ${id} has ended`, obstacles.has('plan_expired') || obstacles.has('runs_used_up'), isEnded);
    must(`page, whether ${id} has ended`, hasEnded(plan, now), isEnded);
    must(`audit, whether ${id} has ended`, hasEndedByAudit(history, now), isEnded);
  }
  const isJudged = outlook.isRefused && !obstacles.has('trigger_not_reached');
  if (isJudged && (unserved === undefined || unserved === 'termBelowFee')) {
    must(
      `page, whether ${id} pays less than the fee`,
      unserved === 'termBelowFee',
      outlook.unrecorded === 'term_below_fee',
    );
  }
}

/** The slots of an active plan, as the registry opened them to the tries that were made. */
function compareSlots(must: Must, { plan, runs, later }: PlayedPlan, now: bigint, outlook: Outlook): void {
  const { id } = plan;
  const slots = runs.filter(({ outcome }) => isOpen(outcome)).map(({ start }) => start);
  const slot = nextSlot(plan, now);
  must(`core, next slot of ${id}`, slot, slots[0]);
  must(`page, whether ${id} has a run to come`, running([plan], now).length === 1, slots.length > 0);
  const next = slots.slice(0, Math.min(3, plan.maxRuns - plan.runs));
  must(
    `tool, next slots of ${id}`,
    outlook.slots,
    next.map((start) => [toIsoTime(start), toIsoTime(slotEnd(plan, start))]),
  );
  for (const { time, outcome } of later) {
    const start = time < plan.startAt ? undefined : slotStartOf(plan, time);
    const open = nextSlot(plan, time);
    must(`core, whether ${id} is open at ${time}`, open !== undefined && open <= time, isOpen(outcome));
    if (start === undefined) continue;
    must(`page, whether ${id} may still run at ${time}`, mayStillRun(plan, start, time), isOpen(outcome));
    if (isOpen(outcome))
      must(`core, whether the slot of ${id} has ended at ${time}`, slotEnd(plan, start) <= time, false);
    const isOver = ['SlotClosed', 'PlanExpired'].includes(nameOf(outcome));
    if (isOver) must(`core, whether the slot of ${id} has ended at ${time}`, slotEnd(plan, start) <= time, true);
  }
}

/** The audit of the records that the registry has made. */
function compareAudit(must: Must, { plan, history }: PlayedPlan, now: bigint, stage: Stage): void {
  const { id, version, status } = plan;
  must(`audit, irregularities of ${id}`, planIrregularities(history), []);
  const figures = serviceFigures([history], now, (tokenIn, tokenOut) => poolFeeOf(assetsOf(stage), tokenIn, tokenOut));
  must(`audit, runs of ${id}`, figures.runs, plan.runs);
  must(`audit, deferrals of ${id}`, figures.deferrals, plan.records - plan.runs);
  const [first] = history.runs;
  if (status !== 'active' || first === undefined || history.runs.some((run) => run.version !== version)) return;
  const deeds = history.runs.map((run) => ({
    ...{ kind: run.reason === 0 ? ('run' as const) : ('skip' as const), plan, time: BigInt(run.time) },
    ...{ slotStart: BigInt(run.slotStart), amountIn: run.amountIn, amountOut: run.amountOut },
    ...{ floor: run.floor, reason: run.reason, isAttested: run.isAttested },
  }));
  const skipped = figures.skipped.reduce((sum, { count }) => sum + count, 0);
  must(
    `page and audit, skipped slots of ${id}`,
    new Set(skipsOf(plan, deeds, now).map((each) => each.slotStart)).size,
    skipped,
  );
  if (plan.runs >= plan.maxRuns) return;
  let silent = 0;
  for (let start = BigInt(first.slotStart); start < plan.expiresAt; start += plan.periodSeconds) {
    const isRecorded = deeds.some(({ slotStart }) => slotStart === start);
    if (!isRecorded && slotEnd(plan, start) <= now) silent += 1;
  }
  const unrecorded = figures.unrecorded.reduce((sum, { count }) => sum + count, 0);
  must(`audit, closed slots without a record of ${id}`, figures.silentSlots + unrecorded, silent);
}

function pageOf(stage: Stage, { now, plans, funds }: PlanCase) {
  const of = (what: 'balance' | 'allowance') =>
    Object.fromEntries(symbols.map((symbol) => [stage.tokens[symbol].address.toLowerCase(), funds[symbol][what]]));
  const owned = { plans: plans.map(({ plan }) => plan), balances: of('balance'), allowances: of('allowance') };
  const known = { loans: [], covered: [], plans: owned, deeds: {}, buyer: undefined, now };
  const keys = new Set(needsOfPlans(known, pageSettings(stage)).map(({ key }) => key));
  const isShort = (token: string) =>
    ['hold', 'approve'].some((what) => keys.has(`plans-${what}-${token.toLowerCase()}`));
  return { funded: fundedRuns(owned, now), keys, isShort };
}

/** The chain as the agent's readers tell it. */
function readersOf({ plans, now }: PlanCase) {
  const block = { number: 1n, timestamp: now };
  const all = plans.map(({ plan }) => plan);
  const find = (id: bigint) => plans.find(({ plan }) => plan.id === id) as PlayedPlan;
  return {
    ...world.chain,
    planWithFunds: async (id: bigint) => ({ block, plan: find(id).plan }),
    newestPlans: async () => ({ block, plans: all.toReversed(), total: all.length, unread: 0 }),
    sourcePriceWad: async (plan: Pick<BarePlan, 'priceSource' | 'tokenIn' | 'tokenOut'>) => {
      const isIt = (each: PlayedPlan) =>
        ['priceSource', 'tokenIn', 'tokenOut'].every((key) => each.plan[key as 'tokenIn'] === plan[key as 'tokenIn']);
      const result = plans.find(isIt)?.prices;
      return createSourcePriceReader({ multicall: async () => [{ result }] } as never).sourcePriceWad(plan);
    },
  };
}

/** By plan: why the executor does not run it. */
async function skipsOfExecutor(stage: Stage, played: PlanCase): Promise<ReadonlyMap<bigint, string>> {
  const prices: SourcePriceReader = readersOf(played);
  const { due, skipped } = duePlans({
    ...{ now: played.now, plans: played.plans.map(({ plan }) => plan), executor: stage.executor.address },
    ...{ assets: assetsOf(stage), priceSources: [stage.chainlink.address] },
    policy: { tokens: symbols, minimumRunUsdWad: 0n, minimumPeriodSeconds: 0n, gasPerOwnerPerDay: 0n },
    ...{ revertedSlots: new Map(), cancelledSlots: new Map() },
  });
  const waiting = await triggeredPlans(prices, due);
  return new Map([...skipped, ...waiting.skipped].map(({ planId, skip }) => [planId, skip]));
}

interface Said {
  readonly skip: string | undefined;
  readonly outlook: Outlook;
  readonly unserved: string | undefined;
}

type Outlook = Awaited<ReturnType<typeof outlookOf>>;

async function outlookOf(context: ToolContext, { id }: Plan) {
  const ask = callTool(tools, context, (error) => console.error(error));
  const answer = await ask('plan_outlook', { plan: String(id) });
  if (!answer.ok) throw new Error(answer.message);
  const { slots, obstacles, unrecorded, runs_paid_for: paidFor, verdict_now: verdict } = answer.value;
  return {
    ...{ paidFor, unrecorded, obstacles: new Set<string>(obstacles) },
    isOpen: slots[0]?.open_now === true,
    slots: slots.map(({ opens, closes }) => [opens, closes]),
    isRefused: verdict !== null && verdict.verdict !== 'GO',
  };
}

const contextOf = (stage: Stage, played: PlanCase): ToolContext => ({
  ...world,
  ...{ assets: assetsOf(stage), chain: readersOf(played) },
});

async function outlooksOf(stage: Stage, played: PlanCase): Promise<ReadonlyMap<bigint, Outlook>> {
  const context = contextOf(stage, played);
  const all = played.plans.map(async ({ plan }) => [plan.id, await outlookOf(context, plan)] as const);
  return new Map(await Promise.all(all));
}

/** What the plans that may go on can still take of what is approved, in USDT. */
function keptByRegistry(stage: Stage, { plans, now, funds }: PlanCase): bigint {
  const going = plans.filter(({ plan: { tokenIn, status, expiresAt }, now: outcome }) => {
    const mayGoOn = status === 'active' ? nameOf(outcome) !== 'PlanExpired' : status === 'paused' && now < expiresAt;
    return mayGoOn && tokenIn === stage.tokens.USDT.address;
  });
  const left = going.map(({ plan }) => plan.amountPerRun * BigInt(plan.maxRuns - plan.runs));
  return smallest([left.reduce((sum, each) => sum + each, 0n), funds.USDT.allowance]);
}

function keptByPage(stage: Stage, { now, plans, funds }: PlanCase): bigint {
  const own = plans.map(({ plan }) => plan);
  return keptForOthers(own, stage.tokens.USDT.address, funds.USDT.allowance, now);
}

/** By the approval with a draft of one run of one base unit. */
async function keptByTool(stage: Stage, played: PlanCase): Promise<bigint | string> {
  const context = { ...contextOf(stage, played), permissions: drafterOf(stage) };
  const wish = { owner, pay: 'USDT', buy: 'BTCB', amount: formatUnits(1n, 18), every: 'day', runs: 1 };
  const answer = await callTool(tools, context, (error) => console.error(error))('draft_plan', wish);
  if (!answer.ok) return answer.message;
  return BigInt(`0x${String(answer.value.calls[0]?.data).slice(-64)}`) - 1n;
}

/** By plan: the runs left that its owner is told of. */
async function toldOf(stage: Stage, played: PlanCase): Promise<ReadonlyMap<bigint, unknown>> {
  const chain = readersOf(played);
  const funds = { guardFunds: async () => [] };
  const { found } = await createTroubles({ plans: chain, guards: chain, funds, assets: assetsOf(stage) }).ofPlans(
    owner,
  );
  return new Map(
    found.flatMap(({ key, trouble }) => {
      if (trouble === 'unknown') throw new Error(`${key} was not judged`);
      return trouble ? [[BigInt(String(trouble.data.plan)), trouble.data.runs_left]] : [];
    }),
  );
}
