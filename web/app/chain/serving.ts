import type { Guard, BarePlan as Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type GuardLeftOut, type PlanLeftOut, whyGuardLeftOut, whyPlanLeftOut } from '@bowline/core/domain/served';
import { worthUsdWadDown } from '@bowline/core/domain/units';
import { LOOP_MARGIN_SECONDS, type Serving, serving } from '@bowline/core/serving';
import { parseUnits } from 'viem';
import type { QuoteAnswer } from '../../wire.ts';
import type { Moment } from '../api/age.ts';
import { type Dated, isAnswerOld } from '../api/freshness.ts';
import { assetAt, pooled, type Settings } from '../api/settings.ts';
import { servedWords } from '../words/en/served.ts';

// Whether the agent says that it serves the contracts that the page shows. Its statement can only remove claims from
// the page, never add one.

/** Why a part of the agent does not count as serving. With the first four, it may still be serving. */
export type NotServing =
  /** No report within the last half minute that it works. */
  | 'unseen'
  /** It says that it works, but not for which contracts. */
  | 'unstated'
  | 'unreadable'
  /** Its time differs from the chain's. */
  | 'old'
  | 'other_chain'
  | 'other_contracts'
  | 'off'
  | 'stopped'
  | 'late'
  | 'not_ready';

const unknown: readonly string[] = ['unseen', 'unstated', 'unreadable', 'old'] satisfies NotServing[];

/** Whether it is merely unknown if it serves; otherwise it says itself that it does not. */
export const isNotKnown = (why: string): boolean => unknown.includes(why);

type PlansServed = NonNullable<Serving['plans']>;
type GuardsServed = NonNullable<Serving['guards']>;

/** Who makes buys; undefined while the first request is pending. */
export type Buyer = NotServing | Buys | undefined;
export interface Buys
  extends Pick<PlansServed, 'tokens' | 'verdictSigners' | 'owner' | 'minPeriodSeconds' | 'minRunUsdWad'> {
  /** Dollars per whole token, 18 decimals, by lower-case address; absent where no price is known. */
  readonly usdWad: Readonly<Record<string, bigint>>;
}
export type Watcher = NotServing | Rescues;
interface Rescues extends Omit<GuardsServed, 'reason' | 'everySeconds' | 'lastRoundAt'> {
  /** Whether it also rescues by CollateralGuard's guards. */
  readonly servesSales?: boolean;
}

/** The chain's time as the page knows it, unix seconds. */
export interface ChainTime {
  /** The time of the newest block that it has seen. */
  readonly newest: bigint;
  /** The same, plus the time since. */
  readonly now: bigint;
}

/** How much older or newer a statement's block may be: the agent's own reading, and two answers in transit. */
const MAX_APART_SECONDS = 60n;

type Answer = Dated<Pick<QuoteAnswer, 'time' | 'sent_at' | 'rescues' | 'buys' | 'serves' | 'assets'>>;

/** @param time undefined if not known yet. */
export function buyerOf(
  answer: Answer | undefined,
  isError: boolean,
  settings: Settings,
  time: ChainTime | undefined,
  moment: Moment,
): Buyer {
  if (answer === undefined) return isError ? 'unseen' : undefined;
  if (time === undefined) return undefined;
  const part = partOf('plans', answer, settings, time, moment);
  if (typeof part === 'string') return part;
  const prices = answer.assets.flatMap(({ symbol, price_usd: price }) => {
    const address = settings.assets.find((asset) => asset.symbol === symbol)?.address;
    return address === undefined || price === null ? [] : [[address.toLowerCase(), parseUnits(price, 18)] as const];
  });
  return { ...part, usdWad: Object.fromEntries(prices) };
}

/** @param time undefined if not known yet. */
export function watcherOf(
  answer: Answer | undefined,
  settings: Settings,
  time: ChainTime | undefined,
  moment: Moment,
): Watcher {
  if (answer === undefined || time === undefined) return 'unseen';
  const part = partOf('guards', answer, settings, time, moment);
  if (typeof part === 'string') return part;
  const { collateralGuard } = settings.contracts;
  const stated = serving.safeParse(answer.serves).data?.collateralGuard;
  return { ...part, servesSales: collateralGuard !== undefined && sameAddress(collateralGuard, stated) };
}

function partOf<Part extends 'plans' | 'guards'>(
  name: Part,
  answer: Answer,
  settings: Settings,
  time: ChainTime,
  moment: Moment,
): NotServing | NonNullable<Serving[Part]> {
  const { rescues, buys, serves } = answer;
  if (isAnswerOld(answer, moment) || (rescues == null && buys == null)) return 'unseen';
  if (serves == null) return 'unstated';
  const { data } = serving.safeParse(serves);
  if (data === undefined) return 'unreadable';
  const part = data[name];
  const why = whyNotHere(data, settings, time) ?? (part === null ? 'off' : whyIdle(part, BigInt(data.at)));
  if (why !== undefined || part === null) return why ?? 'off';
  // Readiness and work are reported separately; both must be fine.
  return (name === 'plans' ? buys : rescues)?.ok === true ? part : 'unseen';
}

