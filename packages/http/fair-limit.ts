import type { Prefix } from './caller.ts';

export interface FairLimitOptions {
  /** Name in the RateLimit headers. */
  readonly name: string;
  /** Requests of one caller. */
  readonly requests: number;
  /** Requests of all callers together. */
  readonly total: number;
  readonly seconds: number;
}

export interface FairLimit extends FairLimitOptions {
  /** Counts a request of this caller if it fits. */
  take(caller: readonly Prefix[]): Turn;
}

export interface Turn {
  readonly allowed: boolean;
  readonly left: number;
  /** Seconds until a request fits if nobody else asks; 0 if it did. */
  readonly waitSeconds: number;
  /** Uncounts it. Call at most once. */
  giveBack(): void;
}

/** After this many times `seconds`, what is left of a count is too little to remember. */
const REMEMBERED = 3;
/** A fading count never reaches 0, so it is rounded. */
const HALF = 0.5;

interface Count {
  level: number;
  atMs: number;
}

/**
 * A limit that no caller can use up for the others: a caller is refused once it holds as much as is left for everybody else,
 * or its own `requests`. One flooding caller leaves at least half, two leave a third, and callers who ask little are served.
 * (Choudhury and Hahne's dynamic threshold, for places instead of packets.)
 *
 * A count fades with the time constant `seconds`: `requests` at once, then as many in each `seconds`. A refused request is
 * not counted, so memory holds no more than `total` lets in: a million addresses that are refused leave nothing behind.
 * @param nowMs monotonic time in milliseconds.
 */
export function createFairLimit(options: FairLimitOptions, nowMs: () => number): FairLimit {
  const { requests, total, seconds } = options;
  const fadeMs = seconds * 1000;
  /** Least recently changed first. */
  const counts = new Map<string, Count>();
  const all: Count = { level: 0, atMs: 0 };

  const levelOf = (count: Count | undefined, now: number): number =>
    count === undefined ? 0 : count.level * Math.exp((count.atMs - now) / fadeMs);

  function add(count: Count, by: number, now: number): void {
    count.level = Math.max(0, levelOf(count, now) + by);
    count.atMs = now;
  }

  function addTo(key: string, by: number, now: number): void {
    const count = counts.get(key) ?? { level: 0, atMs: now };
    add(count, by, now);
    counts.delete(key);
    counts.set(key, count);
  }

  function forget(now: number): void {
    for (const [key, { atMs }] of counts) {
      if (now - atMs < REMEMBERED * fadeMs) return;
      counts.delete(key);
    }
  }

  return {
    ...options,
    take(caller) {
      const now = nowMs();
      forget(now);
      const everybody = levelOf(all, now);
      const held = caller.map(({ key, weight }) => ({ level: levelOf(counts.get(key), now), weight }));
      const free = held.map(({ level, weight }) => ({
        // One more request raises the caller's own level by one, and lowers what is left by one.
        left: Math.min(weight * requests - level, (weight * (total - everybody) - level) / (1 + weight)),
        // The fraction to which the counts must fade before one more fits.
        fits: Math.min((weight * requests - HALF) / level, (weight * total - HALF) / (level + weight * everybody)),
      }));
      const allowed = free.every(({ fits }) => fits >= 1);
      const change = (by: number, at: number) => {
        add(all, by, at);
        for (const { key } of caller) addTo(key, by, at);
      };
      if (allowed) change(1, now);
      const left = Math.min(...free.map((each) => each.left));
      const fits = Math.min(1, ...free.map((each) => each.fits));
      return {
        allowed,
        left: Math.max(0, Math.round(allowed ? left - 1 : left)),
        waitSeconds: Math.max(0, Math.ceil(-seconds * Math.log(fits))),
        giveBack: () => {
          if (allowed) change(-1, nowMs());
        },
      };
    },
  };
}
