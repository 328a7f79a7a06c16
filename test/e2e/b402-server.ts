import type { KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyTeslaSignature } from '@bnb-chain/b402/server';

/** Binance's facilitator API, with an x402 facilitator behind it that settles on the chain. */
export interface B402Options {
  readonly publicKey: KeyObject;
  readonly clientId: string;
  readonly accessToken: string;
  /** URL of an x402 v2 facilitator. */
  readonly facilitatorUrl: string;
  readonly network: string;
  /** The token's EIP-712 domain. */
  readonly token: { readonly name: string; readonly version: string };
  readonly signer: string;
  /** Also takes this token by Permit2. */
  readonly permit2?: {
    readonly token: { readonly name: string; readonly version: string };
    readonly spender: string;
    /** Settles a repeated request again. */
    readonly forgets?: true;
    /** Whether the payment would be accepted. Without it, every payment is. */
    readonly isSigned?: (payload: never) => Promise<boolean>;
    /** Moves the signed amount through Permit2. Returns the transaction; throws if it reverts. */
    readonly settle: (payload: never) => Promise<string>;
  };
}

export interface B402Server {
  readonly url: string;
  /** Requested paths, in order. */
  readonly asked: string[];
  /** How many settlements answer "pending" before their real status. */
  pending: number;
  stop(): Promise<void>;
}

const fiveMinutesMs = 300_000;

/** Checks every request's signature and time as the real API does; always answers in its envelope. */
export async function serveB402(options: B402Options): Promise<B402Server> {
  const { publicKey, clientId, accessToken, facilitatorUrl, network, token, signer, permit2 } = options;
  const asked: string[] = [];
  const settled = new Map<string, unknown>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', async () => {
      const answer = (data: unknown) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ code: '000000', message: null, data }));
      };
      const { headers } = request;
      const timestamp = String(headers['x-tesla-timestamp']);
      const isOurs =
        headers['x-tesla-clientid'] === clientId &&
        headers['x-tesla-signaccesstoken'] === accessToken &&
        Math.abs(Date.now() - Number(timestamp)) < fiveMinutesMs &&
        verifyTeslaSignature(publicKey, body, timestamp, String(headers['x-tesla-signature']));
      if (!isOurs) {
        response.statusCode = 401;
        response.end('{}');
        return;
      }
      const path = request.url?.split('/').at(-1) ?? '';
      asked.push(path);
      if (path === 'supported') {
        const kinds = [
          { ...token, assetTransferMethod: 'eip3009', signerAddress: signer },
          ...(permit2
            ? [
                {
                  ...permit2.token,
                  assetTransferMethod: 'permit2-exact',
                  signerAddress: signer,
                  spenderAddress: permit2.spender,
                },
              ]
            : []),
        ].map((extra) => ({ x402Version: 2, scheme: 'exact', network, extra }));
        return answer({ kinds, extensions: [], signers: { [network]: [signer] } });
      }
      const { payload } = JSON.parse(body).paymentPayload;
      const { nonce, from, value } = payload.authorization ?? payload.permit2Authorization;
      if (path === 'settle' && state.pending > 0) {
        state.pending--;
        const transaction = `0x${'11'.repeat(32)}`;
        return answer({
          success: false,
          errorReason: 'settle_pending',
          errorMessage: '',
          transaction,
          network,
          payer: from,
        });
      }
      // A repeated request gets the same answer.
      if (path === 'settle' && settled.has(nonce)) return answer(settled.get(nonce));
      if (path === 'verify' && permit2 !== undefined && payload.permit2Authorization) {
        const isValid = (await permit2.isSigned?.(payload as never)) ?? true;
        return answer({ isValid, payer: from, ...(!isValid && { invalidReason: 'invalid_signature' }) });
      }
      if (permit2 !== undefined && payload.permit2Authorization) {
        const amount = payload.permit2Authorization.permitted.amount;
        const transaction = await permit2.settle(payload as never).catch(() => '');
        const success = transaction !== '';
        const data = { success, errorReason: success ? '' : 'reverted', transaction, network, payer: from, amount };
        if (success && !permit2.forgets) settled.set(nonce, data);
        return answer(data);
      }
      const type = { 'content-type': 'application/json' };
      const passed = await fetch(`${facilitatorUrl}/${path}`, { method: 'POST', headers: type, body });
      const told = (await passed.json()) as Record<string, unknown>;
      const data = { errorReason: '', errorMessage: '', transaction: '', network, payer: from, amount: value, ...told };
      if (path === 'settle' && told.success === true) settled.set(nonce, data);
      answer(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state: B402Server = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    pending: 0,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return state;
}
