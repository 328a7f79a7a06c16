import { fundedDownTo } from '@bowline/core/domain/funded-prices';
import { fundedRuns } from '@bowline/core/domain/funded-runs';
import { moneyLackOf } from '@bowline/core/domain/guard-lacks';
import { mayTake } from '@bowline/core/domain/guarded-loan';
import { collateralsOf, perToken } from '@bowline/core/domain/loan-prices';
import { nextSlot } from '@bowline/core/domain/slots';
import type { Settings } from '../api/settings.ts';
import { coverageWords } from '../chain/coverage/coverage-words.ts';
import { watchesChainlink } from '../chain/coverage/price-source.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { unlooked } from '../chain/read-deeds.ts';
import type { Loan } from '../chain/read-loan.ts';
import { whyUnserved } from '../chain/served.ts';
import { isNotKnown } from '../chain/serving.ts';
import type { StateTone } from '../parts/state-mark.tsx';
import { usd, usdUp } from '../words/amounts.ts';
import { sentence } from '../words/core-words.ts';
import { homeWords } from '../words/en/home.ts';
import { partWords } from '../words/en/parts.ts';
import { timeOfDay, when } from '../words/times.ts';
import type { Known } from './known.ts';
import { isGuardOf, needsOf } from './needs.ts';
import { running } from './plan-needs.ts';

/** Which parts of it are known as they are now. */
export interface Sure {
  readonly loans: boolean;
  readonly guards: boolean;
  readonly plans: boolean;
  /** Of everything that runs, the newest records. */
  readonly deeds: boolean;
}

/** Whether balance and approval are known of every token that an active plan pays with. */
export const areFundsKnown = (of: Known['plans']): boolean =>
  (of?.plans ?? []).every(({ status, tokenIn }) => {
    const token = tokenIn.toLowerCase();
    return status !== 'active' || (of?.balances[token] !== undefined && of.allowances[token] !== undefined);
  });

/** Whether the newest records of every running plan and active guard are known. */
export function areDeedsKnown({ plans, covered, deeds, now }: Known): boolean {
  const guards = covered.map(({ guard }) => guard).filter(({ status }) => status === 'active');
  const left = unlooked(deeds, running(plans?.plans ?? [], now), guards);
  return left.plans.length === 0 && left.guards.length === 0;
}

/** Whether everything that could need the owner is known. */
export const isAllKnown = (known: Known, sure: Sure): boolean =>
  sure.loans &&
  sure.guards &&
  sure.plans &&
  sure.deeds &&
  known.covered.every(isKnown) &&
  (known.buyer !== undefined || running(known.plans?.plans ?? [], known.now).length === 0);

/** Whether something needs the owner, as the sentence below says it. What is not known is never fine. */
export function toneOf(known: Known, sure: Sure, settings: Settings): StateTone {
  if (needsOf(known, settings).length > 0) return 'caution';
  return isAllKnown(known, sure) ? 'good' : 'plain';
}

/**
 * The account's state in one sentence. What is not sure is said to be unknown: "no action needed" stands only where
 * everything could be read.
 */
export function stateOf(known: Known, sure: Sure, settings: Settings): string {
  return sentence(
    [...ofLoans(known, sure, settings), ofPlans(known, sure, settings), ofNeeds(known, sure, settings)].join(' · '),
  );
}

/** What is only waited for is no act, and not nothing either. */
function ofNeeds(known: Known, sure: Sure, settings: Settings): string {
  const needs = needsOf(known, settings);
  const acts = needs.filter(({ isWait }) => !isWait);
  if (acts.length > 0) return homeWords.needed(acts.length);
  if (!isAllKnown(known, sure)) return homeWords.neededUnknown;
  return needs.length > 0 ? homeWords.waiting(needs.length) : homeWords.nothingNeeded;
}

/** Whether the only account that may rescue is at work is known to nobody here. */
const isKnown = ({ guard, coverage }: Covered): boolean => {
  if (guard.status !== 'active') return true;
  if (coverage.state === 'unable') return coverage.why !== 'unknown';
  return coverage.isForced !== undefined && coverage.onlyBy === undefined;
};

