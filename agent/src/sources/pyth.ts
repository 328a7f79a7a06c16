import { boundedText } from '@bowline/core/domain/bounded-text';
import type { Reference } from '@bowline/core/domain/facts';
import type { Log } from '@bowline/core/domain/log';
import type { PythPrices } from '@bowline/core/domain/market-data';
import { BowlineError } from '@bowline/core/domain/result';
import type { Clock } from '@bowline/core/domain/time';
import type { Hex } from '@bowline/core/domain/units';
import { UpdateRefused } from '@bowline/core/pyth/bytes';
import type { PythSigners, SignatureHashing } from '@bowline/core/pyth/check';
import { createBackOff, StatusError } from '@bowline/exchange/exchange';
import { z } from 'zod';
import { signatureHashing } from '../process/hashing.ts';
import { createSignedPrices } from './signed-prices.ts';

// A plain HTTP request instead of Pyth's client, which retries up to four times, so that a response may be late by all
// of them, and brings a second zod and two more libraries.

const TIMEOUT_MS = 3_000;
/** Of an answer: many times one signed price. */
const MAX_BYTES = 262_144;

const latest = z.object({ binary: z.object({ data: z.tuple([z.string()]) }) });

/** Statuses with which Pyth rejects a client. */
const refusals: readonly number[] = [401, 403];

export interface PythOptions {
  /** The guardian sets that may sign prices. Signatures of a set that is not among them are not checked. */
  readonly signers: readonly PythSigners[];
  readonly hashing?: SignatureHashing;
  /** Pyth API key, sent as a header of each request and used nowhere else. If absent, no key is sent. */
  readonly apiKey?: string;
  /** Logs the start of a rejection, not every rejected request; a 403 counts from the second in a row. */
  readonly log?: Pick<Log, 'error' | 'warn'>;
}

/**
 * Prices from Pyth's Hermes service, each with the signatures that prove it. After a rate limit or a rejection it sends no
 * request for a while. Redirects are not followed: the key is only for this address.
 */
export function createPyth(
  baseUrl: string,
  clock: Clock,
  { signers, hashing = signatureHashing, apiKey, log }: PythOptions,
): PythPrices {
  const backOff = createBackOff(clock);
  const priceIn = createSignedPrices(signers, hashing, log);
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

  async function ask(id: Hex): Promise<Reference> {
    backOff.mayAsk();
    const response = await fetch(`${route}?ids[]=${id}&encoding=hex&parsed=false`, {
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    const { status } = response;
    // Firewalls return 403 now and then: only two in a row mean a rejection of this client.
    const isOnce = status === 403 && refusal !== status;
    noteStatus(status, isOnce);
    if (!isOnce) backOff.heed(status, response.headers.get('retry-after'));
    if (!response.ok) throw new StatusError(status, `status ${status}`);
    const { binary } = latest.parse(JSON.parse(await boundedText(response, MAX_BYTES)));
    return priceIn(id, binary.data[0]);
  }

  return {
    price: (id) =>
      ask(id).catch((cause: unknown) => {
        throw new BowlineError('market_unavailable', sentenceOf(cause, refusal), { retryable: true, cause });
      }),
  };
}

function sentenceOf(cause: unknown, refusal: number | undefined): string {
  if (cause instanceof UpdateRefused) return `Pyth's answer is not a signed price: ${cause.message}.`;
  return refusal === undefined
    ? 'Pyth does not answer.'
    : `Pyth rejected the request (status ${refusal}): PYTH_API_KEY is missing or wrong.`;
}
