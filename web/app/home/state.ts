import type { Settings } from '../api/settings.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { collateralsOf, fundedDownTo, perToken } from '../chain/coverage/what-if.ts';
import { nextSlot } from '../chain/next-slot.ts';
import type { Loan } from '../chain/read-loan.ts';
import { usd } from '../words/amounts.ts';
import { timeOfDay, when } from '../words/times.ts';
import { words } from '../words/words.ts';
import { type Known, needsOf, running } from './needs.ts';

/** Which parts of it are known as they are now. */
export interface Sure {
  readonly loans: boolean;
  readonly guards: boolean;
  readonly plans: boolean;
}

const said = words.home;

/**
 * The account's state in one sentence. What is not sure is said to be unknown: "nothing needs you" stands only where
 * everything could be read.
 */
export function stateOf(known: Known, sure: Sure, settings: Settings): string {
  const needs = needsOf(known, settings);
  const isSure = sure.loans && sure.guards && sure.plans && known.covered.every(isKnown);
  const need = needs.length > 0 ? said.needed(needs.length) : isSure ? said.nothingNeeded : said.neededUnknown;
  return `${[...ofLoans(known, sure), ofPlans(known, sure), need].join(' · ')}.`;
}

const isKnown = ({ guard, coverage }: Covered): boolean =>
  guard.status !== 'active' || coverage.state !== 'unable' || coverage.why !== 'unknown';

function ofLoans({ loans, covered, now }: Known, sure: Sure): readonly string[] {
  const owed = loans.filter(({ healthWad }) => healthWad !== undefined);
  if (!sure.loans) return [said.loansUnknown];
  const [only] = owed;
  if (only === undefined) return [said.noLoan];
  const guardsOf = (loan: Loan) => covered.filter((each) => each.loan === loan && each.guard.status === 'active');
  if (!sure.guards) return [`${said.loans(owed.length)}, ${said.guardUnknown}`];
  if (owed.length > 1) {
    const able = owed.filter((loan) => guardsOf(loan).some(({ coverage }) => coverage.state === 'full'));
    return [`${said.loans(owed.length)}, ${said.guardedOf(able.length, owed.length)}`];
  }
  return [`${said.loans(1)}, ${fundsOf(only, guardsOf(only), now)}`];
}

/** How far the loan's guard is funded, by the collateral that counts most, if only its price falls. */
function fundsOf(loan: Loan, guards: readonly Covered[], now: bigint): string {
  if (guards.length === 0) return said.notGuarded;
  const able = guards.find(({ coverage }) => coverage.state !== 'unable');
  if (able === undefined) return guards.every(isKnown) ? said.notFunded : said.guardUnknown;
  const [first] = (collateralsOf(loan) ?? []).toSorted((a, b) =>
    a.part.weightedAt(a.part.priceWad) < b.part.weightedAt(b.part.priceWad) ? 1 : -1,
  );
  if (first === undefined) return said.guardUnknown;
  const funded = fundedDownTo(able.guard, loan, first, now);
  if (funded === undefined) return said.notFunded;
  const { symbol } = first.market;
  return funded === 'any'
    ? said.fundedAny(symbol)
    : said.fundedTo(symbol, usd(perToken(funded.priceWad, first.market)));
}

const DAY = 86_400n;

function ofPlans({ plans, now }: Known, sure: Sure): string {
  if (!sure.plans || plans === undefined) return said.plansUnknown;
  const active = running(plans.plans, now);
  if (active.length === 0) return said.noPlan;
  const paid = active.filter(({ tokenIn, amountPerRun }) => {
    const [held, approved] = [plans.balances[tokenIn.toLowerCase()], plans.allowances[tokenIn.toLowerCase()]];
    return held !== undefined && approved !== undefined && held >= amountPerRun && approved >= amountPerRun;
  });
  const slots = paid.flatMap((plan) => nextSlot(plan, now) ?? []).toSorted((a, b) => Number(a - b));
  const [next] = slots;
  if (next === undefined) return said.buyNotFunded;
  if (next <= now) return said.buyDue;
  return said.nextBuy(next - now < DAY ? timeOfDay(Number(next) * 1_000) : when(next));
}
