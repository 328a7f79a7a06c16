import { type Asset, payTokenOf } from '../api/settings.ts';
import { type Parsed, parseAmount, parseWhole } from '../words/amounts.ts';
import type { PlanDraft } from './draft-plan.ts';

/** The form's values. */
export const blankPlan = {
  buy: 'BTCB',
  amount: '',
  runs: '10',
  period: '86400',
  slippage: '100',
  limit: '',
  hasSpareTime: true,
};

export const slippages = [
  { value: '50', name: '0.5 %' },
  { value: '100', name: '1 %' },
  { value: '200', name: '2 %' },
];

const localChain = 31_337;

/** A period of a minute is for demonstration: on other chains the agent does not serve plans that run so often. */
export const periods = (chainId: number) => [
  ...(chainId === localChain ? [{ value: '60', name: 'Minute' }] : []),
  { value: '3600', name: 'Hour' },
  { value: '86400', name: 'Day' },
  { value: '604800', name: 'Week' },
];

/** The registry stores a run's amount in 104 bits. */
const MAX_PER_RUN = 2n ** 104n - 1n;

export function readPlanForm(form: typeof blankPlan, assets: readonly Asset[]) {
  const buy = assets.find(({ symbol }) => symbol === form.buy);
  const pay = payTokenOf(assets, form.buy);
  if (buy === undefined || pay === undefined) throw new Error(`${form.buy} cannot be bought here`);
  const amount = atMost(parseAmount(form.amount, pay.decimals), MAX_PER_RUN);
  const runs = parseWhole(form.runs, 1n, 10_000n);
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
  parsed.ok && parsed.value > most ? { ok: false, why: 'That is more than a plan can take.' } : parsed;
