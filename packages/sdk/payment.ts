import { x402Client, x402HTTPClient } from '@x402/core/client';
import { type ClientEvmSigner, ExactEvmScheme } from '@x402/evm';
import type { Address } from 'viem';

export interface PayingOptions {
  /** Signs the payment: viem's local account, or another with `address` and `signTypedData`. It pays no gas. */
  readonly account: ClientEvmSigner;
  readonly chainId: number;
  /** The only token that it pays in, and the maximum of one answer in its base units. */
  readonly token: Address;
  readonly maxAmount: bigint;
  /**
   * How the token is paid: by its own signatures, or by Permit2, to which the account must have approved it (USDT and USDC of
   * BNB Chain). `eip3009` if omitted.
   */
  readonly method?: 'eip3009' | 'permit2';
  /** How long to send a payment again whose outcome is unknown; 60,000 if omitted. */
  readonly patienceMs?: number;
  /** Another one than the platform's. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A signed payment whose outcome is not known: it may have been taken. Send the same request with these headers again, or
 * wait until it has run out. A new payment could be a second one.
 */
export class PaymentUnknown extends Error {
  override readonly name = 'PaymentUnknown';
  readonly code = 'payment_unknown';
  readonly headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>, cause?: unknown) {
    super('The agent was sent a payment, and it is not known whether it was taken.', { cause });
    this.headers = headers;
  }
}

/** The agent asks for more than it may, or in another way. Nothing was signed. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
  readonly code = 'payment_refused_here';
}

/** Whether an answer leaves open what became of the payment, as a proxy's does: the same one is sent again. */
const isUndecided = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * Like `fetch`, and pays where it is asked to (HTTP 402, x402 v2): one payment for one request, however often that has to be
 * sent until the agent has answered it.
 * @throws PaymentRefused, PaymentUnknown, and what `fetch` throws before anything was signed.
 */
export function payingFetch(options: PayingOptions): typeof globalThis.fetch {
  const { account, chainId, token, maxAmount, method = 'eip3009', patienceMs = 60_000 } = options;
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
        asked.filter(({ extra }) => (extra?.assetTransferMethod ?? 'eip3009') === method),
      )
      .setSpendControls({ allowedAssets: [{ network, asset: token, maxAmountPerPayment: maxAmount.toString() }] }),
  );

  return async (input, init) => {
    const asked = new Request(input, init);
    // Without payment first: a free answer costs nothing, and the terms are those of this request.
    const first = await fetch(asked.clone());
    if (first.status !== 402) return first;
    const headers = await sign(first);
    const until = performance.now() + patienceMs;
    for (let waitMs = 250; ; waitMs = Math.min(2 * waitMs, 4_000)) {
      const paid = new Request(asked.clone(), { headers: { ...Object.fromEntries(asked.headers), ...headers } });
      let cause: unknown;
      try {
        const response = await fetch(paid);
        // To its end: an answer that breaks off is asked for again, by the payment that it was bought with.
        const body = await response.arrayBuffer();
        if (!isUndecided(response.status)) return whole(response, body);
        cause = new Error(`HTTP status ${response.status}: ${new TextDecoder().decode(body)}`);
      } catch (error) {
        cause = error;
      }
      if (performance.now() >= until) throw new PaymentUnknown(headers, cause);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };

  async function sign(response: Response): Promise<Record<string, string>> {
    try {
      const body: unknown = await response.json().catch(() => undefined);
      const required = client.getPaymentRequiredResponse((name) => response.headers.get(name), body);
      return client.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
    } catch (cause) {
      throw new PaymentRefused(`The payment that is asked for was not signed: ${(cause as Error).message}`, { cause });
    }
  }
}

/** The response with its body read; `fetch` has decompressed it. */
function whole({ status, statusText, headers }: Response, body: ArrayBuffer): Response {
  const kept = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name);
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers: kept });
}
