import { x402Client, x402HTTPClient } from '@x402/core/client';
import { decodePaymentResponseHeader } from '@x402/core/http';
import { type ClientEvmSigner, ExactEvmScheme } from '@x402/evm';
import type { Address } from 'viem';
import { retryAfterOf } from './retry-after.ts';

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
  /** How long to send a payment again whose outcome is unknown, or that was taken without an answer; 60,000 if omitted. */
  readonly patienceMs?: number;
  /** Another one than the platform's. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A signed payment whose outcome is not known: it may have been taken. Send the same request again with these headers. A new
 * payment is a second one unless the chain shows that this one has expired unused.
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

/** The agent's statement that it has taken a payment, with `success` true (x402 v2). */
export type Receipt = ReturnType<typeof decodePaymentResponseHeader>;

/** What an agent says of a payment that it has taken for an answer that it could not give. */
export interface Owed {
  readonly receipt: Receipt;
  /** What the agent owes, signed by it. Undefined if it sent none. */
  readonly credit: Readonly<Record<string, unknown>> | undefined;
  /** Seconds after which to send the request again, if the agent says so. */
  readonly retryAfterSeconds: number | undefined;
}

/**
 * The agent took the payment and could not answer. Send the same request again with these headers, after `retryAfterSeconds`: the
 * payment stays good for the answer, also once it has expired. A new payment would be a second one. Without `retryAfterSeconds` the
 * failure is permanent: the credit says what the operator owes.
 */
export class PaymentOwed extends Error implements Owed {
  override readonly name = 'PaymentOwed';
  readonly code = 'payment_owed';
  readonly receipt: Receipt;
  readonly credit: Owed['credit'];
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ receipt, credit, retryAfterSeconds }: Owed, headers: PaymentOwed['headers'], cause?: unknown) {
    const advice =
      retryAfterSeconds === undefined
        ? 'It does not ask for another try: show the credit to its operator.'
        : 'Send the same payment again.';
    super(`The agent took the payment and has not answered. ${advice}`, { cause });
    this.receipt = receipt;
    this.credit = credit;
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = headers;
  }
}

/** The agent asks for more than it may, or in another way. Nothing was signed. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
  readonly code = 'payment_refused_here';
}

const paymentHeader = 'PAYMENT-SIGNATURE';

/** Whether an answer leaves open what became of the payment, as a proxy's does: the same one is sent again. */
const isUndecided = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * Like `fetch`, and pays where it is asked to (HTTP 402, x402 v2): one payment for one request, however often that has to be
 * sent until the agent has answered it. A request that has the headers of a payment is sent with that one, and no other is
 * signed.
 * @throws PaymentRefused, PaymentOwed, PaymentUnknown, and what `fetch` throws before anything was signed.
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
    const carried = asked.headers.get(paymentHeader);
    let headers: Readonly<Record<string, string>> = carried === null ? {} : { [paymentHeader]: carried };
    if (carried === null) {
      // Without payment first: a free answer costs nothing, and the terms are those of this request.
      const first = await fetch(asked.clone());
      if (first.status !== 402) return first;
      headers = await sign(first);
    }
    const until = performance.now() + patienceMs;
    // A receipt stays true, whatever the next try comes to.
    let owed: Owed | undefined;
    for (let backOffMs = 250; ; backOffMs = Math.min(2 * backOffMs, 4_000)) {
      let cause: unknown;
      let retryAfterSeconds: number | undefined;
      let isPermanent = false;
      try {
        const paid = new Request(asked.clone());
        for (const [name, value] of Object.entries(headers)) paid.headers.set(name, value);
        const response = await fetch(paid);
        // To its end: an answer that breaks off is asked for again, by the payment that it was bought with.
        const body = await response.arrayBuffer();
        if (response.ok) return whole(response, body);
        const text = new TextDecoder().decode(body);
        retryAfterSeconds = retryAfterOf(response);
        const receipt = receiptOf(response);
        if (receipt) owed = { receipt, credit: creditIn(text) ?? owed?.credit, retryAfterSeconds };
        if (owed === undefined && !isUndecided(response.status)) return whole(response, body);
        cause = new Error(`HTTP status ${response.status}: ${text}`);
        isPermanent = receipt !== undefined && retryAfterSeconds === undefined;
      } catch (error) {
        cause = error;
      }
      const waitMs = Math.max(backOffMs, 1000 * (retryAfterSeconds ?? 0));
      if (isPermanent || performance.now() + waitMs > until) {
        throw owed ? new PaymentOwed(owed, headers, cause) : new PaymentUnknown(headers, cause);
      }
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

/** Undefined if the agent does not say that it has taken the payment. */
function receiptOf({ headers }: Response): Receipt | undefined {
  try {
    const receipt = decodePaymentResponseHeader(headers.get('PAYMENT-RESPONSE') ?? '');
    return receipt.success === true ? receipt : undefined;
  } catch {
    return undefined;
  }
}

function creditIn(body: string): Owed['credit'] {
  try {
    const { credit } = JSON.parse(body);
    return typeof credit === 'object' && credit !== null ? credit : undefined;
  } catch {
    return undefined;
  }
}

/** The response with its body read; `fetch` has decompressed it. */
function whole({ status, statusText, headers }: Response, body: ArrayBuffer): Response {
  const kept = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name);
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers: kept });
}
