import type { Json } from '@bowline/core/domain/payment';
import type { Log } from '@bowline/core/domain/ports';
import type { Result } from '@bowline/core/domain/result';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type CallToolResult,
  createMcpHandler,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { z } from 'zod';
import type { CallTool } from '../tools/call.ts';
import type { Tool } from '../tools/tool.ts';
import type { ChargeCall } from './mcp/payment.ts';

const MAX_BODY_BYTES = 64 * 1024;

export interface McpParts {
  readonly tools: readonly Tool[];
  readonly call: CallTool;
  readonly version: string;
  readonly log: Log;
  /** Absent: every call is free. */
  readonly charge?: ChargeCall;
}

/**
 * Serves the tools over both generations of the Model Context Protocol, without sessions. The app decides who may call.
 */
export function createMcpRouter({ tools, call, version, log, charge }: McpParts): Router {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(
        { name: 'bowline', title: 'Bowline', version },
        {
          instructions:
            'Prices, fair-price verdicts, swap quotes, standing plans and loan guards on BNB Chain. All tools only read. ' +
            'A verdict of check_asset is final: report it as it is.',
        },
      );
      for (const tool of tools) register(server, tool, call, charge);
      return server;
    },
    { onerror: (error) => log.warn('mcp.rejected', { error: error.name }) },
  );
  const serve = toNodeHandler(handler, { onerror: (error) => log.error('mcp.internal', { error: String(error) }) });

  const router = Router();
  router.use(express.json({ limit: MAX_BODY_BYTES, strict: false }), onBodyError);
  router.use(refuseBatches);
  router.all('/', async (request, response) => serve(request, response, request.body));
  return router;
}

function register(server: McpServer, tool: Tool, call: CallTool, charge: ChargeCall | undefined): void {
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: unparsed(tool.input),
      outputSchema: unparsed(tool.output),
      // Drafts are unsigned bytes, so they change nothing either.
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async (input, { mcpReq, http }) => {
      const free = async () => shown(await call(tool.name, input));
      if (charge === undefined) return free();
      const idempotencyKey = http?.req?.headers.get('idempotency-key') ?? undefined;
      return charge({ tool: tool.name, input, meta: mcpReq._meta ?? {}, idempotencyKey }, free, shown);
    },
  );
}

/** A tool's answer, or its failure, as a result. */
function shown(result: Result<Json>): CallToolResult {
  if (result.ok) {
    return { content: [{ type: 'text', text: JSON.stringify(result.value) }], structuredContent: result.value };
  }
  const { code, message, retryable } = result;
  return { content: [{ type: 'text', text: JSON.stringify({ code, message, retryable }) }], isError: true };
}

/**
 * A tool's schema for listings only: `callTool` does the parsing, and parsing twice would parse values that are already
 * transformed.
 */
function unparsed(schema: z.ZodType): StandardSchemaWithJSON {
  return { '~standard': { ...schema['~standard'], validate: (value) => ({ value }) } };
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
