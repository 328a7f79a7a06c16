import { z } from 'zod';
import type { Reference } from '../domain/facts.ts';
import type { Clock, PythPrices } from '../domain/ports.ts';
import { BowlineError } from '../domain/result.ts';
import { mulDivUp } from '../domain/units.ts';
import { createBackOff } from './back-off.ts';

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

/** Prices as Pyth's own service has them, Hermes. Told to wait, it asks nothing until then. */
export function createPyth(baseUrl: string, clock: Clock): PythPrices {
  const backOff = createBackOff(clock);
  const route = `${baseUrl.replace(/\/+$/, '')}/v2/updates/price/latest`;
  return {
    async price(id) {
      try {
        backOff.mayAsk();
        const response = await fetch(`${route}?ids[]=${id}&encoding=hex&parsed=true`, {
          signal: AbortSignal.timeout(TIMEOUT_MS),
          redirect: 'error',
        });
        backOff.heed(response.status, response.headers.get('retry-after'));
        if (!response.ok) throw new Error(`status ${response.status}`);
        const [answer] = latest.parse(await response.json()).parsed;
        // As asked, but without 0x.
        if (`0x${answer.id}`.toLowerCase() !== id.toLowerCase()) throw new Error('the price of something else');
        return referenceOf(answer);
      } catch (cause) {
        throw new BowlineError('market_unavailable', 'Pyth does not answer.', { retryable: true, cause });
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
