import { TICKET_SECONDS } from '@bowline/core/verdict/ticket';

/**
 * A moment by both clocks of the browser: the wall clock may be set back, and the steady one may stand still while the
 * machine sleeps. Milliseconds.
 */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export const thisMoment = (): Moment => ({ wall: Date.now(), steady: performance.now() });

/** Milliseconds from `then` to `now` by the clock that says more, so that nothing old passes for fresh. */
export const elapsed = (then: Moment, now: Moment): number =>
  Math.max(now.wall - then.wall, now.steady - then.steady, 0);

export const earlier = ({ wall, steady }: Moment, byMs: number): Moment => ({
  wall: wall - byMs,
  steady: steady - byMs,
});

/** Whether what was received then can be held by no ticket any more. */
export const isPastTicket = (received: Moment, now: Moment): boolean =>
  elapsed(received, now) >= Number(TICKET_SECONDS) * 1_000;
