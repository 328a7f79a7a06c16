import { boundedText } from '@bowline/core/domain/bounded-text';
import type { Reference } from '@bowline/core/domain/facts';
import type { Log } from '@bowline/core/domain/log';
import type { PythPrices } from '@bowline/core/domain/market-data';
import { BowlineError } from '@bowline/core/domain/result';
import type { Clock } from '@bowline/core/domain/time';
import type { Hex } from '@bowline/core/domain/units';
import { checkUpdate, type PythSigners, referenceOf, type SignatureHashing } from '@bowline/core/pyth/check';
import { UpdateRefused } from '@bowline/core/pyth/update';
import { createBackOff, StatusError } from '@bowline/exchange/exchange';
import { z } from 'zod';
import { signatureHashing } from '../process/hashing.ts';

/**
 * The price of a feed in one of Pyth's signed updates, with the bytes that prove it. Checks each update once: the same
 * bytes get the same answer again. The returned function throws UpdateRefused if the update does not prove a price.
 */
function createSignedPrices(
  signers: readonly PythSigners[],
  hashing: SignatureHashing,
  log: Pick<Log, 'error' | 'warn'> | undefined,
) {
  const newest = new Map<Hex, { readonly update: string; readonly reference: Reference }>();
  /** Guardian sets with unknown members, each logged once. */
  const unknown = new Set<number>();
  /** Why the newest update of a feed was refused, so that the log says it once while it lasts. */
  const forged = new Map<Hex, string>();

  async function checked(feed: Hex, update: string): Promise<Reference> {
    const known = newest.get(feed);
    if (known?.update === update) return known.reference;
    const { price, signed, guardianSet, by } = await checkUpdate(update, feed, signers, hashing);
    if (by === undefined && !unknown.has(guardianSet)) {
      unknown.add(guardianSet);
      const cause = `The registry does not name the guardians of set ${guardianSet}: signatures of Pyth's prices are not checked.`;
      const remedy = 'Add the set to packages/core/registry/pyth.json, or set PYTH_URL to off.';
      log?.warn('pyth.unchecked', { guardianSet, cause, remedy });
    }
    const reference = { ...referenceOf(price), signed };
    newest.set(feed, { update, reference });
    return reference;
  }

  return async (feed: Hex, update: string): Promise<Reference> => {
    try {
      const reference = await checked(feed, update);
      forged.delete(feed);
      return reference;
    } catch (error) {
      if (error instanceof UpdateRefused && forged.get(feed) !== error.reason) {
        forged.set(feed, error.reason);
        log?.error('pyth.forged', { feed, reason: error.reason, cause: error.message });
      }
      throw error;
    }
  };
}

// A plain HTTP request instead of Pyth's client, which retries up to four times, so that a response may be late by all
// of them, and brings a second zod and two more libraries.

const TIMEOUT_MS = 3_000;
/** Maximum size of an answer: many times that of one signed price. */
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
