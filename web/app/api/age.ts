import { elapsed, type Moment } from '@bowline/core/domain/time';
import { TICKET_SECONDS } from '@bowline/core/verdict/ticket';

export { elapsed, type Moment };

export const thisMoment = (): Moment => ({ wall: Date.now(), steady: performance.now() });

export const earlier = ({ wall, steady }: Moment, byMs: number): Moment => ({
  wall: wall - byMs,
  steady: steady - byMs,
});

/** Whether every ticket in an answer received at `received` must have expired by now. */
export const isPastTicket = (received: Moment, now: Moment): boolean =>
  elapsed(received, now) >= Number(TICKET_SECONDS) * 1_000;