function whyNotHere(
  stated: Serving,
  { chainId, contracts }: Settings,
  { newest, now }: ChainTime,
): NotServing | undefined {
  if (stated.chainId !== chainId) return 'other_chain';
  const names = ['planRegistry', 'swapExecutor', 'loanGuard'] as const;
  if (!names.every((name) => sameAddress(stated[name], contracts[name]))) return 'other_contracts';
  if (stated.block === null) return 'old';
  const timestamp = BigInt(stated.block.timestamp);
  const isOfNow = timestamp >= newest - MAX_APART_SECONDS && timestamp <= now + MAX_APART_SECONDS;
  return isOfNow ? undefined : 'old';
}

/** @param at when it was stated, by the same clock that dates its rounds. */
function whyIdle(
  { reason, everySeconds, lastRoundAt }: Pick<PlansServed, 'reason' | 'everySeconds' | 'lastRoundAt'>,
  at: bigint,
): NotServing | undefined {
  if (reason === 'stop_file') return 'stopped';
  if (reason === 'loop_late') return 'late';
  if (reason !== null) return 'not_ready';
  if (lastRoundAt === null) return 'late';
  const ago = at - BigInt(lastRoundAt);
  return ago < 0n || ago > BigInt(everySeconds + LOOP_MARGIN_SECONDS) ? 'late' : undefined;
}

/** Why the agent never rescues by a guard, whatever happens to its loan; undefined if it may. */
export type Unwatched = NotServing | GuardLeftOut;

/** @param repayUsdWad what a rescue would repay, in dollars; undefined if not known. */
export function whyUnwatched(
  guard: Parameters<typeof whyGuardLeftOut>[0] & Pick<Guard, 'sale'>,
  watcher: Watcher,
  repayUsdWad: bigint | undefined,
): Unwatched | undefined {
  if (typeof watcher === 'string') return watcher;
  if (guard.sale !== undefined && watcher.servesSales !== true) return 'other_contracts';
  const { tokens, owner, maxTriggerHealthWad, minRepayUsdWad } = watcher;
  const served = {
    ...{ tokens, owner: owner ?? undefined },
    ...{ maxTriggerHealthWad: BigInt(maxTriggerHealthWad), minimumRepayUsdWad: BigInt(minRepayUsdWad) },
  };
  return whyGuardLeftOut(guard, served, repayUsdWad);
}

type Terms = Parameters<typeof whyPlanLeftOut>[0] & Pick<Plan, 'amountPerRun'>;

/**
 * Why this page's agent never runs a plan, at any price. Based on the plan's on-chain terms, what the build pins, and
 * the operator's settings as the agent reports them. Undefined if the agent may run it.
 */
export function whyUnserved(plan: Terms, settings: Settings, buyer: Buyer): PlanLeftOut | undefined {
  const said = typeof buyer === 'object' ? buyer : undefined;
  const price = said?.usdWad[plan.tokenIn.toLowerCase()];
  const worth = worthUsdWadDown(plan.amountPerRun, price, assetAt(settings, plan.tokenIn)?.decimals ?? 18);
  return whyPlanLeftOut(plan, servedBy(settings, said), pooled(settings), worth);
}

/** The agent's statement can only narrow what the build pins, never extend it. */
function servedBy({ assets, contracts, verdictSigners }: Settings, said: Buys | undefined) {
  const signs = (signer: string) => said === undefined || said.verdictSigners.some((each) => sameAddress(each, signer));
  return {
    executor: contracts.swapExecutor,
    tokens: said?.tokens ?? assets.map(({ address }) => address),
    verdictSigners: verdictSigners.filter(signs),
    priceSources: [contracts.priceSource, contracts.venusPriceSource],
    minimumPeriodSeconds: BigInt(said?.minPeriodSeconds ?? 0),
    minimumRunUsdWad: BigInt(said?.minRunUsdWad ?? 0),
  };
}

/** The recipient of the bought tokens, if not the plan's owner. */
export const otherRecipient = ({ owner, recipient }: Pick<Plan, 'owner' | 'recipient'>) =>
  sameAddress(recipient, owner) ? undefined : recipient;

/** Why no buy may happen, for an agent that does not count as serving plans. */
export const noBuyWords = (why: NotServing): string =>
  why === 'unseen' ? servedWords.unseen : servedWords.noBuy(servedWords.why[why]);
