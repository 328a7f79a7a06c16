import { areFundsEnding, fundedRuns } from '@bowline/core/domain/funded-runs';
import { wantedBy } from '@bowline/core/domain/guard-shares';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { shortAddress } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import { skippedInARow } from '@bowline/core/domain/skips';
import { hasEnded, isRunning, nextSlot } from '@bowline/core/domain/slots';
import type { Address } from 'viem';
import type { Settings } from '../api/settings.ts';
import { noBuyWords, otherRecipient, whyUnserved } from '../chain/serving.ts';
import { amountOf } from '../words/amount-of.ts';
import { actionWords } from '../words/en/action-items.ts';
import { servedWords } from '../words/en/served.ts';
import { when } from '../words/times.ts';
import type { ActionItem, Known } from './known.ts';

const WEEK = 7n * 86_400n;

/** Plans that have a run to come. */
export const running = (plans: readonly Plan[], now: bigint): readonly Plan[] =>
  plans.filter((plan) => isRunning(plan, now));

/** What its owner should do about plans. */
export const planActionItems = (known: Known, settings: Settings): readonly ActionItem[] => {
  const { plans, now } = known;
  if (plans === undefined) return [];
  return [
    ...unserved(known, settings),
    ...unpaid(plans, now, settings),
    ...ending(plans.plans, now),
    ...streaks(known),
  ];
};

/** Plans that nobody runs, or whose purchases go elsewhere. */
function unserved({ plans, now, buyer }: Known, settings: Settings): readonly ActionItem[] {
  const active = running(plans?.plans ?? [], now);
  const look = { action: actionWords.look, isFunds: false };
  const isWaiting = active.some((plan) => whyUnserved(plan, settings, buyer) === undefined);
  const absent = typeof buyer === 'string' && isWaiting ? noBuyWords(buyer) : undefined;
  return [
    ...(absent ? [{ key: 'plans-agent', text: absent, href: '/plans', ...look }] : []),
    ...active.flatMap((plan) => {
      const why = whyUnserved(plan, settings, buyer);
      return why ? [ofTerms(plan, 'unserved', servedWords.unserved[why])] : [];
    }),
    // A paused plan is one press away from buying for somebody else. That nobody runs it does not matter.
    ...(plans?.plans ?? []).flatMap((plan) => {
      const recipient = hasEnded(plan, now) ? undefined : otherRecipient(plan);
      return recipient ? [ofTerms(plan, 'recipient', servedWords.recipient(shortAddress(recipient)))] : [];
    }),
  ];
}

const ofTerms = ({ id }: Plan, what: string, why: string): ActionItem => {
  return {
    key: `plan-${id}-${what}`,
    text: actionWords.plan(id, why),
    href: `/plans/${id}`,
    action: actionWords.look,
    isFunds: false,
  };
};

/**
 * Tokens for which the next buys of all running plans together need more than is held or approved, and otherwise the plans that
 * soon cannot be paid.
 */
function unpaid(owned: NonNullable<Known['plans']>, now: bigint, settings: Settings): readonly ActionItem[] {
  const { plans, allowances, balances } = owned;
  const active = running(plans, now);
  const funded = fundedRuns(owned, now);
  const short = [...nextBuys(plans, now)].flatMap(([token, least]) => {
    const amount = (base: bigint) => amountOf(settings, token as Plan['tokenIn'], base);
    const means = [
      { what: 'hold', has: balances[token], say: actionWords.planTopUp, action: actionWords.topUp },
      { what: 'approve', has: allowances[token], say: actionWords.planApprove, action: actionWords.approve },
    ];
    return means.flatMap(({ what, has, say, action }) => {
      if (has === undefined || has >= least) return [];
      const text = say(amount(has), amount(least));
      return [{ key: `plans-${what}-${token}`, text, href: '/plans', action, isFunds: true }];
    });
  });
  const few = active.flatMap(({ id, tokenIn }) => {
    const own = funded.get(id);
    const isTold = short.some(({ key }) => key.endsWith(tokenIn.toLowerCase()));
    if (isTold || own === undefined || !areFundsEnding(own)) return [];
    const text = actionWords.planFew(id, own.runs);
    return [{ key: `plan-${id}-few`, text, href: `/plans/${id}`, action: actionWords.look, isFunds: true }];
  });
  return [...short, ...few];
}

/** What the next buys of all running plans take together, in base units by token in lower case. */
function nextBuys(plans: readonly Plan[], now: bigint): ReadonlyMap<string, bigint> {
  const needed = new Map<string, bigint>();
  for (const { tokenIn, amountPerRun } of running(plans, now)) {
    const token = tokenIn.toLowerCase();
    needed.set(token, (needed.get(token) ?? 0n) + amountPerRun);
  }
  return needed;
}

/** Plans that expire within a week, before all of their runs have a slot. */
const ending = (plans: readonly Plan[], now: bigint): readonly ActionItem[] =>
  running(plans, now).flatMap((plan) => {
    const { id, expiresAt, maxRuns, runs, periodSeconds } = plan;
    const slot = nextSlot(plan, now) ?? expiresAt;
    const slots = (expiresAt - slot + periodSeconds - 1n) / periodSeconds;
    const lost = BigInt(maxRuns - runs) - slots;
    if (lost <= 0n || expiresAt - now > WEEK) return [];
    const text = actionWords.planEnds(id, when(expiresAt), lost);
    return [{ key: `plan-${id}-ends`, text, href: `/plans/${id}`, action: actionWords.look, isFunds: false }];
  });

/** Running plans that have only been skipped lately, as far as their newest records tell. */
const streaks = ({ plans, activity, now }: Known): readonly ActionItem[] =>
  (plans?.plans ?? []).flatMap((plan) => {
    const { id } = plan;
    const records = (activity[`plan-${id}`]?.items ?? []).filter((item) => item.kind !== 'rescue');
    const skips = skippedInARow(plan, records, ({ kind }) => kind === 'run', now);
    if (skips === undefined) return [];
    const text = actionWords.streak(id, skips);
    return [{ key: `plan-${id}-streak`, text, href: `/plans/${id}`, action: actionWords.look, isFunds: false }];
  });

/** Tokens that cover the account's next buys or its guards' rescues, but not both. */
export function contended({ plans, covered, now }: Known, settings: Settings): readonly ActionItem[] {
  if (plans === undefined) return [];
  return [...nextBuys(plans.plans, now)].flatMap(([token, buys]) => {
    const guards = covered.filter((each) => !each.isPaidByOther && sameAddress(each.guard.repayToken, token));
    const rescues = guards.reduce((sum, each) => sum + wantedBy(each, now), 0n);
    const held = guards.find(({ guard }) => guard.means)?.guard.means?.balance;
    // Too little for the buys alone is said with the plans.
    const isSaid = (plans.balances[token] ?? 0n) < buys;
    if (isSaid || held === undefined || rescues === 0n || held < rescues || held >= buys + rescues) return [];
    const amount = (base: bigint) => amountOf(settings, token as Address, base);
    const text = actionWords.contended(amount(held), amount(buys), amount(rescues));
    return [{ key: `contended-${token}`, text, href: '/loans', action: actionWords.look, isFunds: true }];
  });
}
