import { setTimeout as sleep } from 'node:timers/promises';
import {
  B402Client,
  type B402Credentials,
  B402ExactServerScheme,
  B402FacilitatorClient,
  type B402ReplayStore,
  B402SettlementUnknownError,
  type B402Transport,
  type FacilitatorRequest,
  type SettleResult,
} from '@bnb-chain/b402/server';
import type { Payment } from '@bowline/core/domain/payment';
import { type FacilitatorClient, HTTPFacilitatorClient } from '@x402/core/server';
import type { SchemeNetworkServer } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';

/** A payment facilitator and the requirements it states for payments. */
export interface Facilitator {
  readonly facilitator: FacilitatorClient;
  readonly scheme: SchemeNetworkServer;
  /** Whether it takes this signature of a contract wallet. */
  readonly takesWallet: (payment: Pick<Payment, 'method' | 'signature'>) => boolean;
  /** Its name for payments by Permit2. */
  readonly permit2: 'permit2' | 'permit2-exact';
}

/** Any x402 v2 facilitator, over HTTP. A request without a timely response is aborted. */
export function x402Facilitator(url: string, { timeoutMs }: Pick<Patience, 'timeoutMs'>): Facilitator {
  const client = new HTTPFacilitatorClient({ url, timeoutMs });
  return {
    facilitator: {
      verify: (payload, requirements) => client.verify(payload, requirements),
      settle: (payload, requirements) => client.settle(payload, requirements),
      // On 429 the library waits as long as the server says, beyond its own timeout.
      getSupported: () => inTime(client.getSupported(), timeoutMs),
    },
    scheme: new ExactEvmScheme(),
    takesWallet: () => true,
    permit2: 'permit2',
  };
}

export interface Patience {
  /** Timeout of one request. */
  readonly timeoutMs: number;
  /** How long to poll a pending settlement, and the polling interval. */
  readonly pendingMs: number;
  readonly pollMs: number;
}

export const facilitatorPatience: Patience = { timeoutMs: 10_000, pendingMs: 20_000, pollMs: 1_000 };

/** Binance's facilitator, through its own client. */
export function b402Facilitator(credentials: B402Credentials, patience: Patience): Facilitator {
  // The library's error keeps the request but reduces the response to a sentence.
  const answers = new WeakMap<object, SettleResult>();
  const client = new B402FacilitatorClient({
    client: patient(new B402Client(credentials), patience, (request, answer) => answers.set(request, answer)),
    // Allows a payment of unknown outcome to be retried here: the caller tracks outcomes.
    inflightTtlMs: 1,
    store: replayStore(),
  });
  const facilitator: FacilitatorClient = {
    verify: (payload, requirements) => client.verify(payload, requirements),
    getSupported: () => client.getSupported(),
    settle: async (payload, requirements) => {
      try {
        return await client.settle(payload, requirements);
      } catch (error) {
        const answer = error instanceof B402SettlementUnknownError ? answers.get(error.event.request) : undefined;
        if (answer === undefined || answer.transaction === '') throw error;
        const { transaction } = answer;
        const { network } = requirements;
        return { success: false, errorReason: 'settlement_unknown', errorMessage: String(error), transaction, network };
      }
    },
  };
  const scheme = new UpfrontB402Scheme({ facilitator: client });
  return { facilitator, scheme, takesWallet: isWalletOfB402, permit2: 'permit2-exact' };
}

/** By Permit2 alone; and its client takes whatever is as long as a key's signature for one, and nothing shorter. */
const isWalletOfB402: Facilitator['takesWallet'] = ({ method, signature }) =>
  method === 'permit2-exact' && signature.length > KEY_SIGNATURE_DIGITS;

/** 0x and 65 bytes. */
const KEY_SIGNATURE_DIGITS = 132;

/** The library's scheme in the shape this x402 version requires: the library itself does not state how it settles. */
class UpfrontB402Scheme extends B402ExactServerScheme {
  readonly defaultAssetTransferMethod = 'eip3009';
  readonly paymentFlows = {
    eip3009: { default: 'upfront', supported: ['upfront'] },
    'permit2-exact': { default: 'upfront', supported: ['upfront'] },
  } as const;
}

async function inTime<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  const late = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: late.signal }).then(() => {
    throw new Error(`The facilitator did not answer within ${timeoutMs} ms.`);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    timeout.catch(() => {});
    late.abort();
  }
}

/**
 * Repeats `settle` until it is final: pending is reported as a failure that names a transaction, and repeating is free.
 */
function patient(
  client: B402Client,
  { timeoutMs, pendingMs, pollMs }: Patience,
  note: (request: FacilitatorRequest, answer: SettleResult) => void,
): B402Transport {
  return {
    supported: () => inTime(client.supported(), timeoutMs),
    verify: (request) => inTime(client.verify(request), timeoutMs),
    settle: async (request) => {
      const until = performance.now() + pendingMs;
      for (;;) {
        const settled = await inTime(client.settle(request), timeoutMs);
        note(request, settled);
        const isPending = !settled.success && settled.transaction !== '';
        if (!isPending || performance.now() >= until) return settled;
        await sleep(pollMs);
      }
    },
  };
}

const MAX_SLOTS = 10_000;

/**
 * Remembers the newest payments of this process. The chain accepts an authorisation once, whatever is forgotten here.
 */
function replayStore(): B402ReplayStore {
  const slots = new Map<string, unknown>();
  return {
    get: async (key) => slots.get(key) ?? null,
    update: async (key, change) => {
      const changed = change(slots.get(key) ?? null);
      if (changed.op === 'set') slots.set(key, changed.value);
      if (changed.op === 'delete') slots.delete(key);
      for (const oldest of slots.keys()) {
        if (slots.size <= MAX_SLOTS) break;
        slots.delete(oldest);
      }
      return changed.result;
    },
  };
}
