import type { Reference } from '@bowline/core/domain/facts';
import type { Clock, Log, PythPrices } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { mulDivUp } from '@bowline/core/domain/units';
import { createBackOff } from '@bowline/exchange/back-off';
import { z } from 'zod';

// A plain HTTP request instead of Pyth's client, which retries up to four times, so that a response may be late by all
// of them, and brings a second zod and two more libraries.

const TIMEOUT_MS = 3_000;

const whole = z.string().regex(/^\d{1,20}$/);

const update = z.object({
  id: z.string(),
  price: z.object({
    price: whole,
    conf: whole,
    // Prices have 5 to 10 decimals. An unbounded exponent could exhaust memory.
    expo: z.int().min(-30).max(0),
    publish_time: z.int().nonnegative(),
  }),
});
const latest = z.object({ parsed: z.tuple([update]) });

/** Statuses with which Pyth rejects a client. */
const refusals: readonly number[] = [401, 403];

export interface PythOptions {
  /** Pyth API key, sent as a header of each request and used nowhere else. If absent, no key is sent. */
  readonly apiKey?: string;
  /** Logs the start of a rejection, not every rejected request; a 403 counts from the second in a row. */
  readonly log?: Pick<Log, 'error'>;
}

/**
 * Prices from Pyth's Hermes service. After a rate limit or a rejection it sends no request for a while. Redirects are
 * not followed: the key is for this address alone.
 */
export function createPyth(baseUrl: string, clock: Clock, { apiKey, log }: PythOptions = {}): PythPrices {
  const backOff = createBackOff(clock);
  const route = `${baseUrl.replace(/\/+$/, '')}/v2/updates/price/latest`;
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  /** Status of the last response, if it was a rejection. */
  let refusal: number | undefined;
  let isTold = false;

  function noteStatus(status: number, isOnce: boolean): void {
    refusal = refusals.includes(status) ? status : undefined;
    if (refusal === undefined) isTold = false;
    if (refusal === undefined || isOnce || isTold) return;
    isTold = true;
    const cause = apiKey === undefined ? 'Pyth requires an API key, and none is set.' : 'Pyth rejected the API key.';
    log?.error('pyth.refused', { status, cause, remedy: 'Set PYTH_API_KEY to a valid key, or PYTH_URL to off.' });
  }

  return {
    async price(id) {
      try {
        backOff.mayAsk();
        const response = await fetch(`${route}?ids[]=${id}&encoding=hex&parsed=true`, {
          headers,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          redirect: 'error',
        });
        const { status } = response;
        // Firewalls return 403 now and then: only two in a row mean a rejection of this client.
        const isOnce = status === 403 && refusal !== status;
        noteStatus(status, isOnce);
        if (!isOnce) backOff.heed(status, response.headers.get('retry-after'));
        if (!response.ok) throw new Error(`status ${status}`);
        const [answer] = latest.parse(await response.json()).parsed;
        // Hermes returns the requested ID without 0x.
        if (`0x${answer.id}`.toLowerCase() !== id.toLowerCase()) throw new Error('the price of another feed');
        return referenceOf(answer);
      } catch (cause) {
        const message =
          refusal === undefined
            ? 'Pyth does not answer.'
            : `Pyth rejected the request (status ${refusal}): PYTH_API_KEY is missing or wrong.`;
        throw new BowlineError('market_unavailable', message, { retryable: true, cause });
      }
    },
  };
}

/** Price rounded down, confidence interval rounded up. */
function referenceOf({ price }: z.output<typeof update>): Reference {
  const [unit, scale] = [10n ** 18n, 10n ** BigInt(-price.expo)];
  const usdWad = (BigInt(price.price) * unit) / scale;
  if (usdWad === 0n) throw new Error('no price');
  const confidenceWad = mulDivUp(BigInt(price.conf), unit, scale);
  return { source: 'pyth', usdWad, updatedAt: BigInt(price.publish_time), confidenceWad };
}
