import type { Log } from '@bowline/core/domain/ports';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { CallTool } from '../tools/call.ts';
import type { Tool } from '../tools/tool.ts';
import { type ChargeCall, createServeCall } from './mcp/call.ts';
import { listedOf } from './mcp/listed.ts';
import { addPrompts } from './mcp/prompts.ts';
import { addResources, type ResourceParts } from './mcp/resources.ts';
import { createServe } from './mcp/serve.ts';
import { createServers } from './mcp/servers.ts';

const MAX_BODY_BYTES = 64 * 1024;

export interface McpParts {
  readonly tools: readonly Tool[];
  readonly call: CallTool;
  readonly version: string;
  readonly log: Log;
  /** Absent: every call is free. */
  readonly charge?: ChargeCall;
  /** An evidence document by its hash. Absent: there is none. */
  readonly evidence?: ResourceParts['evidence'];
  /** Symbols of the listed assets, to complete what is typed. */
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
}: McpParts): Router {
  const { tools, call, version, log } = parts;
  const listed = tools.map(listedOf);
  const serveCall = createServeCall(tools, call, charge);

  const make = () => {
    const server = new McpServer({ name: 'bowline', title: 'Bowline', version }, { instructions });
    for (const { name, ...shown } of listed) {
      server.registerTool(name, shown, (input, context) => serveCall(name, input, context));
    }
    addResources(server, { call, evidence });
    addPrompts(server, symbols);
    return server;
  };
  const onerror = (error: Error) => log.warn('mcp.rejected', { error: error.name });
  const handler = createMcpHandler(createServers(make), { onerror });
  const serve = createServe(handler);

  const router = Router();
  router.use(express.json({ limit: MAX_BODY_BYTES, strict: false }), onBodyError);
  router.use(refuseBatches);
  router.all('/', serve);
  return router;
}

const instructions =
  'Prices, fair-price verdicts, swap quotes, standing plans and loan guards on BNB Chain. All tools only read. ' +
  'A verdict of check_asset is final: report it as it is.';

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
