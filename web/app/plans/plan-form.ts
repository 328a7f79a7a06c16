import { MAX_RUNS } from '@bowline/core/domain/bounds';
import { localChainId } from '@bowline/core/domain/chains';
import { PLAN_SLIPPAGE_BPS } from '@bowline/core/domain/defaults';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { priceOf, type Sided, tradedOf } from '@bowline/core/domain/sided';
import { formatUnits, largest } from '@bowline/core/domain/units';
import { maxUint128 } from 'viem';
import { type Asset, buyable, payTokenOf, sidedAt } from '../api/settings.ts';
import { exactAmount, type Parsed, parseAmount, parseWhole } from '../words/amounts.ts';
import { planWords } from '../words/en/plans.ts';
import { duration } from '../words/times.ts';
import { type PlanDraft, pricesOf } from './draft-plan.ts';

/** `buyAt`, `sellAt` and `stop` are orders: one run, whenever the price allows it. */
export const planKinds = ['buy', 'sell', 'buyAt', 'sellAt', 'stop'] as const;
export type PlanKind = (typeof planKinds)[number];

export const isSaleKind = (kind: PlanKind): boolean => kind !== 'buy' && kind !== 'buyAt';
export const isOrderKind = (kind: PlanKind): boolean => kind !== 'buy' && kind !== 'sell';

/** The form's values. */
export const blankPlan = {
  kind: 'buy' as PlanKind,
  asset: 'BTCB',
  amount: '',
  runs: '10',
  period: '86400',
  slippage: String(PLAN_SLIPPAGE_BPS),
  /** A limit, or for a stop loss the price that triggers it. */
  price: '',
  hasSpareTime: true,
  /** How long an order waits. */
  days: '30',
};

export type PlanForm = typeof blankPlan;

/** What pays and what is received. */
export function tokensOf(assets: readonly Asset[], { kind, asset: symbol }: Pick<PlanForm, 'kind' | 'asset'>) {
  const asset = assets.find((each) => each.symbol === symbol);
  const quote = payTokenOf(assets, symbol);
  return isSaleKind(kind) ? { pay: asset, buy: quote } : { pay: quote, buy: asset };
}

/** The form with a plan's own values. Undefined if the page does not list what it trades. */
export function formOf(plan: Plan, assets: readonly Asset[]): PlanForm | undefined {
  const sided = sidedAt({ assets }, plan);
  if (!sided || payTokenOf(assets, sided.asset.symbol) !== sided.quote) return undefined;
  const kind = kindOf(plan, sided);
  const wad = kind === 'stop' ? plan.triggerPriceWad : plan.limitPriceWad;
  return {
    kind,
    asset: sided.asset.symbol,
    amount: formatUnits(plan.amountPerRun, tradedOf(sided).pay.decimals),
    runs: String(plan.maxRuns),
    period: String(plan.periodSeconds),
    slippage: String(plan.maxSlippageBps),
    price: wad === 0n ? '' : formatUnits(priceOf(wad, sided, kind === 'stop'), sided.quote.decimals),
    hasSpareTime: plan.expiresAt - plan.startAt > plan.periodSeconds * BigInt(plan.maxRuns),
    days: String((plan.expiresAt - plan.startAt + DAY - 1n) / DAY),
  };
}

function kindOf({ maxRuns, limitPriceWad, triggerPriceWad }: Plan, { isSale }: Sided): PlanKind {
  if (maxRuns === 1 && limitPriceWad > 0n && triggerPriceWad === 0n) return isSale ? 'sellAt' : 'buyAt';
  if (maxRuns === 1 && isSale && limitPriceWad === 0n && triggerPriceWad > 0n) return 'stop';
  return isSale ? 'sell' : 'buy';
}

const DAY = 86_400n;

interface Option {
  readonly value: string;
  readonly name: string;
}

/** A plan that was made elsewhere may have a value that the form does not offer. */
const withValue = (options: readonly Option[], value: string, name: string): readonly Option[] =>
  options.some((option) => option.value === value) ? options : [...options, { value, name }];

/** What a plan may buy or sell. @param chosen a copied plan may trade what is not offered. */
export const tradedOptions = (assets: readonly Asset[], chosen: string): readonly Option[] =>
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

/** A period of a minute is for demonstration: on other chains the agent does not serve plans that run so often. */
export const periods = (chainId: number, chosen: string): readonly Option[] =>
  withValue(
    [
      ...(chainId === localChainId ? [{ value: '60', name: planWords.minute }] : []),
      { value: '3600', name: planWords.hour },
      { value: '86400', name: planWords.day },
      { value: '604800', name: planWords.week },
    ],
    chosen,
    duration(BigInt(chosen)),
  );

export const spans = (chosen: string): readonly Option[] => {
  const option = (value: string) => ({ value, name: duration(BigInt(value) * DAY) });
  return withValue(['1', '7', '30', '90'].map(option), chosen, option(chosen).name);
};

/** The registry stores a run's amount in 104 bits. */
const MAX_PER_RUN = 2n ** 104n - 1n;

/** @param edited the edited plan: it must keep more runs than have happened, and may keep as many as it has. */
export function readPlanForm(form: PlanForm, assets: readonly Asset[], edited?: Pick<Plan, 'runs' | 'maxRuns'>) {
  const { pay, buy } = tokensOf(assets, form);
  const quote = payTokenOf(assets, form.asset);
  if (pay === undefined || buy === undefined || quote === undefined)
    throw new Error(`${form.asset} is not traded here`);
  const isOrder = isOrderKind(form.kind);
  const amount = atMost(parseAmount(form.amount, pay.decimals), MAX_PER_RUN);
  const had = BigInt(edited?.maxRuns ?? 0);
  const least = BigInt(edited?.runs ?? 0) + 1n;
  const runs = isOrder
    ? ({ ok: true, value: 1n } as const)
    : parseWhole(form.runs, least, largest([had, BigInt(MAX_RUNS)]));
  const price = form.price.trim() === '' && !isOrder ? undefined : parseAmount(form.price, quote.decimals);
  const errors = { amount: why(amount), runs: why(runs), price: price && why(price) };
  if (!amount.ok || !runs.ok || price?.ok === false) return { draft: undefined, errors };
  const isStop = form.kind === 'stop';
  const draft: PlanDraft = {
    pay,
    buy,
    isSale: isSaleKind(form.kind),
    amountPerRun: amount.value,
    // For an order: how long a failed attempt or a recorded reason lasts.
    periodSeconds: isOrder && edited === undefined ? DAY : BigInt(form.period),
    maxRuns: runs.value,
    maxSlippageBps: BigInt(form.slippage),
    limitPrice: isStop ? undefined : price?.value,
    stopPrice: isStop ? price?.value : undefined,
    hasSpareTime: form.hasSpareTime,
    validSeconds: isOrder ? BigInt(form.days) * DAY : undefined,
  };
  // Zero would mean no price, and the contract stores 128 bits.
  const wad = largest(Object.values(pricesOf(draft)));
  const isKept = price === undefined || (wad > 0n && wad <= maxUint128);
  return isKept ? { draft, errors } : { draft: undefined, errors: { ...errors, price: planWords.noSuchPrice } };
}

const why = (parsed: Parsed): string | undefined => (parsed.ok ? undefined : parsed.why);

const atMost = (parsed: Parsed, most: bigint): Parsed =>
  parsed.ok && parsed.value > most ? { ok: false, why: planWords.tooMuch } : parsed;
