import { areFundsEnding, fundedRuns } from '@bowline/core/domain/funded-runs';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { shortAddress } from '@bowline/core/domain/readable';
import { skippedInARow } from '@bowline/core/domain/skips';
import { hasEnded, isRunning, nextSlot } from '@bowline/core/domain/slots';
import type { Settings } from '../api/settings.ts';
import { noBuyWords, otherRecipient, whyUnserved } from '../chain/served.ts';
import { amountOf } from '../words/amount-of.ts';
import { needWords } from '../words/en/needs.ts';
import { servedWords } from '../words/en/served.ts';
import { when } from '../words/times.ts';
import type { Known, Need } from './known.ts';

const WEEK = 7n * 86_400n;

/** Plans that have a run to come. */
export const running = (plans: readonly Plan[], now: bigint): readonly Plan[] =>
  plans.filter((plan) => isRunning(plan, now));

/** What its owner should do about plans. */
export const needsOfPlans = (known: Known, settings: Settings): readonly Need[] => {
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
function unserved({ plans, now, buyer }: Known, settings: Settings): readonly Need[] {
  const active = running(plans?.plans ?? [], now);
  const look = { action: needWords.look, isFunds: false };
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

const ofTerms = ({ id }: Plan, what: string, why: string): Need => {
  return {
    key: `plan-${id}-${what}`,
    text: needWords.plan(id, why),
    href: `/plans/${id}`,
    action: needWords.look,
    isFunds: false,
  };
};

/**
 * Tokens for which the next buys of all running plans together need more than is held or approved, and otherwise the plans that
 * soon cannot be paid.
 */
function unpaid(owned: NonNullable<Known['plans']>, now: bigint, settings: Settings): readonly Need[] {
  const { plans, allowances, balances } = owned;
  const active = running(plans, now);
  const funded = fundedRuns(owned, now);
  const short = [...nextBuys(plans, now)].flatMap(([token, least]) => {
    const amount = (base: bigint) => amountOf(settings, token as Plan['tokenIn'], base);
    const means = [
      { what: 'hold', has: balances[token], say: needWords.planTopUp, action: needWords.topUp },
      { what: 'approve', has: allowances[token], say: needWords.planApprove, action: needWords.approve },
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
    const text = needWords.planFew(id, own.runs);
    return [{ key: `plan-${id}-few`, text, href: `/plans/${id}`, action: needWords.look, isFunds: true }];
  });
  return [...short, ...few];
}

/** What the next buys of all running plans take together, in base units by token in lower case. */
export function nextBuys(plans: readonly Plan[], now: bigint): ReadonlyMap<string, bigint> {
  const needed = new Map<string, bigint>();
  for (const { tokenIn, amountPerRun } of running(plans, now)) {
    const token = tokenIn.toLowerCase();
    needed.set(token, (needed.get(token) ?? 0n) + amountPerRun);
  }
  return needed;
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

/** Running plans that have only been skipped lately, as far as their newest records tell. */
const streaks = ({ plans, deeds, now }: Known): readonly Need[] =>
  (plans?.plans ?? []).flatMap((plan) => {
    const { id } = plan;
    const records = (deeds[`plan-${id}`]?.deeds ?? []).filter((deed) => deed.kind !== 'rescue');
    const skips = skippedInARow(plan, records, ({ kind }) => kind === 'run', now);
    if (skips === undefined) return [];
    const text = needWords.streak(id, skips);
    return [{ key: `plan-${id}-streak`, text, href: `/plans/${id}`, action: needWords.look, isFunds: false }];
  });
