import { wrongsOf } from '@bowline/core/audit/irregularities';
import { guardKey } from '@bowline/core/domain/guard-key';
import type { Settings } from '../api/settings.ts';
import { amountOf } from '../words/amount-of.ts';
import { noticeWords } from '../words/en/home.ts';
import { partWords } from '../words/en/parts.ts';
import { actionItemsOf } from './action-items.ts';
import { rescueWords } from './activity-row.tsx';
import type { Known } from './known.ts';

/** A browser notification. */
export interface Told {
  /** A later notification with the same tag replaces this one. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
}

/**
 * What is new from one reading to the next: rescues, including those that broke their terms; plans that are now being
 * skipped; funds that ran short; and an agent that is no longer seen.
 */
export function newsOf(before: Known, after: Known, settings: Settings): readonly Told[] {
  const guardsBefore = new Map(before.covered.map(({ guard }) => [guardKey(guard), guard]));
  const rescued = after.covered.flatMap(({ guard }) => {
    const known = guardsBefore.get(guardKey(guard));
    if (known === undefined || guard.rescues <= known.rescues) return [];
    const recorded = after.activity[`guard-${guardKey(guard)}`];
    // Records from before this rescue would show another rescue's amount.
    const item = recorded?.count === guard.rescues ? recorded.items.at(-1) : undefined;
    const body =
      item?.kind === 'rescue'
        ? rescueWords(amountOf(settings, guard.repayToken, item.repaid), item)
        : partWords.guard(guardKey(guard));
    const since = item === undefined ? [] : (recorded?.items.slice(known.rescues - guard.rescues) ?? []);
    // The terms may have been edited in between, so a rescue is wrong only if it breaks both versions.
    const isWrong = since.some(
      (each) => each.kind === 'rescue' && [known, guard].every((terms) => wrongsOf(each, terms).length > 0),
    );
    const title = isWrong ? noticeWords.wrongRescue : noticeWords.rescue;
    return [{ tag: `guard-${guardKey(guard)}-${guard.rescues}`, title, body }];
  });
  const needed = new Set(actionItemsOf(before, settings).map(({ key }) => key));
  const items = actionItemsOf(after, settings).filter(({ key }) => !needed.has(key));
  return [
    ...rescued,
    ...items.flatMap(({ key, text, isFunds }) => {
      if (isFunds) return [{ tag: key, title: noticeWords.funds, body: text }];
      if (key.endsWith('-streak')) return [{ tag: key, title: noticeWords.streak, body: text }];
      const isLost = key === 'plans-agent' || key.endsWith('-keeper');
      return isLost ? [{ tag: key, title: noticeWords.lost, body: text }] : [];
    }),
  ];
}
