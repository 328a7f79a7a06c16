import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setImmediate } from 'node:timers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { createTransport, HttpRequestError, RpcRequestError, TimeoutError, type Transport } from 'viem';

// viem's own HTTP transport rests on `fetch`, and writes each request a second time for an error that never comes: both
// cost more than all else that a verdict does with the chain (decision 0048).

/** A JSON-RPC request, as viem's transports receive it. */
interface Asked {
  readonly method: string;
  readonly params?: unknown;
}

/** What a node said of one request: one of the two, if it keeps to JSON-RPC. */
interface Said {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface Waiting {
  readonly asked: Asked;
  readonly resolve: (said: Said) => void;
  readonly reject: (error: unknown) => void;
}

interface Options {
  /** From the request until the whole body of its answer has arrived: a node could hold it for ever by never ending it. */
  readonly timeoutMs: number;
  /** Concurrent requests go as batches of up to this many; 1: each by itself. */
  readonly batchSize: number;
  readonly retryCount: number;
  readonly retryDelay?: number | undefined;
  /**
   * Whether a request is sent once more, on a new connection, if a kept one ends before any of the answer: the server may
   * have closed it at that moment, or have read the request. So only for what may be done twice.
   */
  readonly isRepeatable?: boolean;
}

/** Answers above this are refused. viem's own limit. */
const MAX_BYTES = 10_485_760;

const unzip = promisify(gunzip);

// Connections stay open between blocks, and keep no process alive.
const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

/**
 * JSON-RPC over HTTP as a transport of viem, with viem's errors: `TimeoutError`, `HttpRequestError` (with the status, if
 * there is one, and never with Retry-After, which viem obeys however long it is) and `RpcRequestError`. Redirections are
 * not followed. Credentials in the URL are sent as Basic authentication.
 */
export function httpTransport(url: string, options: Options): Transport {
  const { timeoutMs, batchSize, retryCount, retryDelay, isRepeatable = false } = options;
  const target = new URL(url);
  /** Errors carry it into logs. */
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  let lastId = 0;
  let waiting: Waiting[] = [];

  /** @throws HttpRequestError or TimeoutError */
  async function post(body: unknown): Promise<unknown> {
    try {
      const { status, statusText, text } = await exchange(
        target,
        Buffer.from(JSON.stringify(body)),
        timeoutMs,
        isRepeatable,
      );
      const isGood = status >= 200 && status < 300;
      if (isGood) return parsed(text);
      // The JSON-RPC error of a response with a failing status says more than the status.
      const said = parsedIfJson(text);
      if (isError(said)) return said;
      throw new HttpRequestError({ body: body as never, url: shown.href, details: text || statusText, status });
    } catch (error) {
      if (error instanceof HttpRequestError) throw error;
      if (error instanceof TooLate) throw new TimeoutError({ body: body as never, url: shown.href });
      throw new HttpRequestError({ body: body as never, cause: error as Error, url: shown.href });
    }
  }

  const written = ({ method, params }: Asked) => ({ jsonrpc: '2.0', id: ++lastId, method, params });

  async function sendBatch(batch: readonly Waiting[]): Promise<void> {
    const bodies = batch.map(({ asked }) => written(asked));
    try {
      const said = await post(bodies);
      const all: readonly Said[] = Array.isArray(said) ? said : [];
      for (const [at, { resolve, reject }] of batch.entries()) {
        const own = all.find((each) => each?.id === bodies[at]?.id) ?? (isError(said) ? (said as Said) : undefined);
        if (own) resolve(own);
        else reject(new HttpRequestError({ url: shown.href, details: 'The batch has no answer to this request.' }));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += batchSize) void sendBatch(all.slice(from, from + batchSize));
  }

  const inBatch = (asked: Asked): Promise<Said> =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      if (waiting.length === 1) setImmediate(flush);
    });

  async function request(asked: Asked): Promise<never> {
    const said = await (batchSize > 1 ? inBatch(asked) : (post(written(asked)) as Promise<Said>));
    if (said.error) throw new RpcRequestError({ body: { ...asked }, error: said.error, url: shown.href });
    return said.result as never;
  }

  return () =>
    createTransport(
      {
        ...{ key: 'http', name: 'HTTP JSON-RPC', type: 'http', request, retryCount, timeout: timeoutMs },
        ...(retryDelay !== undefined && { retryDelay }),
      },
      { url },
    );
}

/** @throws SyntaxError unless it is a JSON object or list. */
function parsed(text: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null) return value;
  throw new SyntaxError('The answer is no JSON object.');
}

function parsedIfJson(text: string): object | undefined {
  try {
    return parsed(text);
  } catch {
    return undefined;
  }
}

function isError(said: unknown): boolean {
  const { code, message } = (said as Said | undefined)?.error ?? {};
  return typeof code === 'number' && typeof message === 'string';
}

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly text: string;
}

class TooLate extends Error {}

/** The server ended a connection that had been used before, and sent nothing. */
class KeptConnectionEnded extends Error {}

/**
 * Sends a body and returns the whole answer.
 * @throws TooLate, or an error of Node.js
 */
async function exchange(url: URL, body: Buffer, timeoutMs: number, isRepeatable: boolean): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const agent = agents[url.protocol === 'https:' ? 'https:' : 'http:'];
  try {
    return await sendBy(agent, url, body, signal).catch((error: unknown) => {
      if (!isRepeatable || !(error instanceof KeptConnectionEnded)) throw error;
      return sendBy(false, url, body, signal);
    });
  } catch (error) {
    throw signal.aborted ? new TooLate() : error;
  }
}

/** @param agent keeps connections; false: a connection for this request alone. */
async function sendBy(agent: HttpAgent | false, url: URL, body: Buffer, signal: AbortSignal): Promise<Answer> {
  const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    ...{ method: 'POST', agent, signal },
    headers: { 'content-type': 'application/json', 'content-length': body.length, 'accept-encoding': 'gzip' },
  });
  let readBefore = 0;
  sent.on('socket', (socket) => {
    readBefore = socket.bytesRead;
  });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        const { statusCode: status = 0, statusMessage: statusText = '' } = response;
        textOf(response).then((text) => resolve({ status, statusText, text }), reject);
      });
      sent.end(body);
    });
  } catch (error) {
    const isUnanswered = sent.reusedSocket && !signal.aborted && sent.socket?.bytesRead === readBefore;
    sent.destroy();
    throw isUnanswered ? new KeptConnectionEnded((error as Error).message, { cause: error }) : error;
  }
}

/** @throws if the body breaks off, or is longer than it may be, packed or not. */
async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > MAX_BYTES) throw new Error(`The node's response is larger than ${MAX_BYTES} bytes.`);
  }
  const body = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  if (response.headers['content-encoding'] !== 'gzip') return body.toString();
  return (await unzip(body, { maxOutputLength: MAX_BYTES })).toString();
}
