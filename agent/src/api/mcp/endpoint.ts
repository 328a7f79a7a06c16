import type { Log } from '@bowline/core/domain/ports';
import {
  createMcpHandler,
  type McpServer,
  type McpServerOptions,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { createPlainCalls } from './plain-calls.ts';
import { createServe } from './serve.ts';
import { createServers } from './servers.ts';

const MAX_BODY_BYTES = 64 * 1024;

export interface Endpoint {
  readonly router: Router;
  /** Tells those who listen that a list of the servers has changed. */
  readonly notify: ServerNotifier;
}

/**
 * Serves MCP servers over HTTP in both generations of the protocol, without sessions.
 * @param make makes a server, with these options beside its own; all that it makes are alike.
 * @param tools that send nothing but their result to whoever asks for nothing else, and take no arguments from headers.
 */
export function createEndpoint(
  make: (options?: McpServerOptions) => McpServer,
  tools: readonly string[],
  log: Log,
): Endpoint {
  const onerror = (error: Error) => log.warn('mcp.rejected', { error: error.name });
  const handler = createMcpHandler(
    createServers(() => make()),
    { onerror },
  );
  const router = Router();
  router.use(express.json({ limit: MAX_BODY_BYTES, strict: false }), onBodyError);
  router.use(refuseBatches);
  router.all('/', createServe(handler, createPlainCalls(make, new Set(tools), onerror)));
  return { router, notify: handler.notify };
}

// One batch would count as one request in the rate limit; the protocol has removed batches.
const refuseBatches: RequestHandler = (request, response, next) => {
  if (!Array.isArray(request.body)) return next();
  const error = { code: -32600, message: 'Batches are not supported: send one message per request.' };
  response.status(400).json({ jsonrpc: '2.0', id: null, error });
};

// Reports an unreadable body in the protocol's own error format.
const onBodyError: ErrorRequestHandler = (error: { status?: unknown }, _request, response, next) => {
  const messages = new Map<unknown, string>([
    [400, 'Parse error'],
    [413, 'The body is too large.'],
    [415, 'Send JSON in UTF-8.'],
  ]);
  const message = messages.get(error.status);
  if (message === undefined) return next(error);
  response.status(error.status as number).json({ jsonrpc: '2.0', id: null, error: { code: -32700, message } });
};
