import { failure, type Result } from '@bowline/core/domain/result';
import type { RequestHandler, Response } from 'express';
import { sendProblem } from './problem.ts';

interface LimitOptions {
  /** Name in the RateLimit headers. */
  readonly name: string;
  readonly requests: number;
  readonly seconds: number;
}

export interface Limit extends LimitOptions {
  /** Counts a request if the limit allows it. */
  take(): Place;
}

export interface Place {
  readonly allowed: boolean;
  readonly left: number;
  /** Seconds until one more request than now fits. */
  readonly waitSeconds: number;
  /** Uncounts it. Call at most once. */
  giveBack(): void;
  /** Whether it still counts, provided it was not given back. */
  isCounted(): boolean;
}

/**
 * At most `requests` within any `seconds`, for the whole process: clients are not distinguished, since identifying
 * headers can be forged. A refused request is not counted, so retrying too early costs nothing. `nowMs` returns
 * monotonic time in milliseconds: a limit must not depend on a clock that may be set back.
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
  `The limit is ${requests} requests per ${seconds} seconds. Retry in ${waitSeconds} s.`;

/** Applies a limit to HTTP requests. */
export function limited(limit: Limit): RequestHandler {
  return (_request, response, next) => {
    if (admits(limit, limit.take(), response)) next();
  };
}

/** Sets the RateLimit headers. False: the limit is reached, and 429 was sent. */
export function admits(limit: LimitOptions, { allowed, left, waitSeconds }: Place, response: Response): boolean {
  const { name, requests, seconds } = limit;
  response.set('RateLimit-Policy', `"${name}";q=${requests};w=${seconds}`);
  response.set('RateLimit', `"${name}";r=${left};t=${waitSeconds}`);
  if (allowed) return true;
  response.set('Retry-After', String(waitSeconds));
  sendProblem(response, 'rate_limited', refusal(limit, waitSeconds));
  return false;
}

/** Applies a limit to questions that arrive within another protocol's requests. */
export function limitedAnswer<Answer>(
  answer: (prompt: string) => Promise<Result<Answer>>,
  limit: Limit,
): (prompt: string) => Promise<Result<Answer>> {
  return async (prompt) => {
    const { allowed, waitSeconds } = limit.take();
    return allowed ? answer(prompt) : failure('rate_limited', refusal(limit, waitSeconds), true);
  };
}
