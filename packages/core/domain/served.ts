// Which plans an agent runs and by which guards it rescues, independent of prices and loans. Its loops use this with
// the operator's settings, and the page with what the agent states about them.

import type { Asset } from './assets.ts';
import { isTermBelowFee } from './deferrals.ts';
import type { BarePlan, Guard } from './permissions.ts';
import { pairingOf, poolFeeOf } from './route.ts';
import { sameAddress } from './same-address.ts';
import { type Address, isWorthIt } from './units.ts';

/** Zero address: no price source or no verdict signer. */
const nobody = '0x0000000000000000000000000000000000000000';

/** The plans that an agent runs. */
export interface PlansServed {
  readonly executor: Address;
  /** Tokens that may be paid and bought. */
  readonly tokens: readonly Address[];
  /** The addresses whose verdicts it can sign. */
  readonly verdictSigners: readonly Address[];
  /** Only known sources: a foreign one could pass every simulation and still burn the keeper's gas on chain. */
  readonly priceSources: readonly Address[];
  readonly minimumPeriodSeconds: bigint;
  /** The only owner whose plans are served; absent: everybody's. */
  readonly owner?: Address | undefined;
}

/** The operator's settings for them, with tokens by their symbols. */
interface PlansSet {
  readonly executor: Address;
  readonly assets: readonly Pick<Asset, 'symbol' | 'address'>[];
  readonly policy: Pick<PlansServed, 'minimumPeriodSeconds' | 'owner'> & { readonly tokens: readonly string[] };
  readonly priceSources: readonly Address[];
  /** Absent: none. */
  readonly verdictSigners?: readonly Address[];
}

export const plansServedBy = ({
  executor,
  assets,
  policy,
  priceSources,
  verdictSigners = [],
}: PlansSet): PlansServed => {
  const tokens = assets.filter(({ symbol }) => policy.tokens.includes(symbol)).map(({ address }) => address);
  const { minimumPeriodSeconds, owner } = policy;
  return { executor, tokens, priceSources, verdictSigners, minimumPeriodSeconds, owner };
};

const planNotServed = [
  ...(['not_ours', 'not_served_owner', 'not_served_token', 'not_served_route'] as const),
  ...(['not_served_signer', 'not_served_price_source', 'not_served_period'] as const),
] as const;
export type PlanNotServed = (typeof planNotServed)[number];

export type PlanTerms = Pick<
  BarePlan,
  'owner' | 'executor' | 'verdictSigner' | 'priceSource' | 'tokenIn' | 'tokenOut' | 'periodSeconds'
>;

/** Why the agent never runs a plan; undefined if it may. @param assets with the pools in which they are traded. */
export function whyPlanNotServed(
  { owner, executor, verdictSigner, priceSource, tokenIn, tokenOut, periodSeconds }: PlanTerms,
  served: PlansServed,
  assets: readonly Pick<Asset, 'symbol' | 'address' | 'pool'>[],
): PlanNotServed | undefined {
  if (!sameAddress(executor, served.executor)) return 'not_ours';
  if (served.owner !== undefined && !sameAddress(owner, served.owner)) return 'not_served_owner';
  if (!isAmong(served.tokens, tokenIn) || !isAmong(served.tokens, tokenOut)) return 'not_served_token';
  if (pairingOf(assets, tokenIn, tokenOut) === undefined) return 'not_served_route';
  if (!isAmong([nobody, ...served.verdictSigners], verdictSigner)) return 'not_served_signer';
  if (!isAmong([nobody, ...served.priceSources], priceSource)) return 'not_served_price_source';
  return periodSeconds < served.minimumPeriodSeconds ? 'not_served_period' : undefined;
}

/** Why an agent leaves a plan out. `term_below_fee`: at no fair price would it run. */
export const planLeftOut = [...planNotServed, 'term_below_fee', 'not_served_run_value'] as const;
export type PlanLeftOut = (typeof planLeftOut)[number];

/**
 * The same, or why no run of the plan is worth its gas: it never runs at a fair price, or a run is too small.
 * @param runUsdWad what a run is worth; undefined if not known.
 */
export function whyPlanLeftOut(
  plan: PlanTerms & Parameters<typeof isTermBelowFee>[0],
  served: PlansServed & { readonly minimumRunUsdWad: bigint },
  assets: Parameters<typeof whyPlanNotServed>[2],
  runUsdWad: bigint | undefined,
): PlanLeftOut | undefined {
  const why = whyPlanNotServed(plan, served, assets);
  if (why !== undefined) return why;
  if (isTermBelowFee(plan, poolFeeOf(assets, plan.tokenIn, plan.tokenOut))) return 'term_below_fee';
  return isWorthIt(runUsdWad, served.minimumRunUsdWad) ? undefined : 'not_served_run_value';
}

/** The guards by which an agent rescues. */
export interface GuardsServed {
  /** Tokens in which it repays. */
  readonly tokens: readonly Address[];
  /** A loan above this health is in no danger, whatever trigger its borrower chose. */
  readonly maxTriggerHealthWad: bigint;
  /** The only owner whose loans are served; absent: everybody's. */
  readonly owner?: Address | undefined;
}

export type GuardNotServed = 'not_served_owner' | 'not_served_token' | 'not_served_trigger';

/** Why the agent never rescues by a guard; undefined if it may. */
export function whyGuardNotServed(
  guard: Pick<Guard, 'borrower' | 'repayToken' | 'triggerHealthWad'>,
  { tokens, maxTriggerHealthWad, owner }: GuardsServed,
): GuardNotServed | undefined {
  if (owner !== undefined && !sameAddress(guard.borrower, owner)) return 'not_served_owner';
  if (!isAmong(tokens, guard.repayToken)) return 'not_served_token';
  return guard.triggerHealthWad > maxTriggerHealthWad ? 'not_served_trigger' : undefined;
}

/** How many plans and guards an agent leaves out, by reason. */
export type LeftOutCounts = Readonly<Record<'plan' | 'guard', Readonly<Record<string, number>>>>;

export type GuardLeftOut = GuardNotServed | 'not_served_repay';

/** Why a rescue of this size is not made; undefined if it is. @param repayUsdWad undefined without a price. */
export const whyNotProfitable = (
  repayUsdWad: bigint | undefined,
  { minimumRepayUsdWad }: { readonly minimumRepayUsdWad: bigint },
): 'not_served_repay' | undefined => (isWorthIt(repayUsdWad, minimumRepayUsdWad) ? undefined : 'not_served_repay');

/** Why it is left out: never served, or a rescue repays too little. @param repayUsdWad of one rescue, if known. */
export const whyGuardLeftOut = (
  guard: Parameters<typeof whyGuardNotServed>[0],
  served: GuardsServed & { readonly minimumRepayUsdWad: bigint },
  repayUsdWad: bigint | undefined,
): GuardLeftOut | undefined => whyGuardNotServed(guard, served) ?? whyNotProfitable(repayUsdWad, served);

const isAmong = (all: readonly Address[], one: Address): boolean => all.some((each) => sameAddress(one, each));
