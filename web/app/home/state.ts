import { fundedDownTo } from '@bowline/core/domain/funded-prices';
import { fundedRuns } from '@bowline/core/domain/funded-runs';
import { moneyLackOf } from '@bowline/core/domain/guard-lacks';
import { mayTake } from '@bowline/core/domain/guarded-loan';
import { collateralsOf, perToken } from '@bowline/core/domain/loan-prices';
import { mayStillRun } from '@bowline/core/domain/skips';
import { nextSlot } from '@bowline/core/domain/slots';
import { smallest } from '@bowline/core/domain/units';
import type { Settings } from '../api/settings.ts';
import { coverageWords } from '../chain/coverage/coverage-words.ts';
import { watchesChainlink } from '../chain/coverage/price-source.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { type ActivityItem, deferralsOf, inOrder, NEWEST, unlooked } from '../chain/read-activity.ts';
import type { Loan } from '../chain/read-loan.ts';
import { isNotKnown, whyUnserved } from '../chain/serving.ts';
import { usd, usdUp } from '../words/amounts.ts';
import { homeWords } from '../words/en/home.ts';
import { partWords } from '../words/en/parts.ts';
import { health, healthTone } from '../words/health.ts';
import { roughly, timeOfDay, when } from '../words/times.ts';
import { actionItemsOf, isGuardOf } from './action-items.ts';
import type { Known } from './known.ts';
import { running } from './plan-action-items.ts';

/** Which parts are known and up to date. */
export interface Sure {
  readonly loans: boolean;
  readonly guards: boolean;
  readonly plans: boolean;
  /** The newest records of everything that runs. */
  readonly activity: boolean;
}

/** Whether balance and approval are known for every token that an active plan pays with. */
export const areFundsKnown = (of: Known['plans']): boolean =>
  (of?.plans ?? []).every(({ status, tokenIn }) => {
    const token = tokenIn.toLowerCase();
    return status !== 'active' || (of?.balances[token] !== undefined && of.allowances[token] !== undefined);
  });

/** Whether the newest records of every running plan and active guard are known. */
export function isActivityKnown({ plans, covered, activity, now }: Known): boolean {
  const guards = covered.map(({ guard }) => guard).filter(({ status }) => status === 'active');
  const left = unlooked(activity, running(plans?.plans ?? [], now), guards);
  return left.plans.length === 0 && left.guards.length === 0;
}

/** Whether everything that could need the owner is known. */
const isAllKnown = (known: Known, sure: Sure): boolean =>
  sure.loans &&
  sure.guards &&
  sure.plans &&
  sure.activity &&
  known.covered.every(isKnown) &&
  (known.buyer !== undefined || running(known.plans?.plans ?? [], known.now).length === 0);

/** One of the three numbers at the top of Home. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  /** What the value means here, in a few words. */
  readonly more: string;
  readonly tone: 'good' | 'caution' | 'bad' | 'plain';
  /** Link to act on it; absent if there is nothing to do. */
  readonly href?: string;
  /** Drawn as a bar. */
  readonly healthWad?: bigint;
}

/**
 * Health, next buy, and how much needs the owner. Anything uncertain is shown as unknown, never as fine.
 * @param isOwn whether the owner views it.
 */
export const figuresOf = (
  known: Known,
  sure: Sure,
  settings: Settings,
  isOwn = true,
): readonly [Figure, Figure, Figure] => [
  { name: homeWords.health, href: '/loans', ...ofLoans(known, sure, settings) },
  { name: homeWords.nextBuy, href: '/plans', ...ofPlans(known, sure, settings) },
  { name: isOwn ? homeWords.needsYou : homeWords.actionNeeded, ...ofActionItems(known, sure, settings) },
];

type Found = Omit<Figure, 'name' | 'href'>;

const nothing = (more: string, tone: Figure['tone'] = 'plain'): Found => ({ value: '—', more, tone });

/** Items that only need waiting do not count as open, but they are still mentioned. */
function ofActionItems(known: Known, sure: Sure, settings: Settings): Omit<Figure, 'name'> {
  const items = actionItemsOf(known, settings);
  const waits = items.filter(({ isWait }) => isWait).length;
  const open = items.length - waits;
  const isKnown = isAllKnown(known, sure);
  const href = items.length > 0 ? { href: '#action-items' } : {};
  if (open > 0)
    return { value: String(open), more: waits > 0 ? homeWords.waiting(waits) : '', tone: 'caution', ...href };
  if (!isKnown) return { ...nothing(homeWords.neededUnknown), ...href };
  if (waits > 0) return { value: '0', more: homeWords.waiting(waits), tone: 'caution', ...href };
  return { value: '0', more: homeWords.nothingNeeded, tone: 'good' };
}

