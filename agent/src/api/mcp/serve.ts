import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Request as Incoming, Response as Outgoing } from 'express';
import type { ServePlainCall } from './plain-calls.ts';

/**
 * Serves requests whose body has been read and parsed. The SDK's adapter for Node writes the parsed body out again, makes a whole
 * `Request` of it and streams every response.
 * @param servePlainCall serves what it can in the handler's place.
 * @throws what the handler throws.
 */
export function createServe({ fetch }: McpHttpHandler, servePlainCall?: ServePlainCall) {
  return async (incoming: Incoming, response: Outgoing): Promise<void> => {
    const parsedBody: unknown = incoming.body;
    if (servePlainCall?.(incoming, response, withParsedBody(incoming, undefined))) return;
    const gone = new AbortController();
    let isOver = false;
    response.once('close', () => {
      if (!isOver) gone.abort();
    });
    const answered =
      parsedBody === undefined
        ? await fetch(withoutBody(incoming))
        : await fetch(withParsedBody(incoming, gone.signal), { parsedBody });
    const headers = Object.fromEntries(answered.headers);
    if (answered.body !== null && headers['content-type']?.startsWith('text/event-stream')) {
      response.writeHead(answered.status, headers);
      for await (const chunk of answered.body) {
        if (response.destroyed) break;
        response.write(chunk);
      }
      isOver = true;
      response.end();
      return;
    }
    isOver = true;
    const text = await answered.text();
    response.writeHead(answered.status, { ...headers, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
}

const URL_OF_ALL = 'http://localhost/mcp';

/** What the SDK reads of a request whose body it gets parsed. */
function withParsedBody(incoming: Incoming, signal: AbortSignal | undefined): Request {
  const read: Pick<Request, 'method' | 'url'> & { readonly signal: AbortSignal | undefined } & {
    readonly headers: Pick<Headers, 'get'>;
  } = {
    method: incoming.method ?? 'POST',
    url: URL_OF_ALL,
    signal,
    headers: { get: (name) => incoming.headers[name.toLowerCase()]?.toString() ?? null },
  };
  return read as Request;
}

function withoutBody(incoming: Incoming): Request {
  const { 'content-type': type, accept } = incoming.headers;
  const headers = { ...(type && { 'content-type': type }), ...(accept && { accept }) };
  return new Request(URL_OF_ALL, { method: incoming.method ?? 'GET', headers });
}
