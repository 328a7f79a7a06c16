import { setTimeout as sleep } from 'node:timers/promises';
import {
  B402Client,
  type B402Credentials,
  B402ExactServerScheme,
  B402FacilitatorClient,
  B402SettlementUnknownError,
  type B402Transport,
  type FacilitatorRequest,
  type SettleResult,
} from '@bnb-chain/b402/server';
import { type FacilitatorClient, HTTPFacilitatorClient } from '@x402/core/server';
import type { SchemeNetworkServer } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';

/** A payment facilitator and the requirements it states for payments. */
export interface Facilitator {
  readonly client: FacilitatorClient;
  readonly scheme: SchemeNetworkServer;
  /** B402 also accepts tokens through Permit2, and contract wallets only through it. */
  readonly takesPermit2: boolean;
}

export interface Patience {
  /** Timeout of one request. */
  readonly timeoutMs: number;
  /** For how long, and how often, to poll B402 for a pending settlement. */
  readonly pendingMs: number;
  readonly pollMs: number;
}

export const facilitatorPatience: Patience = { timeoutMs: 10_000, pendingMs: 20_000, pollMs: 1_000 };

/** Any x402 v2 facilitator, over HTTP. A request without a timely response is aborted. */
export function x402Facilitator(url: string, { timeoutMs }: Pick<Patience, 'timeoutMs'>): Facilitator {
  const client = new HTTPFacilitatorClient({ url, timeoutMs });
  const getSupported = client.getSupported.bind(client);
  // On 429 the library waits as long as the server says, beyond its own timeout.
  client.getSupported = () => inTime(getSupported(), timeoutMs);
  return { client, scheme: new ExactEvmScheme(), takesPermit2: false };
}

/** Binance's facilitator, through its own client. */
export function b402Facilitator(credentials: B402Credentials, patience: Patience): Facilitator {
  // The library's error keeps the request but reduces the response to a sentence.
  const answers = new WeakMap<object, SettleResult>();
  const client = new B402FacilitatorClient({
    client: patient(new B402Client(credentials), patience, (request, answer) => answers.set(request, answer)),
    // Each payment has a record and is settled by one request at a time; a repeat must reach B402, which reports the outcome.
    store: { get: async () => null, update: async (_key, change) => change(null).result },
  });
  const settle = client.settle.bind(client);
  client.settle = async (payload, requirements) => {
    try {
      return await settle(payload, requirements);
    } catch (error) {
      const answer = error instanceof B402SettlementUnknownError ? answers.get(error.event.request) : undefined;
      if (answer === undefined || answer.transaction === '') throw error;
      const { transaction } = answer;
      const { network } = requirements;
      return { success: false, errorReason: 'settlement_unknown', errorMessage: String(error), transaction, network };
    }
  };
  const scheme = new LateB402Scheme({ facilitator: client });
  return { client, scheme, takesPermit2: true };
}

/** The library's scheme in the shape this x402 version requires: the library itself does not state how it settles. */
class LateB402Scheme extends B402ExactServerScheme {
  readonly defaultAssetTransferMethod = 'eip3009';
  readonly paymentFlows = {
    eip3009: { default: 'authorization', supported: ['authorization'] },
    'permit2-exact': { default: 'authorization', supported: ['authorization'] },
  } as const;
}

function inTime<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`The facilitator did not answer within ${timeoutMs} ms.`);
  });
  return Promise.race([answer, timeout]);
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
