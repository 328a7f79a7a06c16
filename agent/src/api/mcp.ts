import type { Log } from '@bowline/core/domain/log';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express, { type RequestHandler, type Response } from 'express';
import type { CallTool } from '../tools/call.ts';
import type { Tool } from '../tools/tool.ts';
import { type ChargeCall, createServeCall } from './mcp/call.ts';
import { listedOf, listedWithPrice } from './mcp/listed.ts';
import { addPrompts, promptInputs } from './mcp/prompts.ts';
import { addResources, type ResourceParts } from './mcp/resources.ts';

export interface McpParts {
  readonly tools: readonly Tool[];
  readonly call: CallTool;
  readonly version: string;
  readonly log: Log;
  /** Absent: every call is free. */
  readonly charge?: ChargeCall;
  /** An evidence document by its hash. Absent: there is none. */
  readonly evidence?: ResourceParts['evidence'];
  /** Symbols of the listed assets, for completion. */
  readonly symbols?: readonly string[];
}

/**
 * Serves the tools over both generations of the Model Context Protocol, without sessions. The app decides who may call.
 */
export function createMcpRouter({
  charge,
  evidence = async () => undefined,
  symbols = [],
  ...parts
}: McpParts): RequestHandler {
  const { tools, call, version, log } = parts;
  const listed = tools.map(charge === undefined ? listedOf : listedWithPrice);
  const serveCall = createServeCall(tools, call, charge);

  const prompts = promptInputs(symbols);

  const make = () => {
    const server = new McpServer({ name: 'bowline', title: 'Bowline', version }, { instructions, capabilities });
    for (const { name, ...shown } of listed) {
      server.registerTool(name, shown, (input, context) => serveCall(name, input, context));
    }
    addResources(server, { call, evidence });
    addPrompts(server, prompts);
    return server;
  };
  return createEndpoint(make, log).serve;
}

/** These lists never change while the process runs. */
const capabilities = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
} as const;

const instructions =
  'Prices, fair-price verdicts, swap quotes, standing plans and loan guards on BNB Chain. All tools only read. ' +
  'A verdict of check_asset is final: report it as it is.';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Serves MCP over HTTP in both generations of the protocol, without sessions.
 * @param make makes the server of one request.
 */
export function createEndpoint(make: () => McpServer, log: Log) {
  const onerror = (error: Error) => log.warn('mcp.rejected', { error: error.name });
  const handler = createMcpHandler(make, { onerror });
  const serve = toNodeHandler(handler, { onerror });
  const json = express.json({ limit: MAX_BODY_BYTES, strict: false });
  return {
    /** Notifies listening clients that a list of the server has changed. */
    notify: handler.notify,
    /** Serves the path at which it is mounted, and nothing below it. */
    serve: ((request, response, next) => {
      if (request.path !== '/') return next();
      // The 2025 revisions refuse clients that do not name both formats, although `*/*` accepts either.
      const { accept = '*/*' } = request.headers;
      if (accept === '*/*') request.headers.accept = 'application/json, text/event-stream';
      json(request, response, (error?: unknown) => {
        if (error !== undefined) return sendBodyError(error, response) ? undefined : next(error);
        if (Array.isArray(request.body)) return sendError(response, 400, -32600, NO_BATCHES);
        serve(request, response, request.body).catch(next);
      });
    }) as RequestHandler,
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
