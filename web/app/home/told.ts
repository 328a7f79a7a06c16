import { guardKey } from '@bowline/core/domain/guard-key';
import type { Settings } from '../api/settings.ts';
import { amountOf } from '../words/amount-of.ts';
import { noticeWords } from '../words/en/home.ts';
import { partWords } from '../words/en/parts.ts';
import { rescueWords } from './deed-row.tsx';
import type { Known } from './known.ts';
import { needsOf } from './needs.ts';

/** What the browser tells its owner. */
export interface Told {
  /** A later one with the same tag takes its place. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
}

/** What is new from one reading to the next: rescues, plans that began to be skipped, funds that ran short. */
export function newsOf(before: Known, after: Known, settings: Settings): readonly Told[] {
  const rescuesBefore = new Map(before.covered.map(({ guard }) => [guardKey(guard), guard.rescues]));
  const rescued = after.covered.flatMap(({ guard }) => {
    const known = rescuesBefore.get(guardKey(guard));
    if (known === undefined || guard.rescues <= known) return [];
    const recorded = after.deeds[`guard-${guardKey(guard)}`];
    // Records from before this rescue would tell another one's amount.
    const deed = recorded?.count === guard.rescues ? recorded.deeds.at(-1) : undefined;
    const body =
      deed?.kind === 'rescue'
        ? rescueWords(amountOf(settings, guard.repayToken, deed.repaid), deed)
        : partWords.guard(guardKey(guard));
    return [{ tag: `guard-${guardKey(guard)}-${guard.rescues}`, title: noticeWords.rescue, body }];
  });
  const needed = new Set(needsOf(before, settings).map(({ key }) => key));
  const needs = needsOf(after, settings).filter(({ key }) => !needed.has(key));
  return [
    ...rescued,
    ...needs.flatMap(({ key, text, isFunds }) => {
      if (isFunds) return [{ tag: key, title: noticeWords.funds, body: text }];
      return key.endsWith('-streak') ? [{ tag: key, title: noticeWords.streak, body: text }] : [];
    }),
  ];
}
