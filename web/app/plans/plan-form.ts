import { PLAN_SLIPPAGE_BPS } from '@bowline/core/domain/defaults';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { listedAt } from '@bowline/core/domain/same-address';
import { formatUnits, largest } from '@bowline/core/domain/units';
import { type Asset, buyable, payTokenOf } from '../api/settings.ts';
import { exactAmount, type Parsed, parseAmount, parseWhole } from '../words/amounts.ts';
import { planWords } from '../words/en/plans.ts';
import { duration } from '../words/times.ts';
import type { PlanDraft } from './draft-plan.ts';

/** The form's values. */
export const blankPlan = {
  buy: 'BTCB',
  amount: '',
  runs: '10',
  period: '86400',
  slippage: String(PLAN_SLIPPAGE_BPS),
  limit: '',
  hasSpareTime: true,
};

export type PlanForm = typeof blankPlan;

/** The form with a plan's own values. Undefined if the page does not list what it trades. */
export function formOf(plan: Plan, assets: readonly Asset[]): PlanForm | undefined {
  const [pay, buy] = [listedAt(assets, plan.tokenIn), listedAt(assets, plan.tokenOut)];
  if (pay === undefined || buy === undefined || payTokenOf(assets, buy.symbol) !== pay) return undefined;
  const limit = (plan.limitPriceWad * 10n ** BigInt(buy.decimals)) / 10n ** 18n;
  return {
    buy: buy.symbol,
    amount: formatUnits(plan.amountPerRun, pay.decimals),
    runs: String(plan.maxRuns),
    period: String(plan.periodSeconds),
    slippage: String(plan.maxSlippageBps),
    limit: limit === 0n ? '' : formatUnits(limit, pay.decimals),
    hasSpareTime: plan.expiresAt - plan.startAt > plan.periodSeconds * BigInt(plan.maxRuns),
  };
}

interface Option {
  readonly value: string;
  readonly name: string;
}

/** A plan that was made elsewhere may have a value that the form does not offer. */
const withValue = (options: readonly Option[], value: string, name: string): readonly Option[] =>
  options.some((option) => option.value === value) ? options : [...options, { value, name }];

/** What a plan may buy. @param chosen a copied plan may buy what is not offered. */
export const boughtOptions = (assets: readonly Asset[], chosen: string): readonly Option[] =>
  withValue(
    buyable(assets).map(({ symbol }) => ({ value: symbol, name: symbol })),
    chosen,
    chosen,
  );

export const slippages = (chosen: string): readonly Option[] =>
  withValue(
    [
      { value: '50', name: '0.5 %' },
      { value: '100', name: '1 %' },
      { value: '200', name: '2 %' },
    ],
    chosen,
    `${exactAmount(BigInt(chosen), 2)} %`,
  );

const localChain = 31_337;

/** A period of a minute is for demonstration: on other chains the agent does not serve plans that run so often. */
export const periods = (chainId: number, chosen: string): readonly Option[] =>
  withValue(
    [
      ...(chainId === localChain ? [{ value: '60', name: planWords.minute }] : []),
      { value: '3600', name: planWords.hour },
      { value: '86400', name: planWords.day },
      { value: '604800', name: planWords.week },
    ],
    chosen,
    duration(BigInt(chosen)),
  );

/** The registry stores a run's amount in 104 bits. */
const MAX_PER_RUN = 2n ** 104n - 1n;

/** The most that a plan which is made here may have. */
const MAX_RUNS = 10_000n;

/** @param edited the plan that is edited: it keeps more runs than have happened, and may keep as many as it has. */
export function readPlanForm(form: PlanForm, assets: readonly Asset[], edited?: Pick<Plan, 'runs' | 'maxRuns'>) {
  const buy = assets.find(({ symbol }) => symbol === form.buy);
  const pay = payTokenOf(assets, form.buy);
  if (buy === undefined || pay === undefined) throw new Error(`${form.buy} cannot be bought here`);
  const amount = atMost(parseAmount(form.amount, pay.decimals), MAX_PER_RUN);
  const had = BigInt(edited?.maxRuns ?? 0);
  const runs = parseWhole(form.runs, BigInt(edited?.runs ?? 0) + 1n, largest([had, MAX_RUNS]));
  const limit = form.limit.trim() === '' ? undefined : parseAmount(form.limit, pay.decimals);
  const errors = { amount: why(amount), runs: why(runs), limit: limit && why(limit) };
  if (!amount.ok || !runs.ok || limit?.ok === false) return { draft: undefined, errors };
  const draft: PlanDraft = {
    pay,
    buy,
    amountPerRun: amount.value,
    periodSeconds: BigInt(form.period),
    maxRuns: runs.value,
    maxSlippageBps: BigInt(form.slippage),
    limitPrice: limit?.value,
    hasSpareTime: form.hasSpareTime,
  };
  return { draft, errors };
}

const why = (parsed: Parsed): string | undefined => (parsed.ok ? undefined : parsed.why);

const atMost = (parsed: Parsed, most: bigint): Parsed =>
  parsed.ok && parsed.value > most ? { ok: false, why: planWords.tooMuch } : parsed;
