import { boundedText } from '@bowline/core/domain/bounded-text';
import { HttpRequestError, type HttpTransport, http } from 'viem';

interface Options {
  /** From the request to the end of the response body: a node could otherwise hold it for ever by never ending it. */
  readonly timeoutMs: number;
  /** Concurrent requests are sent in batches of up to this size. 1: no batches. */
  readonly batchSize: number;
  readonly retryCount: number;
  readonly retryDelay?: number | undefined;
}

/** JSON-RPC's code for an error inside the node, which may pass. */
const INTERNAL_ERROR = -32_603;
/** Answers above this are refused. viem's own limit. */
const MAX_BYTES = 10_485_760;

/** Cap on Retry-After: a loan may fall meanwhile, and a rescue must not wait longer once the node is back. */
const MAX_RETRY_AFTER_MS = 3_000;

/**
 * viem's HTTP transport, for servers that may lie or fail. Redirects are not followed. A server that limits requests
 * gets only transactions until its Retry-After is over. Credentials in the URL are sent as Basic authentication.
 */
export function httpTransport(url: string, { timeoutMs, batchSize, ...repeated }: Options): HttpTransport {
  const batch = batchSize > 1 ? { batchSize } : false;
  const transport = http(url, { ...repeated, batch, timeout: timeoutMs, fetchFn: retryingLater(wholeAnswer) });
  return (config) => {
    const plain = transport(config);
    const request = async (asked: { readonly method: string }, options: unknown): Promise<unknown> => {
      const said = await plain.request(asked as never, options as never);
      // viem would take it for a contract that returns nothing.
      if (said == null && asked.method === 'eth_call')
        throw new HttpRequestError({ url: new URL(url).host, details: 'The answer to a call is empty.' });
      return said;
    };
    return { ...plain, request: request as typeof plain.request };
  };
}

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Until the server's Retry-After is over, returns 429 without sending the request. */
function retryingLater(ask: Fetch): Fetch {
  // In real time, like viem's own timeouts.
  let wait: AbortSignal | undefined;
  return async (url, init) => {
    if (wait?.aborted === false && !String(init?.body).includes('eth_sendRawTransaction')) {
      return new Response('{"error":"Retry-After is not over."}', { status: 429 });
    }
    const response = await ask(url, init);
    const seconds = Number(response.headers.get('retry-after'));
    if (response.status === 429 && seconds > 0)
      wait = AbortSignal.timeout(Math.min(seconds * 1000, MAX_RETRY_AFTER_MS));
    // viem would wait for the full time.
    response.headers.delete('retry-after');
    return response;
  };
}

/** Like `fetch`, but waits for the whole body: viem would wait for it without a timeout. */
async function wholeAnswer(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const { ok, status, statusText, headers } = response;
  const later = headers.get('retry-after');
  const text = await boundedText(response, MAX_BYTES);
  const asked = String(init?.body);
  if (ok) {
    if (!/^\s*[[{]/.test(text)) throw new SyntaxError('The response is not a JSON object.');
    return new Response(asked.startsWith('[') ? inOrder(asked, JSON.parse(text)) : text);
  }
  // The JSON-RPC error of a response with a failing status says more than the status.
  const said = parsedIfJson(text);
  if (isError(said)) return new Response(asked.startsWith('[') ? inOrder(asked, said) : text);
  return new Response(JSON.stringify({ error: text }), {
    status,
    statusText,
    headers: later ? { 'retry-after': later } : {},
  });
}

function parsedIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isError(said: unknown): boolean {
  const { code, message } = (said as { error?: { code?: unknown; message?: unknown } } | null | undefined)?.error ?? {};
  return typeof code === 'number' && typeof message === 'string';
}

/** The answers of a batch, one for each request, because viem matches them by order only. */
function inOrder(asked: string, said: unknown): string {
  const requests: { readonly id: number }[] = JSON.parse(asked);
  const answers = new Map((Array.isArray(said) ? said : []).map((each) => [each?.id, each]));
  const missing = { error: { code: INTERNAL_ERROR, message: 'The batch has no answer to this request.' } };
  const otherwise = isError(said) ? (said as object) : missing;
  return JSON.stringify(requests.map(({ id }) => ({ ...(answers.get(id) ?? otherwise), id })));
}
