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

/** Plans that still have a run ahead. */
export const running = (plans: readonly Plan[], now: bigint): readonly Plan[] =>
  plans.filter((plan) => isRunning(plan, now));

/** What the owner should do about plans. */
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

/** Plans that nobody runs, or whose purchases go to another recipient. */
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
    // Includes paused plans: one press makes them buy for somebody else. Whether anybody runs them does not matter.
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
 * Tokens of which the next buys of all running plans together need more than is held or approved. For the other tokens,
 * the plans that soon cannot be paid.
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

/** What the next buys of all running plans need in total, in base units by lower-case token. */
function nextBuys(plans: readonly Plan[], now: bigint): ReadonlyMap<string, bigint> {
  const needed = new Map<string, bigint>();
  for (const { tokenIn, amountPerRun } of running(plans, now)) {
    const token = tokenIn.toLowerCase();
    needed.set(token, (needed.get(token) ?? 0n) + amountPerRun);
  }
  return needed;
}

/** Plans that expire within a week, before all their remaining runs have had a slot. */
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

/** Running plans that have only been skipped lately, according to their newest records. */
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
    // Too little for the buys alone is already reported with the plans.
    const isSaid = (plans.balances[token] ?? 0n) < buys;
    if (isSaid || held === undefined || rescues === 0n || held < rescues || held >= buys + rescues) return [];
    const amount = (base: bigint) => amountOf(settings, token as Address, base);
    const text = actionWords.contended(amount(held), amount(buys), amount(rescues));
    return [{ key: `contended-${token}`, text, href: '/loans', action: actionWords.look, isFunds: true }];
  });
}
