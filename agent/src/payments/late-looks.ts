// When a payment is looked at whose validity ended more than five minutes ago and that has no outcome which nodes agree upon: ten
// times, each after twice the time, over four hours. Nodes that are down or lag for a while come back by then, and whoever sends
// copies cannot use the looks up.

/** How often payments without an outcome are looked at, besides when they are sent again. */
export const LOOK_MS = 30_000;

const MAX_LOOKS = 10;

export interface LateLooks {
  /** Of the looks that a node answered; those before `nextMs` are not counted. */
  readonly count: number;
  /** Milliseconds of the clock that was given. */
  readonly nextMs: number;
}

export function afterLook(before: LateLooks | undefined, nowMs: number): LateLooks {
  if (before !== undefined && nowMs < before.nextMs) return before;
  const count = (before?.count ?? 0) + 1;
  return { count, nextMs: nowMs + LOOK_MS * 2 ** (count - 1) };
}

/** Whether time alone will not tell any more. The file stays: its payer, a restart or the operator may find the outcome still. */
export const areOver = ({ count }: LateLooks): boolean => count >= MAX_LOOKS;

export const isDue = (looks: LateLooks | undefined, nowMs: number): boolean =>
  looks === undefined || (!areOver(looks) && nowMs >= looks.nextMs);