/** False with `onlyBy`: the page cannot know whether the only account that may rescue is at work. */
const isKnown = ({ guard, coverage }: Covered): boolean => {
  if (guard.status !== 'active') return true;
  if (coverage.state === 'unable') return coverage.why !== 'unknown';
  return coverage.isForced !== undefined && coverage.onlyBy === undefined;
};

/** The lowest health of all loans. Red where a liquidation is near, or forced. */
function ofLoans({ loans, covered, now }: Known, sure: Sure, settings: Settings): Found {
  if (!sure.loans) return nothing(homeWords.loansUnknown);
  const owed = loans.filter(({ healthWad }) => healthWad !== undefined);
  const [only] = owed;
  if (only === undefined) return nothing(homeWords.noLoan(settings.lending.map(({ name }) => name)));
  const healthWad = smallest(owed.map((loan) => loan.healthWad ?? 0n));
  const isForced = owed.some(({ forcedMarkets = [] }) => forcedMarkets.length > 0);
  const guardsOf = (loan: Loan) => covered.filter((each) => isGuardOf(each, loan));
  const able = owed.filter((loan) => guardsOf(loan).some((each) => wordsOf(each).tone === 'good'));
  const more = !sure.guards
    ? homeWords.guardUnknown
    : owed.length > 1
      ? homeWords.guardedOf(able.length, owed.length)
      : fundsOf(only, guardsOf(only), now, settings);
  return { value: health(healthWad), more, tone: isForced ? 'bad' : healthTone(healthWad), healthWad };
}

/** A guard's state, as its own card words it. The amounts are not used here. */
const wordsOf = ({ coverage, loan }: Covered) =>
  coverageWords(coverage, loan?.protocol.name ?? '', { amount: String, cost: String }, when);

/** What the loan's best guard could do, and how far it is funded if only the price of the main collateral moves. */
function fundsOf(loan: Loan, guards: readonly Covered[], now: bigint, settings: Settings): string {
  if (guards.length === 0) return partWords.notGuarded;
  const able = guards.filter(({ coverage }) => coverage.state !== 'unable');
  const best = able.find((each) => wordsOf(each).tone === 'good') ?? able[0];
  if (best === undefined) return guards.every(isKnown) ? whyUnable(guards, now) : homeWords.guardUnknown;
  const { badge, tone } = wordsOf(best);
  // Funds cannot prevent a liquidation that is forced, might be forced, or can happen now.
  const { coverage } = best;
  if (coverage.state !== 'unable' && (coverage.isForced !== false || coverage.isLiquidatable)) return badge;
  const until = funded(loan, best, now, settings);
  return until === undefined ? badge : homeWords.and([...(tone === 'good' ? [] : [badge]), until]);
}

/** Reasons that mean a lack of the payer's money. Any other reason that stops a guard has its own badge. */
const UNFUNDED: readonly string[] = ['no_allowance', 'allowance_too_low', 'no_balance', 'balance_too_low'];

/** Why none of a loan's guards can act, according to the first one that has not expired. */
function whyUnable(guards: readonly Covered[], now: bigint): string {
  const first = guards.find(({ guard }) => mayTake(guard, now)) ?? guards[0];
  if (first === undefined) return partWords.notGuarded;
  const { coverage } = first;
  if (coverage.state !== 'unable') return homeWords.guardUnknown;
  if (coverage.why === 'expired') return homeWords.guardExpired;
  return UNFUNDED.includes(coverage.why) ? partWords.notFunded : wordsOf(first).badge;
}

/** How far a guard is funded; undefined where its caps, not its funds, keep a rescue from the target. */
function funded(loan: Loan, { guard }: Covered, now: bigint, settings: Settings): string | undefined {
  const [first] = (collateralsOf(loan) ?? []).toSorted((a, b) =>
    a.part.weightedAt(a.part.priceWad) < b.part.weightedAt(b.part.priceWad) ? 1 : -1,
  );
  if (first === undefined) return homeWords.fundsUnknown;
  const found = fundedDownTo(guard, loan, first, now);
  if (found === undefined) {
    return moneyLackOf(guard, loan, now, watchesChainlink(guard, settings)) && partWords.notFunded;
  }
  const { symbol } = first.market;
  if (found === 'any') return homeWords.fundedAny(symbol);
  const { priceWad, upToWad } = found;
  const from = usdUp(perToken(priceWad, first.market));
  if (upToWad === undefined) return homeWords.fundedTo(symbol, from);
  const to = usd(perToken(upToWad, first.market));
  return priceWad === 0n ? homeWords.fundedUpTo(symbol, to) : homeWords.fundedWithin(symbol, from, to);
}

