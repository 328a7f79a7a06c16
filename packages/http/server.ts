import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { browserHeadersOf } from './browsers.ts';
import { problemJson } from './problem.ts';
import { type ProblemCode, problems, titles } from './problems.ts';

// An import would also load exports that a server does not use, above all WebSocket: 40 ms of a start.
const { createServer } = process.getBuiltinModule('node:http');

const slowSockets = { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 2_000 } as const;

/**
 * A server that cuts off clients that do not finish a request: headers within ten seconds, the whole request within
 * twenty. How long the answer takes is not limited. What Node refuses before there is a request also gets a problem.
 * @param publicUrl address of the server, for the `type` of problems; absent: they name no host.
 */
export function createHttpServer(listener: RequestListener, publicUrl = ''): Server {
  return createServer(slowSockets, listener).on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // A second answer after one has begun would be read as its body. Node's own handler checks the same member.
    const { _httpMessage: answering } = socket as Duplex & { readonly _httpMessage?: ServerResponse };
    if (!socket.writable || answering?.headersSent || error.code === 'ECONNRESET') return void socket.destroy();
    const [code, detail] = refusals[error.code ?? ''] ?? malformed;
    socket.end(responseOf(code, detail, publicUrl), () => socket.destroy());
  });
}

const malformed = ['malformed_request', 'The request is not HTTP/1.1.'] as const;

/** By the code of Node's error. */
const refusals: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', 'The extensions of a chunk are too large.'],
};

function responseOf(code: ProblemCode, detail: string, publicUrl: string): string {
  const { status } = problems[code];
  const body = problemJson(publicUrl, code, detail);
  const headers = {
    ...browserHeadersOf(publicUrl),
    Connection: 'close',
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${titles[status]}\r\n${lines.join('')}\r\n${body}`;
}
