import type { Log } from '@bowline/core/domain/log';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer, type ServerNotifier } from '@modelcontextprotocol/server';
import express, { type RequestHandler, type Response } from 'express';

const MAX_BODY_BYTES = 64 * 1024;

export interface Endpoint {
  /** Serves the path at which it is mounted, and nothing below it. */
  readonly serve: RequestHandler;
  /** Notifies listening clients that a list of the server has changed. */
  readonly notify: ServerNotifier;
}

/**
 * Serves MCP over HTTP in both generations of the protocol, without sessions.
 * @param make makes the server of one request.
 */
export function createEndpoint(make: () => McpServer, log: Log): Endpoint {
  const onerror = (error: Error) => log.warn('mcp.rejected', { error: error.name });
  const handler = createMcpHandler(make, { onerror });
  const serve = toNodeHandler(handler, { onerror });
  const json = express.json({ limit: MAX_BODY_BYTES, strict: false });
  return {
    notify: handler.notify,
    serve(request, response, next) {
      if (request.path !== '/') return next();
      // The 2025 revisions refuse clients that do not name both formats, although `*/*` accepts either.
      const { accept = '*/*' } = request.headers;
      if (accept === '*/*') request.headers.accept = 'application/json, text/event-stream';
      json(request, response, (error?: unknown) => {
        if (error !== undefined) return sendBodyError(error, response) ? undefined : next(error);
        if (Array.isArray(request.body)) return sendError(response, 400, -32600, NO_BATCHES);
        serve(request, response, request.body).catch(next);
      });
    },
  };
}

// One batch would count as one request in the rate limit; the protocol has removed batches.
const NO_BATCHES = 'Batches are not supported: send one message per request.';

const bodyErrors = new Map<unknown, string>([
  [400, 'Parse error'],
  [413, 'The body is too large.'],
  [415, 'Send JSON in UTF-8.'],
]);

/** Reports an unreadable body in the protocol's own error format. @returns whether it was one. */
function sendBodyError(error: unknown, response: Response): boolean {
  const { status } = error as { readonly status?: number };
  const message = bodyErrors.get(status);
  if (status === undefined || message === undefined) return false;
  sendError(response, status, -32700, message);
  return true;
}

function sendError(response: Response, status: number, code: number, message: string): void {
  response.status(status).json({ jsonrpc: '2.0', id: null, error: { code, message } });
}
