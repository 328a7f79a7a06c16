import type { Reference } from '@bowline/core/domain/facts';
import type { Clock, Log, PythPrices } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { mulDivUp } from '@bowline/core/domain/units';
import { createBackOff } from '@bowline/exchange/back-off';
import { z } from 'zod';

// One question over HTTP, without Pyth's own client: that asks up to four times, so that its answer may be as late as all of
// them, and brings a second zod and two more libraries.

const TIMEOUT_MS = 3_000;

const whole = z.string().regex(/^\d{1,20}$/);

const update = z.object({
  id: z.string(),
  price: z.object({
    price: whole,
    conf: whole,
    // Prices have 5 to 10 decimals. A power of any exponent would take all the memory there is.
    expo: z.int().min(-30).max(0),
    publish_time: z.int().nonnegative(),
  }),
});
const latest = z.object({ parsed: z.tuple([update]) });

/** What Pyth answers those whom it does not want to answer. */
const refusals: readonly number[] = [401, 403];

export interface PythOptions {
  /** Names us to Pyth; goes into a header of each question and nowhere else. Left out, no key is sent. */
  readonly apiKey?: string;
  /** Told when Pyth begins to refuse us, of a 403 at the second in a row, and not at every question. */
  readonly log?: Pick<Log, 'error'>;
}

/**
 * Prices as Pyth's own service has them, Hermes. Told to wait, or refused, it asks nothing for a while. No redirect is
 * followed: the key is for this address alone.
 */
export function createPyth(baseUrl: string, clock: Clock, { apiKey, log }: PythOptions = {}): PythPrices {
  const backOff = createBackOff(clock);
  const route = `${baseUrl.replace(/\/+$/, '')}/v2/updates/price/latest`;
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  /** The status of the last answer, if that was a refusal. */
  let refusal: number | undefined;
  let isTold = false;

  function noteStatus(status: number, isOnce: boolean): void {
    refusal = refusals.includes(status) ? status : undefined;
    if (refusal === undefined) isTold = false;
    if (refusal === undefined || isOnce || isTold) return;
    isTold = true;
    const cause = apiKey === undefined ? 'Pyth wants a key, and none is set.' : 'Pyth does not accept the key.';
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
        // Firewalls say 403 once in a while: twice in a row it is about us.
        const isOnce = status === 403 && refusal !== status;
        noteStatus(status, isOnce);
        if (!isOnce) backOff.heed(status, response.headers.get('retry-after'));
        if (!response.ok) throw new Error(`status ${status}`);
        const [answer] = latest.parse(await response.json()).parsed;
        // As asked, but without 0x.
        if (`0x${answer.id}`.toLowerCase() !== id.toLowerCase()) throw new Error('the price of something else');
        return referenceOf(answer);
      } catch (cause) {
        const message =
          refusal === undefined
            ? 'Pyth does not answer.'
            : `Pyth refuses us (status ${refusal}): PYTH_API_KEY is missing or wrong.`;
        throw new BowlineError('market_unavailable', message, { retryable: true, cause });
      }
    },
  };
}

/** The price rounded down, and how far off it may be rounded up. */
function referenceOf({ price }: z.output<typeof update>): Reference {
  const [unit, scale] = [10n ** 18n, 10n ** BigInt(-price.expo)];
  const usdWad = (BigInt(price.price) * unit) / scale;
  if (usdWad === 0n) throw new Error('no price');
  const confidenceWad = mulDivUp(BigInt(price.conf), unit, scale);
  return { source: 'pyth', usdWad, updatedAt: BigInt(price.publish_time), confidenceWad };
}
