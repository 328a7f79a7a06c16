import type { Entry } from './screen.ts';

const againAfterMs = 60_000;

/**
 * Shows the same trouble at most once a minute: trouble in every block would bury everything else. Lines that differ
 * only in numbers count as the same. `nowMs` is wall time.
 */
export function withoutRepeats(show: (entry: Entry) => void, nowMs: () => number = Date.now): (entry: Entry) => void {
  const told = new Map<string, { readonly at: number; more: number }>();
  return (entry) => {
    if (entry.isTrouble !== true) return show(entry);
    const key = entry.title.replaceAll(/\d+/g, '0');
    const last = told.get(key);
    const now = nowMs();
    if (last !== undefined && now - last.at < againAfterMs) {
      last.more += 1;
      return;
    }
    told.set(key, { at: now, more: 0 });
    show(
      last === undefined || last.more === 0
        ? entry
        : { ...entry, title: `${entry.title} (and ${last.more} more like it)` },
    );
  };
}
