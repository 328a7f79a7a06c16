import { baseUnits } from '@bowline/chain/drafts/base-units';
import { draftGuard, draftSale } from '@bowline/chain/drafts/guard';
import { draftPlan } from '@bowline/chain/drafts/plan';
import { WAD } from '@bowline/core/domain/units';
import { decodeFunctionData, formatUnits, type Hex, pad } from 'viem';
import { collateralGuardAbi, loanGuardAbi } from '../../abis/index.ts';
import { callTool } from '../../agent/src/tools/call.ts';
import { tools } from '../../agent/src/tools/index.ts';
import { world } from '../../agent/test/tools/world.ts';
import type { LoanMarket } from '../../web/app/chain/read-loan.ts';
import { blankGuard, readGuardForm } from '../../web/app/guard/guard-form.ts';
import { guardSteps } from '../../web/app/guard/guard-steps.ts';
import { blankSale, readSaleForm } from '../../web/app/guard/sale-form.ts';
import { saleSteps } from '../../web/app/guard/sale-steps.ts';
import { termsOf } from '../../web/app/plans/draft-plan.ts';
import { blankPlan, readPlanForm } from '../../web/app/plans/plan-form.ts';
import type { Random } from '../bench/verdict-quality/random.ts';
import { assetsOf, comparing, deploymentOf, drafterOf, type Must, nameOf, pageSettings } from './common.ts';
import { drawMarket, setMarket, type Whole } from './loans.ts';
import { POOL_FEE } from './pool.ts';
import { answerOf, createScene, owner, type Stage } from './stage.ts';

const NOW = 20 * 86_400;

/** Compares what page, SDK and tool would have signed for the same wishes, and whether the contracts accept it. */
export async function disagreementsOfDrafts(stage: Stage, random: Random): Promise<string[]> {
  const { must, wrong } = comparing();
  const whole: Whole = (low, high) => Math.floor(random.between(low, high + 1));
  await comparePlan(must, stage, random, whole);
  await compareGuard(must, stage, random, whole);
  await compareSale(must, stage, random, whole);
  return wrong;
}

/** A tool's terms, or why it drafts none. */
async function askTool(
  stage: Stage,
  name: 'draft_plan' | 'draft_guard' | 'draft_collateral_guard',
  input: object,
): Promise<object | string> {
  const block = { number: 1n, timestamp: BigInt(NOW) };
  const none = { total: 0, unread: 0 };
  const [newestPlans, guardsOf] = [async () => ({ block, plans: [], ...none }), async () => ({ guards: [], ...none })];
  const chain = { ...world.chain, newestPlans, guardsOf };
  const context = { ...world, assets: assetsOf(stage), permissions: drafterOf(stage), chain, clock: () => BigInt(NOW) };
  const answer = await callTool(tools, context, (error) => console.error(error))(name, input);
  return answer.ok ? (answer.value.terms as object) : answer.message;
}

async function comparePlan(must: Must, stage: Stage, random: Random, whole: Whole): Promise<void> {
  const [amount, limit, trigger] = [1, 2, 3].map(() => `${whole(1, 10 ** 6) / 1_000}`) as [string, string, string];
  const [every, period] = (
    [
      ['hour', 3_600],
      ['day', 86_400],
      ['week', 604_800],
    ] as const
  )[whole(0, 2)] ?? ['hour', 3_600];
  const runs = whole(1, 10_000);
  const wishes = { ...(random.chance(0.5) && { limit }), ...(random.chance(0.3) && { trigger }) };
  const sdk = draftPlan(deploymentOf(stage), {
    ...{ owner, pay: 'USDT', buy: 'BTCB', amountPerRun: amount, periodSeconds: period, maxRuns: runs, startAt: NOW },
    ...(wishes.limit && { limitPrice: wishes.limit }),
    ...(wishes.trigger && { triggerPrice: wishes.trigger }),
  });
  const tool = await askTool(stage, 'draft_plan', {
    ...{ owner, pay: 'usdt', buy: 'bitcoin', amount, every, runs },
    ...(wishes.limit && { limit_price: wishes.limit }),
    ...(wishes.trigger && { trigger_price: wishes.trigger }),
  });
  must(
    'SDK, a plan’s window',
    sdk.windowSeconds,
    wishes.trigger || wishes.limit ? period : Math.min(period, 6 * 3_600),
  );
  must('SDK, a plan’s end', sdk.expiresAt, NOW + 2 * period * runs);
  must('tool, a plan’s terms', textsOf(tool), textsOf(sdk));
  const form = { ...blankPlan, amount, runs: `${runs}`, period: `${period}`, price: wishes.limit ?? '' };
  const settings = pageSettings(stage);
  const { draft } = readPlanForm(form, settings.assets);
  // The page offers no trigger.
  if (!wishes.trigger)
    must('page, a plan’s terms', textsOf(draft ? termsOf(draft, settings, owner, BigInt(NOW)) : form), textsOf(sdk));

  const scene = createScene(stage);
  scene.at(BigInt(NOW));
  const created = scene.call(owner, stage.registry, 'create', sdk);
  const stored = scene.call(owner, stage.registry, 'termsOf', 1n, 1n);
  await scene.play();
  const isBeyondLimit = sdk.limitPriceWad !== 0n && sdk.limitPriceWad < sdk.triggerPriceWad;
  must('registry, whether it takes the plan', nameOf(created()), isBeyondLimit ? 'TriggerPriceRefused' : 'ok');
  if (created().ok) must('registry, a plan’s terms', textsOf(answerOf(stored())), textsOf(sdk));
}

