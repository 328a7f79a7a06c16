import type { Settings } from '../api/settings.ts';
import { coverageWords } from '../chain/coverage/coverage-words.ts';
import { lacksOf } from '../chain/coverage/lacks.ts';
import { watchesChainlink } from '../chain/coverage/price-source.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { nextSlot } from '../chain/next-slot.ts';
import type { Deeds } from '../chain/read-deeds.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import type { OwnedPlans, Plan } from '../chain/read-plans.ts';
import { amountOf } from '../words/amount-of.ts';
import { needWords } from '../words/en/needs.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';

/** One thing that its owner should do. */
export interface Need {
  /** The same as long as it is the same need. */
  readonly key: string;
  readonly text: string;
  readonly href: string;
  readonly action: string;
  /** Whether money is missing. */
  readonly isFunds: boolean;
}

/** What is known of an account. A part that is not known gives no need: whoever shows them says that it is not known. */
export interface Known {
  readonly loans: readonly Loan[];
  readonly covered: readonly Covered[];
  readonly plans: Pick<OwnedPlans, 'plans' | 'allowances' | 'balances'> | undefined;
  readonly deeds: Deeds;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
}

/** Skips in a row that its owner hears of. */
const STREAK = 3;
const WEEK = 7n * 86_400n;
/** Everything that needs the owner, what can cost most first. */
export const needsOf = (known: Known, settings: Settings): readonly Need[] => [
  ...known.covered.flatMap((each) => needsOfGuard(each, known.now, settings)),
  ...known.loans.flatMap((loan) => unguarded(loan, known.covered)),
  ...(known.plans ? [...unpaid(known.plans, known.now, settings), ...ending(known.plans.plans, known.now)] : []),
  ...streaks(known),
];

function needsOfGuard({ guard, loan, coverage }: Covered, now: bigint, settings: Settings): readonly Need[] {
  const { id, status, expiresAt } = guard;
  if (status !== 'active') return [];
  const need = (what: string, text: string, action: string, isFunds = false): Need => {
    return { key: `guard-${id}-${what}`, text, href: `/guard/${id}`, action, isFunds };
  };
  const amount = (base: bigint) => amountOf(settings, guard.repayToken, base);
  const lacks = lacksOf(guard, loan, now, watchesChainlink(guard, settings)).map((lack) => {
    switch (lack.what) {
      case 'allowance':
        return need(lack.what, needWords.allowance(id, amount(lack.has), amount(lack.needed)), needWords.approve, true);
      case 'balance':
        return need(lack.what, needWords.balance(id, amount(lack.has), amount(lack.needed)), needWords.look, true);
      case 'expiry':
        return need(
          lack.what,
          (now < expiresAt ? needWords.expires : needWords.expired)(id, when(expiresAt)),
          needWords.extend,
        );
      default:
        return need(lack.what, needWords.cap(id, amount(lack.has), amount(lack.needed)), needWords.raise);
    }
  });
  const { badge, more = '' } = coverageWords(coverage, loan?.protocol.name ?? '', amount, when);
  if (coverage.state !== 'unable') {
    const { isForced, nextFrom, isUnwatched, onlyBy } = coverage;
    // Of these, the badge names the worst one and the sentences say all.
    const what = isForced ? 'forced' : nextFrom === undefined ? undefined : 'rests';
    if (what) return [...lacks, need(what, needWords.unable(id, badge, more), needWords.look)];
    const isUnseen = isUnwatched && onlyBy === undefined;
    return isUnseen ? [...lacks, need('keeper', needWords.keeperUnseen(id), needWords.look)] : lacks;
  }
  // An unknown state is said once, above; a loan that owes nothing in the guard's market is unguarded, if it owes anything.
  const isSaid = lacks.length > 0 || coverage.why === 'unknown' || coverage.why === 'no_debt';
  return isSaid ? lacks : [need(coverage.why, needWords.unable(id, badge, more), needWords.look)];
}

/** Whether it is an active guard of that loan, in a market where it owes something. */
export const isGuardOf = ({ guard, coverage, loan }: Covered, of: Loan): boolean =>
  guard.status === 'active' && loan === of && !(coverage.state === 'unable' && coverage.why === 'no_debt');

/** A loan that no active guard is set for. */
function unguarded(loan: Loan, covered: readonly Covered[]): readonly Need[] {
  const { protocol, healthWad } = loan;
  if (healthWad === undefined || covered.some((each) => isGuardOf(each, loan))) return [];
  const text = needWords.unguarded(protocol.name, health(healthWad));
  return [{ key: `loan-${protocol.name}`, text, href: '/guard', action: needWords.guardIt, isFunds: false }];
}

/** Plans that have a run to come. */
export const running = (plans: readonly Plan[], now: bigint): readonly Plan[] =>
  plans.filter((plan) => plan.status === 'active' && nextSlot(plan, now) !== undefined);

/** Tokens of which the next buys of all running plans together need more than is held or approved. */
function unpaid(
  { plans, allowances, balances }: NonNullable<Known['plans']>,
  now: bigint,
  settings: Settings,
): readonly Need[] {
  const needed = new Map<string, bigint>();
  for (const { tokenIn, amountPerRun } of running(plans, now)) {
    const token = tokenIn.toLowerCase();
    needed.set(token, (needed.get(token) ?? 0n) + amountPerRun);
  }
  return [...needed].flatMap(([token, least]) => {
    const amount = (base: bigint) => amountOf(settings, token as Guard['repayToken'], base);
    const short = [
      { what: 'hold', has: balances[token], say: needWords.planTopUp, action: needWords.topUp },
      { what: 'approve', has: allowances[token], say: needWords.planApprove, action: needWords.approve },
    ];
    return short.flatMap(({ what, has, say, action }) => {
      if (has === undefined || has >= least) return [];
      const text = say(amount(has), amount(least));
      return [{ key: `plans-${what}-${token}`, text, href: '/plans', action, isFunds: true }];
    });
  });
}

/** Plans that expire within a week, before all of their runs have a slot. */
const ending = (plans: readonly Plan[], now: bigint): readonly Need[] =>
  running(plans, now).flatMap((plan) => {
    const { id, expiresAt, maxRuns, runs, periodSeconds } = plan;
    const slot = nextSlot(plan, now) ?? expiresAt;
    const slots = (expiresAt - slot + periodSeconds - 1n) / periodSeconds;
    const lost = BigInt(maxRuns - runs) - slots;
    if (lost <= 0n || expiresAt - now > WEEK) return [];
    const text = needWords.planEnds(id, when(expiresAt), lost);
    return [{ key: `plan-${id}-ends`, text, href: `/plans/${id}`, action: needWords.look, isFunds: false }];
  });

/** Running plans that have only been skipped lately. */
const streaks = ({ plans, deeds, now }: Known): readonly Need[] =>
  running(plans?.plans ?? [], now).flatMap(({ id }) => {
    const skips = streakOf(deeds, id);
    if (skips < STREAK) return [];
    const text = needWords.streak(id, skips);
    return [{ key: `plan-${id}-streak`, text, href: `/plans/${id}`, action: needWords.look, isFunds: false }];
  });

/** How many of the plan's newest records are skips in a row. */
function streakOf(deeds: Deeds, planId: bigint): number {
  const records = deeds[`plan-${planId}`]?.deeds ?? [];
  const lastRun = records.findLastIndex(({ kind }) => kind === 'run');
  return records.length - 1 - lastRun;
}
