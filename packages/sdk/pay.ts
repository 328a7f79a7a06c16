import { x402Client, x402HTTPClient } from '@x402/core/client';
import { type ClientEvmSigner, ExactEvmScheme } from '@x402/evm';
import type { Address } from 'viem';
import { retryAfterOf } from './retry-after.ts';

export interface PayingOptions {
  /** Signs the payment: viem's local account, or another with `address` and `signTypedData`. It pays no gas. */
  readonly account: ClientEvmSigner;
  readonly chainId: number;
  /** The only token it pays in, and the maximum price of one answer in the token's base units. */
  readonly token: Address;
  readonly maxAmount: bigint;
  /** How long to resend a payment that has no answer yet; 60,000 if omitted. */
  readonly patienceMs?: number;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A signed payment without an answer: it may have been taken. Send the same request again with these headers, after
 * `retryAfterSeconds` if given. A new payment may pay twice unless the chain shows that this one expired unused.
 */
export class PaymentUnknown extends Error {
  override readonly name = 'PaymentUnknown';
  readonly code = 'payment_unknown';
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(headers: Readonly<Record<string, string>>, retryAfterSeconds?: number, cause?: unknown) {
    super('A payment was sent to the agent, and it is not known whether it was taken.', { cause });
    this.headers = headers;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The agent asks for more than it may, or in a way that is not allowed. Nothing was signed. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
  readonly code = 'payment_refused_here';
}

const paymentHeader = 'PAYMENT-SIGNATURE';

/** Whether a response, such as a proxy's, leaves open if the payment was taken: the same one is then resent. */
const isUndecided = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * Like `fetch`, but pays when asked to (HTTP 402, x402 v2): one payment per request, however often the request must be
 * sent until the agent answers. A request that already has payment headers is sent with that payment, and no other is
 * signed.
 * @throws PaymentRefused, PaymentUnknown, and what `fetch` throws before anything was signed.
 */
export function payingFetch(options: PayingOptions): typeof globalThis.fetch {
  const { account, chainId, token, maxAmount, patienceMs = 60_000 } = options;
  const { fetch = globalThis.fetch } = options;
  const network = `eip155:${chainId}` as const;
  const client = new x402HTTPClient(
    new x402Client()
      // A signer that could do more would also sign approvals and permits that an agent asks for.
      .register(
        network,
        new ExactEvmScheme({ address: account.address, signTypedData: (typed) => account.signTypedData(typed) }),
      )
      .registerPolicy((_version, asked) =>
        asked.filter(({ extra }) => (extra?.assetTransferMethod ?? 'eip3009') === 'eip3009'),
      )
      .setSpendControls({ allowedAssets: [{ network, asset: token, maxAmountPerPayment: maxAmount.toString() }] }),
  );

  return async (input, init) => {
    const asked = new Request(input, init);
    const carried = asked.headers.get(paymentHeader);
    let headers: Readonly<Record<string, string>> = carried === null ? {} : { [paymentHeader]: carried };
    if (carried === null) {
      // Without payment first: a free answer costs nothing, and the terms are those of this request.
      const first = await fetch(asked.clone());
      if (first.status !== 402) return first;
      headers = await sign(first);
    }
    const until = performance.now() + patienceMs;
    for (let backOffMs = 250; ; backOffMs = Math.min(2 * backOffMs, 4_000)) {
      let cause: unknown;
      let retryAfterSeconds: number | undefined;
      try {
        const paid = new Request(asked.clone());
        for (const [name, value] of Object.entries(headers)) paid.headers.set(name, value);
        const response = await fetch(paid);
        // Reads the whole body: an answer that breaks off is requested again with the same payment.
        const body = await response.arrayBuffer();
        if (!isUndecided(response.status)) return whole(response, body);
        retryAfterSeconds = retryAfterOf(response);
        cause = new Error(`HTTP status ${response.status}: ${new TextDecoder().decode(body)}`);
      } catch (error) {
        cause = error;
      }
      const waitMs = Math.max(backOffMs, 1000 * (retryAfterSeconds ?? 0));
      if (performance.now() + waitMs > until) throw new PaymentUnknown(headers, retryAfterSeconds, cause);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };

  async function sign(response: Response): Promise<Record<string, string>> {
    try {
      const body: unknown = await response.json().catch(() => undefined);
      const required = client.getPaymentRequiredResponse((name) => response.headers.get(name), body);
      return client.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
    } catch (cause) {
      throw new PaymentRefused(`The requested payment was not signed: ${(cause as Error).message}`, { cause });
    }
  }
}

/** The response with its body read; `fetch` has decompressed it. */
function whole({ status, statusText, headers }: Response, body: ArrayBuffer): Response {
  const kept = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name);
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers: kept });
}
