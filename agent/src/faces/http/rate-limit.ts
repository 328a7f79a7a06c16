import type { RequestHandler } from 'express';
import { sendProblem } from './problem.ts';

interface RateLimit {
  /** Stands in the headers. */
  readonly name: string;
  readonly requests: number;
  readonly seconds: number;
}

/**
 * At most `requests` in any stretch of `seconds`, for the whole process: who asks is not looked at, since a header that says
 * so is the caller's to write. A refused request is not counted, so that asking again too early costs nothing. `nowMs` is
 * wall time in milliseconds.
 */
export function rateLimit({ name, requests, seconds }: RateLimit, nowMs: () => number): RequestHandler {
  let counted: number[] = [];
  return (_request, response, next) => {
    const now = nowMs();
    counted = counted.filter((time) => time > now - seconds * 1000);
    const allowed = counted.length < requests;
    if (allowed) counted.push(now);
    const oldest = counted[0] ?? now;
    const wait = Math.ceil((oldest + seconds * 1000 - now) / 1000);
    response.set('RateLimit-Policy', `"${name}";q=${requests};w=${seconds}`);
    response.set('RateLimit', `"${name}";r=${requests - counted.length};t=${wait}`);
    if (allowed) return next();
    response.set('Retry-After', String(wait));
    sendProblem(
      response,
      'rate_limited',
      `Only ${requests} requests per ${seconds} seconds are answered. Ask again in ${wait} s.`,
    );
  };
}
