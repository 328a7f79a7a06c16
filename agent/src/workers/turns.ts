import type { Timers } from '@bowline/core/domain/time';
import type { Turns } from '@bowline/core/domain/turns';

/** Spreads 32 bits over 32 bits: the finalizer of MurmurHash3. */
function mix(bits: number): number {
  const first = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

/** An address is a hash: its last 32 bits are as good as any. */
export const bitsOf = (address: string): number => Number.parseInt(address.slice(-8), 16);

/**
 * Rendezvous hashing (highest random weight): every worker computes the same order of workers for a permission from
 * their addresses alone. A worker that joins or leaves changes the first worker only of permissions where it is first.
 * @param permission 32 bits.
 * @returns how many of `others` come before `self`: 0 if the permission is its own.
 */
export function rankOf(permission: number, self: string, others: readonly string[]): number {
  const mixed = mix(permission);
  const weightOf = (worker: string) => mix(mixed ^ bitsOf(worker));
  const own = weightOf(self);
  return others.filter((other) => weightOf(other) > own).length;
}

interface TurnOptions<Item> {
  /** Names an occasion to act: each new occasion has its own head start. */
  readonly occasion: (item: Item) => string;
  /** How many live workers come before this one: 0 if the item is its own. */
  readonly rank: (item: Item) => number;
  /** Milliseconds before the second worker acts. */
  readonly headStartMs: (item: Item) => number;
}

/** The second worker waits for one head start, all later ones for two, however many workers Redis names. */
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
