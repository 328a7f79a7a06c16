import { createSourcePriceReader } from '@bowline/chain/source-price-reader';
import { hasEnded as hasEndedByAudit } from '@bowline/core/audit/figures';
import { planIrregularities } from '@bowline/core/audit/irregularities';
import { serviceFigures } from '@bowline/core/audit/service';
import { fundedRuns } from '@bowline/core/domain/funded-runs';
import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { BarePlan, Plan } from '@bowline/core/domain/permissions';
import { toIsoTime } from '@bowline/core/domain/readable';
import { poolFeeOf } from '@bowline/core/domain/route';
import { mayStillRun } from '@bowline/core/domain/skips';
import { hasEnded, nextSlot, slotEnd, slotStartOf, stateStops } from '@bowline/core/domain/slots';
import { type Address, formatUnits, smallest, WAD } from '@bowline/core/domain/units';
import { duePlans, servedPlans } from '../../agent/src/loops/executor/plan.ts';
import { pricedPlans } from '../../agent/src/loops/executor/tick.ts';
import { createTroubles } from '../../agent/src/notify/troubles.ts';
import { callTool } from '../../agent/src/tools/call.ts';
import { tools } from '../../agent/src/tools/index.ts';
import type { ToolContext } from '../../agent/src/tools/tool.ts';
import { world } from '../../agent/test/tools/world.ts';
import { skipsOf } from '../../web/app/chain/read-activity.ts';
import { whyUnserved } from '../../web/app/chain/serving.ts';
import { planActionItems, running } from '../../web/app/home/plan-action-items.ts';
import { assetsOf, comparing, drafterOf, heardByPage, type Must, nameOf, pageSettings, snake } from './common.ts';
import type { PlanCase, PlanPolicy, PlayedPlan } from './plans.ts';
import { nobody, type Outcome, owner, type Stage, signer, symbols, type TokenSymbol } from './stage.ts';

