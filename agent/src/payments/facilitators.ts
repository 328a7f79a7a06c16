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
import { type FacilitatorClient, HTTPFacilitatorClient } from '@x402/core/server';
import type { SchemeNetworkServer } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';

/** Who takes payments for us, and how it wants them described. */
export interface Facilitator {
  readonly facilitator: FacilitatorClient;
  readonly scheme: SchemeNetworkServer;
  /** Whether it takes payments of contract wallets. */
  readonly takesWallets: boolean;
}

/** Any facilitator of x402 v2, over HTTP. A request that is not answered in time is aborted. */
export function x402Facilitator(url: string, { timeoutMs }: Pick<Patience, 'timeoutMs'>): Facilitator {
  const client = new HTTPFacilitatorClient({ url, timeoutMs });
  return {
    facilitator: {
      verify: (payload, requirements) => client.verify(payload, requirements),
      settle: (payload, requirements) => client.settle(payload, requirements),
      // On 429 the library waits as long as it is told to, beyond its own timeout.
      getSupported: () => inTime(client.getSupported(), timeoutMs),
    },
    scheme: new ExactEvmScheme(),
    takesWallets: true,
  };
}

export interface Patience {
  /** Of one request. */
  readonly timeoutMs: number;
  /** How long a settlement that is pending is asked after, and how often. */
  readonly pendingMs: number;
  readonly pollMs: number;
}

/** Binance's facilitator, by its own client. */
export function b402Facilitator(credentials: B402Credentials, patience: Patience): Facilitator {
  // The library's error keeps the request, but of the answer only a sentence.
  const answers = new WeakMap<object, SettleResult>();
  const client = new B402FacilitatorClient({
    client: patient(new B402Client(credentials), patience, (request, answer) => answers.set(request, answer)),
    // A payment whose outcome is not known may be tried again here: who keeps account of it is the caller.
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
        const told = error instanceof B402SettlementUnknownError ? answers.get(error.event.request) : undefined;
        if (told === undefined || told.transaction === '') throw error;
        const { transaction } = told;
        const { network } = requirements;
        return { success: false, errorReason: 'settlement_unknown', errorMessage: String(error), transaction, network };
      }
    },
  };
  // Its client accepts no signatures but those of the payer's key.
  return { facilitator, scheme: new UpfrontB402Scheme({ facilitator: client }), takesWallets: false };
}

/** The library's scheme in the form that this version of x402 asks for: it would not say which way it is settled. */
class UpfrontB402Scheme extends B402ExactServerScheme {
  readonly defaultAssetTransferMethod = 'eip3009';
  readonly paymentFlows = { eip3009: { default: 'upfront', supported: ['upfront'] } } as const;
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

/** Settles until it is settled: pending is a failure that names a transaction, and asking again is free. */
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

/** The newest payments of this process. The chain takes an authorisation once, whatever is forgotten here. */
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
