/** What a tick did, by name: `executed`, `skipped.slot_used`, `would_revert.floor_not_met`. */
export type Counts = Readonly<Record<string, number>>;

export interface Tally {
  add(name: string, count?: number): void;
  counts(): Counts;
}

export function newTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (name, count = 1) => void counts.set(name, (counts.get(name) ?? 0) + count),
    counts: () => Object.fromEntries(counts),
  };
}

// What a tick only saw. Every other name says that something was done or went wrong.
const seen = /^(plans|guards|watched|due|skipped\..*)$/;

/** Names of the counters that somebody should hear of, as one text; empty where a tick had nothing to do. */
export const eventsOf = (counts: Counts): string =>
  Object.keys(counts)
    .filter((name) => !seen.test(name))
    .toSorted()
    .join(' ');
