import type { Result } from '@bowline/core/domain/result';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallTool } from '../../tools/call.ts';

type Json = Record<string, unknown>;

/** A call of a tool, as a client sent it. */
export interface McpCall {
  readonly tool: string;
  readonly input: unknown;
  /** `_meta` of the request without the protocol's own keys, e.g. a payment. */
  readonly meta: Readonly<Json>;
  /** Extensions that the client has declared with this request, by name; empty before 2026-07-28. */
  readonly extensions: Readonly<Json>;
  /** Of the HTTP request's header. */
  readonly idempotencyKey?: string | undefined;
  /** Aborted when the client cancels the call or is gone. */
  readonly signal: AbortSignal;
}

/** Shows a tool's answer or failure as a result. */
type Show = (result: Result<Json>) => CallToolResult;

/** Charges for a call before it is served: `free` serves it, `show` shows an answer that was had otherwise. */
export type ChargeCall = (call: McpCall, free: () => Promise<CallToolResult>, show: Show) => Promise<CallToolResult>;

/** Makes the results of calls. @param charge absent: every call is free. */
export function createServeCall(call: CallTool, charge?: ChargeCall) {
  return async (tool: string, input: unknown, context: ServerContext): Promise<CallToolResult> => {
    const free = async () => shown(await call(tool, input));
    return charge === undefined ? free() : charge(callOf(tool, input, context), free, shown);
  };
}

const shown: Show = (result) => {
  if (result.ok) {
    return { content: [{ type: 'text', text: JSON.stringify(result.value) }], structuredContent: result.value };
  }
  const { code, message, retryable } = result;
  return { content: [{ type: 'text', text: JSON.stringify({ code, message, retryable }) }], isError: true };
};

function callOf(tool: string, input: unknown, { mcpReq, http }: ServerContext): McpCall {
  // The SDK's type of the envelope has no keys.
  const envelope: Readonly<Record<string, ClientCapabilities>> = mcpReq.envelope ?? {};
  return {
    tool,
    input,
    meta: mcpReq._meta ?? {},
    extensions: envelope[CLIENT_CAPABILITIES_META_KEY]?.extensions ?? {},
    idempotencyKey: http?.req?.headers.get('idempotency-key') ?? undefined,
    signal: mcpReq.signal,
  };
}
