import { TICKET_SECONDS } from '@bowline/core/verdict/ticket';

/**
 * A moment by both clocks of the browser. The wall clock may be set back, and the monotonic one may stop while the
 * machine sleeps. Milliseconds.
 */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export const thisMoment = (): Moment => ({ wall: Date.now(), steady: performance.now() });

/** Milliseconds from `then` to `now` by the clock that shows more, so that nothing old passes for fresh. */
export const elapsed = (then: Moment, now: Moment): number =>
  Math.max(now.wall - then.wall, now.steady - then.steady, 0);

export const earlier = ({ wall, steady }: Moment, byMs: number): Moment => ({
  wall: wall - byMs,
  steady: steady - byMs,
});

/** Whether any ticket in an answer received then must have expired by now. */
export const isPastTicket = (received: Moment, now: Moment): boolean =>
  elapsed(received, now) >= Number(TICKET_SECONDS) * 1_000;
