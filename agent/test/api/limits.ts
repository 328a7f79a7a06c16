import { callerBehind, pageRecogniser } from '@bowline/http/caller';
import { Secret } from '@bowline/http/secret';
import { createLimits, type Limits, type RequestLimits } from '../../src/api/http/limits.ts';
import { loadConfig } from '../../src/config.ts';

export const pageSecret = new Secret('the page of this test, and no other');

interface Changes extends Partial<RequestLimits> {
  readonly nowMs?: () => number;
  readonly trustedProxies?: number;
}

/** The default limits of an agent, except for the given changes. */
export function limitsOf({ nowMs = Date.now, trustedProxies = 0, ...changes }: Changes = {}): Limits {
  const callers = { callerOf: callerBehind(trustedProxies), isPage: pageRecogniser(pageSecret) };
  return createLimits({ ...loadConfig({}).requestLimits, ...changes }, callers, nowMs);
}
