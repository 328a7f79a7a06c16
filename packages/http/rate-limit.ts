import { failure, type Result } from '@bowline/core/domain/result';
import type { RequestHandler, Response } from 'express';
import { sendProblem } from './problem.ts';

interface LimitOptions {
  /** Stands in the headers. */
  readonly name: string;
  readonly requests: number;
  readonly seconds: number;
}

export interface Limit extends LimitOptions {
  /** Counts a request, if there is room for it. */
  take(): Place;
}

export interface Place {
  readonly allowed: boolean;
  readonly left: number;
  /** Until there is room for one more than now. */
  readonly waitSeconds: number;
  /** Uncounts it. To be called once at most. */
  giveBack(): void;
  /** Whether it still counts, unless it was given back. */
  isCounted(): boolean;
}

/**
 * At most `requests` in any stretch of `seconds`, for the whole process: who asks is not looked at, since a header that says
 * so is the caller's to write. A refused request is not counted, so that asking again too early costs nothing. `nowMs` is
 * wall time in milliseconds.
 */
export function createLimit(options: LimitOptions, nowMs: () => number): Limit {
  const { requests, seconds } = options;
  let counted: number[] = [];
  return {
    ...options,
    take() {
      const now = nowMs();
      counted = counted.filter((time) => time > now - seconds * 1000);
      const allowed = counted.length < requests;
      if (allowed) counted.push(now);
      const oldest = counted[0] ?? now;
      const waitSeconds = Math.ceil((oldest + seconds * 1000 - now) / 1000);
      const giveBack = () => {
        const at = counted.indexOf(now);
        if (allowed && at >= 0) counted.splice(at, 1);
      };
      const isCounted = () => allowed && now > nowMs() - seconds * 1000;
      return { allowed, left: requests - counted.length, waitSeconds, giveBack, isCounted };
    },
  };
}

const refusal = ({ requests, seconds }: LimitOptions, waitSeconds: number): string =>
  `Only ${requests} requests per ${seconds} seconds are answered. Ask again in ${waitSeconds} s.`;

/** Holds HTTP requests to a limit. */
export function limited(limit: Limit): RequestHandler {
  return (_request, response, next) => {
    if (admits(limit, limit.take(), response)) next();
  };
}

/** Sets the RateLimit headers. False: there is no room, and 429 has been answered. */
export function admits(limit: LimitOptions, { allowed, left, waitSeconds }: Place, response: Response): boolean {
  const { name, requests, seconds } = limit;
  response.set('RateLimit-Policy', `"${name}";q=${requests};w=${seconds}`);
  response.set('RateLimit', `"${name}";r=${left};t=${waitSeconds}`);
  if (allowed) return true;
  response.set('Retry-After', String(waitSeconds));
  sendProblem(response, 'rate_limited', refusal(limit, waitSeconds));
  return false;
}

/** Holds questions to a limit that come in another way than by a request of their own. */
export function limitedAnswer<Answer>(
  answer: (prompt: string) => Promise<Result<Answer>>,
  limit: Limit,
): (prompt: string) => Promise<Result<Answer>> {
  return async (prompt) => {
    const { allowed, waitSeconds } = limit.take();
    return allowed ? answer(prompt) : failure('rate_limited', refusal(limit, waitSeconds), true);
  };
}
