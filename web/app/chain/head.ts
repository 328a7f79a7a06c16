import { earlier, elapsed, type Moment } from '../api/age.ts';
import { OLD_AFTER_MS } from '../api/freshness.ts';

/** The newest block that the page has seen. */
export interface Seen {
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** When it was seen first. */
  readonly at: Moment;
  /** When the page last asked for a newer block and got none. */
  readonly stillAt?: Moment;
  /** Blocks that were the newest before it: nodes behind one address may report different ones. */
  readonly before?: readonly Pick<Seen, 'timestamp' | 'at'>[];
}

/**
 * What the newest block and the clocks say about the node. `old`: the block was made `lagMs` before it was first seen;
 * `isSure` if the server's clock agrees with the browser's. `clock`: chain and server agree, or the chain is ahead, so
 * the browser's clock is wrong, by `fastMs`. `moved`: a local chain whose time was moved forward by `byMs`.
 */
export type HeadAge =
  | { readonly state: 'fresh' }
  | { readonly state: 'old'; readonly lagMs: number; readonly isSure: boolean }
  | { readonly state: 'clock'; readonly fastMs: number }
  | { readonly state: 'moved'; readonly byMs: number };

/** BNB Chain makes two blocks a second, so a minute only allows for differences between clocks. */
export const CLOCKS_DIFFER_MS = 60_000;

/**
 * Of three clocks (the block's, the browser's and the server's), the two that agree are trusted, never a single one.
 * @param serverFastMs the server's clock minus the browser's; undefined if the server's time is unknown.
 * @param isLocal whether the chain's operator may move its time forward.
 */
export function ageOfHead({ timestamp, at }: Seen, serverFastMs: number | undefined, isLocal: boolean): HeadAge {
  const lagMs = at.wall - Number(timestamp) * 1_000;
  const serverLagMs = serverFastMs === undefined ? undefined : lagMs + serverFastMs;
  if (Math.abs(lagMs) < CLOCKS_DIFFER_MS) return { state: 'fresh' };
  const isServerWithChain = serverLagMs !== undefined && Math.abs(serverLagMs) < CLOCKS_DIFFER_MS;
  if (lagMs > 0) {
    if (isServerWithChain) return { state: 'clock', fastMs: lagMs };
    return { state: 'old', lagMs, isSure: serverLagMs !== undefined && serverLagMs > 0 };
  }
  // No block is made before its time, so the browser's clock is slow and only the server's can be used.
  if (serverLagMs !== undefined && serverLagMs >= CLOCKS_DIFFER_MS) {
    return { state: 'old', lagMs: serverLagMs, isSure: false };
  }
  return isLocal && !isServerWithChain ? { state: 'moved', byMs: -lagMs } : { state: 'clock', fastMs: lagMs };
}

/**
 * The moment as of which a reading of that block is valid: when the block was first seen, or when it was made if the
 * node was behind.
 */
export function asOfHead(seen: Seen, age: HeadAge): Moment {
  return age.state === 'old' ? earlier(seen.at, age.lagMs) : seen.at;
}

/** Whether the node has shown the same block for half a minute. */
export const isStill = ({ at, stillAt }: Seen): boolean =>
  stillAt !== undefined && elapsed(at, stillAt) >= OLD_AFTER_MS;

/** The newest block after a reading that reports one. @param at when the reading was requested. */
export function seenAfter(last: Seen | undefined, timestamp: bigint, at: Moment): Seen {
  if (last === undefined) return { timestamp, at };
  const all = [{ timestamp: last.timestamp, at: last.at }, ...(last.before ?? [])];
  const known = all.find((each) => each.timestamp === timestamp);
  const before = all.filter((each) => each !== known).slice(0, MAX_KNOWN);
  return { ...(known ?? { timestamp, at }), ...(known && { stillAt: at }), before };
}

/** How many earlier blocks are remembered, to recognise them when a node shows them again. */
const MAX_KNOWN = 8;

/** How much the server's clock is ahead of the browser's; undefined if it is not known. */
export function serverFastMs(
  answer: { readonly time: string; readonly asOf: Moment } | undefined,
  now: Moment,
): number | undefined {
  if (answer === undefined) return undefined;
  const { wall, steady } = answer.asOf;
  // The browser's clock was changed since, or the machine slept.
  if (Math.abs(now.wall - wall - (now.steady - steady)) >= CLOCKS_DIFFER_MS) return undefined;
  const fast = Date.parse(answer.time) - wall;
  return Number.isFinite(fast) ? fast : undefined;
}

/**
 * Corrects the `readAt` of parts read since the request to the date of their block, because a node that is stuck or
 * behind answers immediately with old data.
 */
export function datedBy<Reading extends object>(reading: Reading, asked: Moment, asOf: Moment): Reading {
  if (asOf.steady >= asked.steady && asOf.wall >= asked.wall) return reading;
  const dated = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(dated);
    if (typeof part !== 'object' || part === null) return part;
    if ('readAt' in part) return (part.readAt as Moment).steady >= asked.steady ? { ...part, readAt: asOf } : part;
    return 'data' in part && 'error' in part ? { ...part, data: dated(part.data) } : part;
  };
  const whole = dated(reading);
  if (whole !== reading) return whole as Reading;
  return Object.fromEntries(Object.entries(reading).map(([name, part]) => [name, dated(part)])) as Reading;
}
