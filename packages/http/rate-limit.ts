import { failure, type Result } from '@bowline/core/domain/result';
import type { Request, RequestHandler, Response } from 'express';
import type { CallerOf, IsPage } from './caller.ts';
import type { FairLimit, Turn } from './fair-limit.ts';
import { sendProblem } from './problem.ts';

interface LimitOptions {
  /** Name in the RateLimit headers. */
  readonly name: string;
  readonly requests: number;
  readonly seconds: number;
}

export interface Limiter extends LimitOptions {
  /** Counts a request if the limit allows it. */
  take(): Turn;
}

export interface Limit extends Limiter {
  take(): Place;
}

export interface Place extends Turn {
  /** Whether it still counts, provided it was not given back. */
  isCounted(): boolean;
}

/**
 * At most `requests` within any `seconds`, for the whole process: clients are not distinguished, since identifying
 * headers can be forged. A refused request is not counted, so retrying too early costs nothing. `nowMs` returns
 * monotonic time in milliseconds: a limit must not depend on a clock that may be set back.
 */
export const createLimit = (options: LimitOptions, nowMs: () => number): Limit =>
  createSharedLimit(options, 0, nowMs).others;

/**
 * One limit for two parties: `reserved` of its requests are kept for the page, which may also use the others.
 * @param reserved at most the limit's requests.
 */
export function createSharedLimit(
  options: LimitOptions,
  reserved: number,
  nowMs: () => number,
): { readonly page: Limit; readonly others: Limit } {
  const { requests, seconds } = options;
  interface Counted {
    readonly at: number;
    readonly isPage: boolean;
  }
  let counted: Counted[] = [];

  function of(isPage: boolean): Limit {
    const limitOf = { ...options, requests: isPage ? requests : requests - reserved };
    return {
      ...limitOf,
      take() {
        const now = nowMs();
        counted = counted.filter(({ at }) => at > now - seconds * 1000);
        const byPage = counted.filter((each) => each.isPage).length;
        const kept = isPage ? 0 : Math.max(0, reserved - byPage);
        const allowed = counted.length < requests - kept;
        const mine: Counted = { at: now, isPage };
        if (allowed) counted.push(mine);
        // Requests that the page made from its own share take no place away from others.
        const oldest = counted.find((each) => isPage || !each.isPage || byPage > reserved)?.at ?? now;
        const waitSeconds = Math.ceil((oldest + seconds * 1000 - now) / 1000);
        const giveBack = () => {
          counted = counted.filter((each) => each !== mine);
        };
        const isCounted = () => allowed && now > nowMs() - seconds * 1000;
        return { allowed, left: requests - kept - counted.length, waitSeconds, giveBack, isCounted };
      },
    };
  }
  return { page: of(true), others: of(false) };
}

const refusal = ({ requests, seconds }: LimitOptions, waitSeconds: number): string =>
  `The limit is ${requests} requests per ${seconds} seconds. Retry in ${waitSeconds} s.`;

/** Who is limited, and how callers are distinguished. */
export interface Callers {
  readonly callerOf: CallerOf;
  readonly isPage: IsPage;
}

/** Counts a request. False: the limit is reached, and 429 was sent. */
export type Admit = (request: Request, response: Response) => boolean;

/** Applies a limit to each caller of a door. The page's server has limits of its own and is not limited here. */
export const admitting =
  (limit: FairLimit, { callerOf, isPage }: Callers): Admit =>
  (request, response) =>
    isPage(request) || admits(limit, limit.take(callerOf(request)), response);

/** The same before a route. */
export function limited(limit: FairLimit, callers: Callers): RequestHandler {
  const admit = admitting(limit, callers);
  return (request, response, next) => {
    if (admit(request, response)) next();
  };
}

/** Applies a limit to requests that are themselves at fault: the status of the response tells which were refused. */
export function limitedRefusals(limit: FairLimit, { callerOf, isPage }: Callers): RequestHandler {
  return (request, response, next) => {
    if (isPage(request)) return next();
    const turn = limit.take(callerOf(request));
    if (!turn.allowed) return void admits(limit, turn, response);
    response.once('close', () => {
      const { statusCode, writableFinished } = response;
      // An aborted request cost just as much to read.
      if (writableFinished && !isRefusal(statusCode)) turn.giveBack();
    });
    next();
  };
}

/** Responses that count as refusals: 4xx except 429, which another limit counts, and 503. */
const isRefusal = (status: number): boolean => (status >= 400 && status < 500 && status !== 429) || status === 503;

/** Sets the RateLimit headers. False: the limit is reached, and 429 was sent. */
export function admits(limit: LimitOptions, { allowed, left, waitSeconds }: Turn, response: Response): boolean {
  const { name, requests, seconds } = limit;
  // Uses Node's own method: Express's inspects each value, and these headers are on every answer.
  response.setHeader('RateLimit-Policy', `"${name}";q=${requests};w=${seconds}`);
  response.setHeader('RateLimit', `"${name}";r=${left};t=${waitSeconds}`);
  if (allowed) return true;
  response.set('Retry-After', String(waitSeconds));
  sendProblem(response, 'rate_limited', refusal(limit, waitSeconds));
  return false;
}

/** Applies a limit to questions that arrive within another protocol's requests. */
export function limitedAnswer<Asked extends readonly unknown[], Answer>(
  answer: (...asked: Asked) => Promise<Result<Answer>>,
  limit: Limiter,
): (...asked: Asked) => Promise<Result<Answer>> {
  return async (...asked) => {
    const { allowed, waitSeconds } = limit.take();
    return allowed ? answer(...asked) : failure('rate_limited', refusal(limit, waitSeconds), true);
  };
}