function ofLoans({ loans, covered, now }: Known, sure: Sure, settings: Settings): readonly string[] {
  const owed = loans.filter(({ healthWad }) => healthWad !== undefined);
  if (!sure.loans) return [homeWords.loansUnknown];
  const [only] = owed;
  if (only === undefined) return [homeWords.noLoan(settings.lending.map(({ name }) => name))];
  const guardsOf = (loan: Loan) => covered.filter((each) => isGuardOf(each, loan));
  if (!sure.guards) return [homeWords.and([homeWords.loans(owed.length), homeWords.guardUnknown])];
  if (owed.length > 1) {
    const able = owed.filter((loan) => guardsOf(loan).some((each) => wordsOf(each).tone === 'good'));
    return [homeWords.and([homeWords.loans(owed.length), homeWords.guardedOf(able.length, owed.length)])];
  }
  return [homeWords.and([homeWords.loans(1), fundsOf(only, guardsOf(only), now, settings)])];
}

/** A guard's state, as its own card names it. Its amounts are not said here. */
const wordsOf = ({ coverage, loan }: Covered) =>
  coverageWords(coverage, loan?.protocol.name ?? '', { amount: String, cost: String }, when);

/** What the loan's best guard could do, and how far it is funded by the collateral that counts most, if only its price moves. */
function fundsOf(loan: Loan, guards: readonly Covered[], now: bigint, settings: Settings): string {
  if (guards.length === 0) return partWords.notGuarded;
  const able = guards.filter(({ coverage }) => coverage.state !== 'unable');
  const best = able.find((each) => wordsOf(each).tone === 'good') ?? able[0];
  if (best === undefined) return guards.every(isKnown) ? whyUnable(guards, now) : homeWords.guardUnknown;
  const { badge, tone } = wordsOf(best);
  // No funds keep a loan from a liquidation that is forced, or may be, or can come now.
  const { coverage } = best;
  if (coverage.state !== 'unable' && (coverage.isForced !== false || coverage.isLiquidatable)) return badge;
  const until = funded(loan, best, now, settings);
  return until === undefined ? badge : homeWords.and([...(tone === 'good' ? [] : [badge]), until]);
}

/** What the payer's money is short of. Everything else that keeps a guard from acting has its own name. */
const UNFUNDED: readonly string[] = ['no_allowance', 'allowance_too_low', 'no_balance', 'balance_too_low'];

/** Why none of a loan's guards can act, by the first one that has not expired. */
function whyUnable(guards: readonly Covered[], now: bigint): string {
  const first = guards.find(({ guard }) => mayTake(guard, now)) ?? guards[0];
  if (first === undefined) return partWords.notGuarded;
  const { coverage } = first;
  if (coverage.state !== 'unable') return homeWords.guardUnknown;
  if (coverage.why === 'expired') return homeWords.guardExpired;
  return UNFUNDED.includes(coverage.why) ? partWords.notFunded : wordsOf(first).badge;
}

/** Undefined where its caps, and not its funds, keep a rescue from the target. */
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

const DAY = 86_400n;

function ofPlans({ plans, now, buyer }: Known, sure: Sure, settings: Settings): string {
  if (!sure.plans || plans === undefined) return homeWords.plansUnknown;
  const active = running(plans.plans, now);
  if (active.length === 0) return homeWords.noPlan;
  const served = active.filter((plan) => whyUnserved(plan, settings, buyer) === undefined);
  if (served.length === 0) return homeWords.noneServed;
  // Plans share balance and approval: what one takes first is missing for another.
  const funded = fundedRuns(plans, now);
  const paid = served.filter(({ id }) => (funded.get(id)?.runs ?? 0) > 0);
  const slots = paid.flatMap((plan) => nextSlot(plan, now) ?? []).toSorted((a, b) => Number(a - b));
  const [next] = slots;
  if (next === undefined) return homeWords.buyNotFunded;
  const buy =
    next <= now ? homeWords.buyDue : homeWords.nextBuy(next - now < DAY ? timeOfDay(Number(next) * 1_000) : when(next));
  if (typeof buyer !== 'string') return buy;
  return isNotKnown(buyer) ? homeWords.agentUnseen(buy) : homeWords.agentNot(buy);
}