/** Healths as typed: most with two decimals, some up to two units off a bound. */
function drawHealths(random: Random, whole: Whole): readonly [bigint, bigint] {
  const fine = () => (random.chance(0.3) ? BigInt(whole(-2, 2)) : 0n);
  const trigger = (WAD * BigInt(whole(100, 200))) / 100n + fine();
  const target = random.chance(0.5)
    ? (trigger * 102n) / 100n + BigInt(whole(-1, 2))
    : (WAD * BigInt(whole(100, 1_001))) / 100n + fine();
  return [trigger, target];
}

async function compareGuard(must: Must, stage: Stage, random: Random, whole: Whole): Promise<void> {
  const [trigger, target] = drawHealths(random, whole).map((wad) => formatUnits(wad, 18)) as [string, string];
  const [perRescue, perDay, total] = [1, 2, 3].map(() => `${whole(1, 10 ** 6) / 1_000}`) as [string, string, string];
  const days = [30, 90, 365][whole(0, 2)] ?? 365;
  const watch = random.chance(0.5) ? 'chainlink' : 'protocol';
  const place = stage.vTokens.USDT.address;
  const market = {
    market: pad(place.toLowerCase() as Hex),
    token: stage.tokens.USDT.address,
    symbol: 'USDT',
    decimals: 18,
    debt: 1n,
    allowance: 0n,
  } as LoanMarket;
  const limits = { trigger, target, capPerRescue: perRescue, capPerDay: perDay, total };
  const { draft, errors } = readGuardForm(
    { ...blankGuard, ...limits, days: `${days}`, watch },
    market,
    (WAD * BigInt(whole(1, 30))) / 10n,
  );
  const [minRepay, expiresAt] = [formatUnits(draft?.minRepay ?? 1n, 18), NOW + days * 86_400];
  const words = {
    ...{ triggerHealth: trigger, targetHealth: target },
    capPerRescue: perRescue,
    capPerDay: perDay,
    minRepay,
  };
  const sdk = draftGuard(deploymentOf(stage), {
    ...{ borrower: owner, market: place, repay: 'USDT', ...words, expiresAt, watchesChainlink: watch === 'chainlink' },
  });
  if (watch === 'protocol') {
    const tool = await askTool(stage, 'draft_guard', {
      ...{
        borrower: owner,
        market: place,
        repay: 'usdt',
        trigger_health: trigger,
        target_health: target,
        min_repay: minRepay,
      },
      ...{ cap_per_rescue: perRescue, cap_per_day: perDay, days, budget: '1000' },
    });
    must('tool, a guard’s terms', textsOf(tool), textsOf(sdk));
  }
  const scene = createScene(stage);
  scene.at(BigInt(NOW));
  const registered = scene.call(owner, stage.guards, 'register', sdk);
  await scene.play();
  const taken = nameOf(registered());
  if (draft === undefined) {
    const isHealth = errors.target !== undefined && errors.trigger === undefined;
    if (isHealth) must(`LoanGuard, a target of ${target} for ${trigger} that the page refuses`, taken, 'TargetRefused');
    return;
  }
  must(`LoanGuard, a guard of ${trigger} and ${target} that the page accepts`, taken, 'ok');
  const context = { borrower: owner, adapter: stage.venus.address, now: BigInt(NOW), replaces: undefined };
  const register = guardSteps(draft, pageSettings(stage), context).at(-1);
  const { args } = decodeFunctionData({ abi: loanGuardAbi, data: register?.data as Hex });
  must('page, a guard’s terms', textsOf(args?.[0] as object), textsOf(sdk));
}