/** Every answer about these plans that differs from what the registry did with them. */
export async function disagreementsOfPlans(stage: Stage, played: PlanCase, seed: number): Promise<string[]> {
  const { must, wrong } = comparing();
  const { now, plans } = played;
  // Only one plan: judging a trade takes longer than all else.
  const asked = plans[seed % plans.length] as PlayedPlan;
  const [outlook, told, executor, { buyer }] = await Promise.all([
    outlookOf(contextOf(stage, played), asked.plan),
    toldOf(stage, played),
    executorOf(stage, played),
    heardByPage(stage, now, { plans: played.policy }),
  ]);
  const page = pageOf(stage, played);
  for (const each of plans) {
    const { id, status, tokenIn } = each.plan;
    const settings = pageSettings(stage, venusSourceOf(stage, played.policy));
    const unserved = whyUnserved(each.plan, settings, buyer);
    const said = { unserved, skip: executor.skips.get(id), trade: executor.trades.get(id) };
    compareServed(must, stage, each, played.policy, said);
    if (each === asked) compareTool(must, stage, each, outlook, unserved);
    if (status === 'active') compareEnd(must, each, now);
    compareAudit(must, each, now, stage);
    if (status !== 'active') continue;
    compareSlots(must, each, now);
    const { runs, isEnding } = paidRuns(each);
    must(`core, paid runs of ${id}`, page.funded.get(id)?.runs, runs);
    if (each === asked) must(`tool, paid runs of ${id}`, outlook.paidFor, String(runs));
    const isTold = isEnding && runs < 3;
    must(`notices, runs left of ${id}`, told.get(id), isTold ? runs : undefined);
    // If the next buys of all plans cannot be paid together, the page says so once, for the token.
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

/** Whether the registry found the plan's slot open, even if it refused the run. */
const isOpen = (outcome: Outcome): boolean =>
  isUnpaid(outcome) || ['ok', 'FloorNotMet', 'TriggerNotReached', 'PriceSourceFailed'].includes(nameOf(outcome));

function paidRuns({ runs }: PlayedPlan): { readonly runs: number; readonly isEnding: boolean } {
  const first = runs.findIndex(({ outcome }) => isUnpaid(outcome));
  const before = first < 0 ? runs : runs.slice(0, first);
  return { runs: before.filter(({ outcome }) => outcome.ok).length, isEnding: first >= 0 };
}

/** The stage's pools: an asset and its quote token. */
const pools: readonly (readonly [TokenSymbol, TokenSymbol])[] = [
  ['BTCB', 'USDT'],
  ['USDT', 'USDC'],
];

const venusSourceOf = ({ otherSource }: Stage, { isOtherOwn }: PlanPolicy) =>
  isOtherOwn ? otherSource.address : nobody;

/** What a plan does with its pool's asset; undefined if it has no pool. */
function tradeOf(stage: Stage, { tokenIn, tokenOut }: BarePlan): string | undefined {
  const [paid, bought] = [tokenIn, tokenOut].map((token) =>
    symbols.find((each) => stage.tokens[each].address === token),
  );
  const pool = pools.find(([asset, quote]) => [paid, bought].every((each) => each === asset || each === quote));
  return pool && `${pool[0] === bought ? 'buy' : 'sell'} ${pool[0]}`;
}

/** Why the agent never runs a plan under this policy: the reason that its executor gives first. */
function whyNotServed(stage: Stage, { plan }: PlayedPlan, policy: PlanPolicy): string | undefined {
  const isListed = (token: Address) => policy.tokens.some((each) => stage.tokens[each].address === token);
  const { otherSource, tokens, executor } = stage;
  const isSmall = plan.tokenIn === tokens.USDT.address && plan.amountPerRun < policy.minimumRunUsdWad;
  const reasons: readonly (readonly [string, boolean])[] = [
    ['not_ours', plan.executor !== executor.address],
    ['not_served_token', !isListed(plan.tokenIn) || !isListed(plan.tokenOut)],
    ['not_served_route', tradeOf(stage, plan) === undefined],
    ['not_served_signer', plan.verdictSigner !== nobody && !policy.isSigning],
    ['not_served_price_source', plan.priceSource === otherSource.address && !policy.isOtherOwn],
    ['not_served_period', plan.periodSeconds < policy.minimumPeriodSeconds],
    ['not_served_run_value', isSmall],
  ];
  return reasons.find(([, applies]) => applies)?.[0];
}

const moneyLack = ({ ownerBalance, ownerAllowance, amountPerRun }: Plan) =>
  ownerBalance < amountPerRun ? 'balance_too_low' : ownerAllowance < amountPerRun ? 'allowance_too_low' : undefined;

/** A revoked plan is reported as that, although the registry checks its own status first. */
const stoppedBy = ({ plan, now: outcome }: PlayedPlan): string =>
  plan.status === 'revoked' ? 'plan_revoked' : snake(nameOf(outcome));

interface Said {
  readonly skip: string | undefined;
  /** Only for a plan that is due. */
  readonly trade: string | undefined;
  readonly unserved: string | undefined;
}

/** Whether the source's price, rounded as the registry does it, is more than 1 % beyond the plan's limit. */
function isLimitFar({ plan, prices: [paid, bought] = [0n, 0n] }: PlayedPlan): boolean {
  if (plan.limitPriceWad === 0n || paid === 0n || bought === 0n) return false;
  return 99n * ((bought * WAD) / paid) > 100n * plan.limitPriceWad;
}

/** Compares why the executor does not run a plan now, and whether the page says that it ever does. */
function compareServed(must: Must, stage: Stage, each: PlayedPlan, policy: PlanPolicy, said: Said): void {
  const { plan, now: outcome } = each;
  const why = whyNotServed(stage, each, policy);
  const isBelowFee = said.unserved === 'term_below_fee';
  if (!isBelowFee) must(`page, why ${plan.id} is never run`, said.unserved, why);
  else must(`page, whether ${plan.id} is served`, [undefined, 'not_served_run_value'].includes(why), true);
  const lack = moneyLack(plan);
  const waits = nameOf(outcome) === 'TriggerNotReached';
  if (!waits && isOpen(outcome) && nameOf(outcome) !== 'PriceSourceFailed')
    must(`core, whether ${plan.id} is short of money`, lack !== undefined, isUnpaid(outcome));
  const isLater = why === 'not_served_run_value';
  const first = why === 'not_ours' ? why : isOpen(outcome) ? undefined : stoppedBy(each);
  const price = waits ? 'trigger_not_reached' : isLimitFar(each) ? 'limit_not_reached' : undefined;
  const skip = first ?? (isLater ? undefined : why) ?? lack ?? why ?? price;
  must(`executor, why ${plan.id} is not run`, said.skip, skip);
  if (said.trade !== undefined) must(`executor, what ${plan.id} trades`, said.trade, tradeOf(stage, plan));
}

/** Compares what the tool says about a run now with what the registry said. */
function compareTool(must: Must, stage: Stage, each: PlayedPlan, outlook: Outlook, unserved: string | undefined): void {
  const { plan, runs, now: outcome } = each;
  const { obstacles } = outlook;
  const { id, status } = plan;
  must(`tool, whether ${id} has a pool`, !obstacles.has('not_served_route'), tradeOf(stage, plan) !== undefined);
  if (isOpen(outcome)) {
    const waits = nameOf(outcome) === 'TriggerNotReached';
    must(`tool, whether ${id} waits for its trigger`, obstacles.has('trigger_not_reached'), waits);
    if (!waits && isLimitFar(each))
      must(`tool, whether ${id} waits for its limit`, obstacles.has('limit_not_reached'), true);
    const [lack] = ['balance_too_low', 'allowance_too_low'].filter((why) => obstacles.has(why));
    must(`tool, whether ${id} is short of money`, lack, moneyLack(plan));
  }
  const stop = stateStops.find((why) => obstacles.has(why));
  const stopped = stoppedBy(each);
  must(
    `tool, what stops ${id}`,
    stop,
    stateStops.find((why) => why === stopped),
  );
  must(`tool, whether ${id} may run now`, outlook.isOpen && stop === undefined, isOpen(outcome));
  const isBelowFee = unserved === 'term_below_fee';
  const isPriced = !obstacles.has('trigger_not_reached') && !obstacles.has('limit_not_reached');
  if (outlook.isRefused && isPriced && (isBelowFee || unserved === undefined))
    must(`tool, whether ${id} pays less than the fee`, outlook.unrecorded === 'term_below_fee', isBelowFee);
  if (status !== 'active') return;
  must(
    `tool, whether ${id} has ended`,
    obstacles.has('plan_expired') || obstacles.has('runs_used_up'),
    hasEndedBy(outcome),
  );
  const next = openSlots(runs).slice(0, Math.min(3, plan.maxRuns - plan.runs));
  must(
    `tool, next slots of ${id}`,
    outlook.slots,
    next.map((start) => [toIsoTime(start), toIsoTime(slotEnd(plan, start))]),
  );
}
const hasEndedBy = (outcome: Outcome): boolean => ['PlanExpired', 'RunsUsedUp'].includes(nameOf(outcome));

function compareEnd(must: Must, { plan, history, now: outcome }: PlayedPlan, now: bigint): void {
  must(`page, whether ${plan.id} has ended`, hasEnded(plan, now), hasEndedBy(outcome));
  must(`audit, whether ${plan.id} has ended`, hasEndedByAudit(history, now), hasEndedBy(outcome));
}

const openSlots = (runs: PlayedPlan['runs']): readonly bigint[] =>
  runs.filter(({ outcome }) => isOpen(outcome)).map(({ start }) => start);

/** Compares an active plan's slots with those that the registry opened to the attempted runs. */
function compareSlots(must: Must, { plan, runs, later }: PlayedPlan, now: bigint): void {
  const { id } = plan;
  const slots = openSlots(runs);
  must(`core, next slot of ${id}`, nextSlot(plan, now), slots[0]);
  must(`page, whether ${id} has a run to come`, running([plan], now).length === 1, slots.length > 0);
  for (const { time, outcome } of later) {
    const start = time < plan.startAt ? undefined : slotStartOf(plan, time);
    const open = nextSlot(plan, time);
    must(`core, whether ${id} is open at ${time}`, open !== undefined && open <= time, isOpen(outcome));
    if (start === undefined) continue;
    must(`core, whether ${id} may still run at ${time}`, mayStillRun(plan, start, time), isOpen(outcome));
    if (isOpen(outcome))
      must(`core, whether the slot of ${id} has ended at ${time}`, slotEnd(plan, start) <= time, false);
    const isOver = ['SlotClosed', 'PlanExpired'].includes(nameOf(outcome));
    if (isOver) must(`core, whether the slot of ${id} has ended at ${time}`, slotEnd(plan, start) <= time, true);
  }
}

/** Compares the audit with the records that the registry has made. */
function compareAudit(must: Must, { plan, history }: PlayedPlan, now: bigint, stage: Stage): void {
  const { id, version, status } = plan;
  must(`audit, irregularities of ${id}`, planIrregularities(history), []);
  const figures = serviceFigures([history], now, (tokenIn, tokenOut) => poolFeeOf(assetsOf(stage), tokenIn, tokenOut));
  must(`audit, runs of ${id}`, figures.runs, plan.runs);
  must(`audit, deferrals of ${id}`, figures.deferrals, plan.records - plan.runs);
  const [first] = history.runs;
  if (status !== 'active' || first === undefined || history.runs.some((run) => run.version !== version)) return;
  const items = history.runs.map((run) => ({
    ...{ kind: run.reason === 0 ? ('run' as const) : ('skip' as const), plan, time: BigInt(run.time) },
    ...{ slotStart: BigInt(run.slotStart), amountIn: run.amountIn, amountOut: run.amountOut },
    ...{ floor: run.floor, reason: run.reason, isAttested: run.isAttested },
  }));
  const skipped = figures.skipped.reduce((sum, { count }) => sum + count, 0);
  must(
    `page and audit, skipped slots of ${id}`,
    new Set(skipsOf(plan, items, now).map((each) => each.slotStart)).size,
    skipped,
  );
  if (plan.runs >= plan.maxRuns) return;
  let silent = 0;
  for (let start = BigInt(first.slotStart); start < plan.expiresAt; start += plan.periodSeconds) {
    const isRecorded = items.some(({ slotStart }) => slotStart === start);
    if (!isRecorded && slotEnd(plan, start) <= now) silent += 1;
  }
  const unrecorded = figures.unrecorded.reduce((sum, { count }) => sum + count, 0);
  must(`audit, closed slots without a record of ${id}`, figures.silentSlots + unrecorded, silent);
}

function pageOf(stage: Stage, { now, plans, funds }: PlanCase) {
  const of = (what: 'balance' | 'allowance') =>
    Object.fromEntries(symbols.map((symbol) => [stage.tokens[symbol].address.toLowerCase(), funds[symbol][what]]));
  const owned = { plans: plans.map(({ plan }) => plan), balances: of('balance'), allowances: of('allowance') };
  const known = { loans: [], covered: [], plans: owned, activity: {}, buyer: undefined, now };
  const keys = new Set(planActionItems(known, pageSettings(stage)).map(({ key }) => key));
  const isShort = (token: string) =>
    ['hold', 'approve'].some((what) => keys.has(`plans-${what}-${token.toLowerCase()}`));
  return { funded: fundedRuns(owned, now), keys, isShort };
}

/** The chain as the agent's readers report it. */
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

/** For each plan, why the executor does not run it now, or which trade it makes. */
async function executorOf(stage: Stage, played: PlanCase) {
  const { isSigning, tokens, ...policy } = played.policy;
  const { due, skipped } = duePlans({
    ...{ now: played.now, plans: played.plans.map(({ plan }) => plan), executor: stage.executor.address },
    ...{ assets: assetsOf(stage), verdictSigners: isSigning ? [signer] : [] },
    priceSources: [stage.chainlink.address, venusSourceOf(stage, played.policy)],
    policy: { ...policy, tokens, gasPerOwnerPerDay: 0n },
    ...{ revertedSlots: new Map(), cancelledSlots: new Map() },
  });
  const usdWad = new Map([[stage.tokens.USDT.address.toLowerCase(), WAD]]);
  const { served, skipped: small } = servedPlans(due, usdWad, { ...policy, tokens, gasPerOwnerPerDay: 0n });
  const waiting = await pricedPlans(readersOf(played), served);
  const all = [...skipped, ...small, ...waiting.skipped];
  return {
    skips: new Map(all.map(({ planId, skip }) => [planId, skip])),
    trades: new Map(due.map(({ plan, pairing: { side, asset } }) => [plan.id, `${side} ${asset.symbol}`])),
  };
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

/** The approved USDT that plans that may go on can still take. */
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

/** Derived from the approval in a draft of one run of one base unit. */
async function keptByTool(stage: Stage, played: PlanCase): Promise<bigint | string> {
  const context = { ...contextOf(stage, played), permissions: drafterOf(stage) };
  const wish = { owner, pay: 'USDT', buy: 'BTCB', amount: formatUnits(1n, 18), every: 'day', runs: 1 };
  const answer = await callTool(tools, context, (error) => console.error(error))('draft_plan', wish);
  if (!answer.ok) return answer.message;
  return BigInt(`0x${String(answer.value.calls[0]?.data).slice(-64)}`) - 1n;
}

/** The runs left that each plan's owner is notified of, by plan. */
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
