import type { Timers } from '@bowline/core/domain/time';
import type { Turns } from '@bowline/core/domain/turns';

interface TurnOptions<Item> {
  /** Names an occasion to act: another one gives the others another head start. */
  readonly occasion: (item: Item) => string;
  /** How many live workers come before this one: 0 if the item is its own. */
  readonly rank: (item: Item) => number;
  /** Milliseconds before the second worker acts. */
  readonly headStartMs: (item: Item) => number;
}

/** The second worker waits for one head start, and all others for two, however many workers Redis names. */
const maxHeadStarts = 2;

export function createTurns<Item>(
  { occasion, rank, headStartMs }: TurnOptions<Item>,
  { now }: Pick<Timers, 'now'>,
): Turns<Item> {
  let since = new Map<string, number>();
  return {
    split(items) {
      const before = since;
      since = new Map(items.map((item) => [occasion(item), before.get(occasion(item)) ?? now()]));
      const ours: (typeof items)[number][] = [];
      let nextMs: number | undefined;
      for (const item of items) {
        const waited = now() - (since.get(occasion(item)) ?? now());
        const left = Math.min(rank(item), maxHeadStarts) * headStartMs(item) - waited;
        if (left <= 0) ours.push(item);
        else nextMs = Math.min(left, nextMs ?? left);
      }
      return { ours, left: items.length - ours.length, ...(nextMs !== undefined && { nextMs }) };
    },
    restart: (item) => void since.set(occasion(item), now()),
  };
}