const [HOUR, DAY] = [3_600n, 86_400n];

/** Time left: "4:05", or in the largest unit from one hour up. */
const countdown = (seconds: bigint): string =>
  seconds < HOUR ? `${seconds / 60n}:${String(seconds % 60n).padStart(2, '0')}` : roughly(seconds);

function ofPlans({ plans, now, buyer }: Known, sure: Sure, settings: Settings): Found {
  if (!sure.plans || plans === undefined) return nothing(homeWords.plansUnknown);
  const active = running(plans.plans, now);
  if (active.length === 0) return nothing(homeWords.noPlan);
  const served = active.filter((plan) => whyUnserved(plan, settings, buyer) === undefined);
  if (served.length === 0) return nothing(homeWords.noneServed, 'caution');
  // Plans share balance and approval: what one uses first, another lacks.
  const funded = fundedRuns(plans, now);
  const paid = served.filter(({ id }) => (funded.get(id)?.runs ?? 0) > 0);
  const slots = paid.flatMap((plan) => nextSlot(plan, now) ?? []);
  if (slots.length === 0) return nothing(homeWords.buyNotFunded, 'caution');
  const left = smallest(slots) - now;
  const at = left < DAY ? timeOfDay(Number(now + left) * 1_000) : when(now + left);
  const value = left > 0n ? countdown(left) : homeWords.now;
  const time = left > 0n ? at : homeWords.buyDue;
  if (typeof buyer !== 'string') return { value, more: time, tone: 'plain' };
  const more = isNotKnown(buyer) ? homeWords.agentUnseen(time) : homeWords.agentNot(time);
  return { value, more, tone: 'caution' };
}

type Part = Pick<Known, 'plans' | 'covered' | 'activity'>;

/** The newest record of a kind. A deferral in a slot that ran after all does not count. */
export function lastOf(
  kind: ActivityItem['kind'],
  { plans, activity }: Pick<Known, 'plans' | 'activity'>,
): ActivityItem | undefined {
  if (kind !== 'skip') return inOrder(activity).find((item) => item.kind === kind);
  const deferrals = (plans?.plans ?? []).flatMap(({ id }) => deferralsOf(activity[`plan-${id}`]?.items ?? []));
  return deferrals.toSorted((a, b) => Number(b.time - a.time))[0];
}

/** Whether it is a deferral whose trade can still happen: then it is delayed, and not skipped. */
export function isDelay(item: ActivityItem | undefined, { plans, now }: Pick<Known, 'plans' | 'now'>): boolean {
  const plan = item?.kind === 'skip' ? plans?.plans.find(({ id }) => id === item.plan.id) : undefined;
  return item?.kind === 'skip' && plan !== undefined && mayStillRun(plan, item.slotStart, now);
}

/**
 * Text to show if no record of a kind was found: "none yet" only if every record of every
 * permission was read.
 */
export function noneOf(kind: ActivityItem['kind'], { plans, covered, activity }: Part, sure: Sure): string {
  const isGuards = kind === 'rescue';
  const counts = isGuards
    ? covered.map(({ guard }) => guard.rescues)
    : (plans?.plans ?? []).map(({ records }) => records);
  const guards = covered.map(({ guard }) => guard);
  const left = unlooked(activity, isGuards ? [] : (plans?.plans ?? []), isGuards ? guards : []);
  const isListed = isGuards ? sure.guards : sure.plans;
  if (!isListed || left.plans.length > 0 || left.guards.length > 0) return partWords.notKnown;
  return counts.every((count) => count <= NEWEST) ? homeWords.none : homeWords.noneOfNewest(NEWEST);
}

/** Which permissions' records were not looked at; undefined if all were. */
export function unlookedWords({ plans, covered, activity }: Part): string | undefined {
  const left = unlooked(
    activity,
    plans?.plans ?? [],
    covered.map(({ guard }) => guard),
  );
  if (left.plans.length === 0 && left.guards.length === 0) return undefined;
  return homeWords.unlooked(left.plans.length, left.guards.length);
}