/** The same for a guard that sells BTCB to repay a USDT debt. */
async function compareSale(must: Must, stage: Stage, random: Random, whole: Whole): Promise<void> {
  const [trigger, target] = drawHealths(random, whole).map((wad) => formatUnits(wad, 18)) as [string, string];
  const [isUnwind, days, bps] = [random.chance(0.2), [30, 90, 365][whole(0, 2)] ?? 365, whole(1, 500)];
  const [perRescue, sellAtMost] = [1, 2].map(() => `${whole(1, 10 ** 6) / 1_000}`) as [string, string];
  const [debtMarket, collateralMarket] = [stage.vTokens.USDT.address, stage.vTokens.BTCB.address];
  const marketOf = (symbol: 'USDT' | 'BTCB', place: Hex) =>
    ({
      ...{ market: pad(place.toLowerCase() as Hex), token: stage.tokens[symbol].address, symbol, decimals: 18 },
    }) as LoanMarket;
  const markets = { debt: marketOf('USDT', debtMarket), collateral: marketOf('BTCB', collateralMarket) };
  const priceWad = (WAD * BigInt(whole(1, 30))) / 10n;
  const { draft, errors } = readSaleForm(
    {
      ...{ ...blankSale, trigger, target, goal: isUnwind ? 'unwind' : 'restore', capPerRescue: perRescue, sellAtMost },
      ...{ costPercent: formatUnits(BigInt(bps), 2), days: `${days}`, poolFee: `${POOL_FEE}` },
    },
    markets,
    { borrower: owner, prices: { [markets.debt.market]: priceWad } },
    [],
    BigInt(NOW),
  );
  const minRepay = formatUnits(draft?.minRepay ?? 1n, 18);
  const perDay = formatUnits(2n * baseUnits('cap', perRescue, 18), 18);
  const expiresAt = NOW + days * 86_400;
  const sdk = draftSale(deploymentOf(stage), {
    ...{ borrower: owner, market: debtMarket, collateralMarket, repay: 'USDT', triggerHealth: trigger },
    ...{ targetHealth: isUnwind ? 'unwind' : target, capPerRescue: perRescue, capPerDay: perDay, minRepay, expiresAt },
    ...{ maxCostBps: bps, route: [{ fee: POOL_FEE }] },
  });
  const tool = await askTool(stage, 'draft_collateral_guard', {
    ...{ borrower: owner, market: debtMarket, collateral_market: collateralMarket, repay: 'usdt' },
    ...{ trigger_health: trigger, target_health: isUnwind ? 'unwind' : target, max_cost_bps: bps, pool_fee: POOL_FEE },
    ...{ cap_per_rescue: perRescue, cap_per_day: perDay, min_repay: minRepay, sell_at_most: sellAtMost, days },
  });
  must('tool, terms of a sale', textsOf(tool), textsOf({ ...sdk, route: JSON.stringify(sdk.route) }));
  const scene = createScene(stage);
  scene.at(BigInt(NOW));
  setMarket(scene, stage, drawMarket(random, whole));
  const registered = scene.call(owner, stage.sales, 'register', sdk);
  await scene.play();
  const taken = nameOf(registered());
  if (draft === undefined) {
    const isHealth = errors.target !== undefined && errors.trigger === undefined;
    if (isHealth)
      must(`CollateralGuard, a target of ${target} for ${trigger} that the page refuses`, taken, 'TargetRefused');
    return;
  }
  must(`CollateralGuard, a guard of ${trigger} and ${target} that the page accepts`, taken, 'ok');
  const deposit = { receipt: collateralMarket, token: stage.tokens.BTCB.address, rateWad: WAD, allowance: 0n };
  const { contracts } = pageSettings(stage);
  const adapter = stage.venusCollateral.address;
  const register = saleSteps(draft, { borrower: owner, adapter, contracts, deposit, now: BigInt(NOW) }).at(-1);
  const { args } = decodeFunctionData({ abi: collateralGuardAbi, data: register?.data as Hex });
  const terms = args?.[0] as typeof sdk;
  const plain = (each: typeof sdk) => textsOf({ ...each, route: JSON.stringify(each.route) });
  must('page, terms of a sale', plain(terms), plain(sdk));
}

/** Field by field, in one order and one case. */
const textsOf = (terms: object | string): unknown =>
  typeof terms === 'string'
    ? terms
    : Object.entries(terms)
        .map(([name, value]) => `${name} ${String(value).toLowerCase()}`)
        .toSorted();
