import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isJsonContentType,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type McpServer,
  type McpServerOptions,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { Request as Incoming, Response as Outgoing } from 'express';
import { keep } from './kept.ts';

const MODERN = '2026-07-28';

/** Serves a request if it is a plain call. @returns whether it is one. */
export type ServePlainCall = (incoming: Incoming, response: Outgoing, http: Request) => boolean;

/**
 * Serves plain calls of tools by servers that stay connected. A call is plain if it asks for a result and nothing else: no
 * progress, no payment. All else, and whatever the server refuses before a tool runs, is left to the SDK's entry, which
 * answers a plain call with the same bytes.
 * @param tools that send nothing but their result to such a call, and take no arguments from headers.
 */
export function createPlainCalls(
  make: (options?: McpServerOptions) => McpServer,
  tools: ReadonlySet<string>,
  onerror: (error: Error) => void,
): ServePlainCall {
  const kept = {
    modern: keep(
      make({ supportedProtocolVersions: [MODERN, ...SUPPORTED_PROTOCOL_VERSIONS] }),
      { era: 'modern', revision: MODERN },
      onerror,
    ),
    legacy: keep(make(), { era: 'legacy' }, onerror),
  };
  return (incoming, response, http) => {
    const call = plainCallOf(incoming, tools);
    if (call === undefined) return false;
    let isOver = false;
    const cancel = kept[call.era].ask(call.request, http, (answered) => {
      isOver = true;
      write[call.era](response, answered);
    });
    if (cancel === undefined) return false;
    response.once('close', () => {
      if (!isOver) cancel();
    });
    return true;
  };
}

const write = {
  modern(response: Outgoing, answered: JSONRPCResponse): void {
    const isRefused = 'error' in answered && answered.error.code === ProtocolErrorCode.MissingRequiredClientCapability;
    end(response, isRefused ? 400 : 200, { 'content-type': 'application/json' }, JSON.stringify(answered));
  },
  legacy(response: Outgoing, answered: JSONRPCResponse): void {
    end(response, 200, eventStream, `event: message\ndata: ${JSON.stringify(answered)}\n\n`);
  },
};

/** As the SDK heads its streams. */
const eventStream = {
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'content-type': 'text/event-stream',
  'x-accel-buffering': 'no',
};

function end(response: Outgoing, status: number, headers: Readonly<Record<string, string>>, text: string): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

interface PlainCall {
  readonly era: 'modern' | 'legacy';
  readonly request: JSONRPCRequest;
}

/**
 * Reads a plain call. What its headers and envelope say is compared here, as the SDK's entry does; their schemas are the
 * server's to check.
 */
function plainCallOf({ headers, body, method }: Incoming, tools: ReadonlySet<string>): PlainCall | undefined {
  if (method !== 'POST' || !isJsonContentType(headers['content-type'] ?? null)) return undefined;
  if (!hasOnly(body, messageKeys) || body.jsonrpc !== '2.0' || body.method !== 'tools/call') return undefined;
  if (typeof body.id !== 'string' && !Number.isSafeInteger(body.id)) return undefined;
  const { params } = body;
  if (!hasOnly(params, paramKeys) || typeof params.name !== 'string' || !tools.has(params.name)) return undefined;
  const request = body as unknown as JSONRPCRequest;
  const { name, _meta: envelope } = params;
  const { accept = '', 'mcp-protocol-version': version, 'mcp-method': mcpMethod, 'mcp-name': mcpName } = headers;
  if (envelope !== undefined) {
    const isModern = hasOnly(envelope, envelopeKeys) && envelope[PROTOCOL_VERSION_META_KEY] === MODERN;
    const isNamed = version === MODERN && mcpMethod === body.method && mcpName === name;
    return isModern && isNamed ? { era: 'modern', request } : undefined;
  }
  const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
  const takesBoth = accept.includes('application/json') && accept.includes('text/event-stream');
  return isKnown && takesBoth ? { era: 'legacy', request } : undefined;
}

const messageKeys = ['jsonrpc', 'id', 'method', 'params'];
const paramKeys = ['name', 'arguments', '_meta'];
const envelopeKeys = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY];

function hasOnly(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const key in value) if (!keys.includes(key)) return false;
  return true;
}
