import { callerNow, servingCaller } from '@bowline/http/caller';
import { createFairLimit } from '@bowline/http/fair-limit';
import {
  admitting,
  type Callers,
  createLimit,
  createSharedLimit,
  type Limiter,
  limited,
  limitedRefusals,
} from '@bowline/http/rate-limit';
import type { RequestHandler } from 'express';

const SECONDS = 60;

/** Adds a quarter that is reserved for the page, so that strangers cannot use up its visitors' share. */
export function answersOf(limit: number, hasPage: boolean): Pick<RequestLimits, 'answers' | 'answersOfPage'> {
  const answersOfPage = hasPage ? Math.floor(limit / 4) : 0;
  return { answers: limit + answersOfPage, answersOfPage };
}

/** Requests a minute. */
export interface RequestLimits {
  /** Questions in words that are answered, over all APIs. */
  readonly answers: number;
  /** The part of those that is kept for the page. */
  readonly answersOfPage: number;
  /** Requests of one caller at one endpoint. */
  readonly caller: number;
  /** Requests of all callers at one endpoint; by default `doorLimit`. */
  readonly door?: number;
  /** Requests of one caller at /x402 that are neither a payment nor a question: cheap to refuse. */
  readonly refusals?: number;
}

export type Limits = ReturnType<typeof createLimits>;

/** Limit of all callers at one endpoint: that of twenty callers. Each request costs the node work. */
export const doorLimit = (caller: number): number => 20 * caller;

/** Request limits of all APIs. `nowMs` is monotonic time in milliseconds. */
export function createLimits(
  { answers, answersOfPage, caller, door = doorLimit(caller), refusals = 50 * caller }: RequestLimits,
  callers: Callers,
  nowMs: () => number,
) {
  const fair = (name: string, requests: number, total: number) =>
    createFairLimit({ name, requests, total, seconds: SECONDS }, nowMs);
  const fairFree = fair('free', answers, answers);
  /** Free questions of an agent with a price: as many as paid ones; a single caller gets half. */
  const free: Limiter = { ...fairFree, take: () => fairFree.take(callerNow()) };
  const ofPage = createLimit({ name: 'page', requests: answersOfPage, seconds: SECONDS }, nowMs);
  return {
    isPage: callers.isPage,
    /** Runs first: from then on, `callerNow` names the caller. */
    noteCaller: ((request, _response, next) => servingCaller(callers.callerOf(request), next)) satisfies RequestHandler,
    answers: createSharedLimit({ name: 'x402', requests: answers, seconds: SECONDS }, answersOfPage, nowMs),
    free,
    /** The page's questions where answers have a price: first its own share, then the limit of free questions. */
    pageUnpaid: {
      ...free,
      take() {
        const own = ofPage.take();
        return own.allowed ? own : free.take();
      },
    },
    /** Limits the callers of one endpoint. */
    door: (name: string) => limited(fair(name, caller, door), callers),
    /** Like `door`, for a protocol that needs many requests for little work: a lone caller gets half of the limit. */
    chattyDoor: (name: string) => limited(fair(name, Math.floor(door / 2), door), callers),
    /** Limits registrations of webhooks, since each makes the agent ask the chain and a name server. */
    webhooks: admitting(fair('webhooks', 20, 200), callers),
    /** Limits the requests of one caller that are refused. */
    refusals: limitedRefusals(fair('refused', refusals, 4 * refusals), callers),
  };
}
