import { mayStillRun } from '@bowline/core/domain/skips';
import { type Deed, deferralsOf, inOrder, NEWEST, unlooked } from '../chain/read-deeds.ts';
import { homeWords } from '../words/en/home.ts';
import { partWords } from '../words/en/parts.ts';
import type { Known } from './known.ts';
import type { Sure } from './state.ts';

type Part = Pick<Known, 'plans' | 'covered' | 'deeds'>;

/** The newest deed of a kind. A deferral in a slot that ran after all does not count. */
export function lastOf(kind: Deed['kind'], { plans, deeds }: Pick<Known, 'plans' | 'deeds'>): Deed | undefined {
  if (kind !== 'skip') return inOrder(deeds).find((deed) => deed.kind === kind);
  const deferrals = (plans?.plans ?? []).flatMap(({ id }) => deferralsOf(deeds[`plan-${id}`]?.deeds ?? []));
  return deferrals.toSorted((a, b) => Number(b.time - a.time))[0];
}

/** Whether it is a deferral whose trade can still happen: then it is delayed, and not skipped. */
export function isDelay(deed: Deed | undefined, { plans, now }: Pick<Known, 'plans' | 'now'>): boolean {
  const plan = deed?.kind === 'skip' ? plans?.plans.find(({ id }) => id === deed.plan.id) : undefined;
  return deed?.kind === 'skip' && plan !== undefined && mayStillRun(plan, deed.slotStart, now);
}

/**
 * Text to show if no deed of a kind was found: "none yet" only if every record of every
 * permission was read.
 */
export function noneOf(kind: Deed['kind'], { plans, covered, deeds }: Part, sure: Sure): string {
  const isGuards = kind === 'rescue';
  const counts = isGuards
    ? covered.map(({ guard }) => guard.rescues)
    : (plans?.plans ?? []).map(({ records }) => records);
  const left = unlooked(deeds, isGuards ? [] : (plans?.plans ?? []), isGuards ? covered.map(({ guard }) => guard) : []);
  const isListed = isGuards ? sure.guards : sure.plans;
  if (!isListed || left.plans.length > 0 || left.guards.length > 0) return partWords.notKnown;
  return counts.every((count) => count <= NEWEST) ? homeWords.none : homeWords.noneOfNewest(NEWEST);
}

/** Which permissions' records were not looked at; undefined if all were. */
export function unlookedWords({ plans, covered, deeds }: Part): string | undefined {
  const left = unlooked(
    deeds,
    plans?.plans ?? [],
    covered.map(({ guard }) => guard),
  );
  if (left.plans.length === 0 && left.guards.length === 0) return undefined;
  return homeWords.unlooked(left.plans.length, left.guards.length);
}
