import type { Asking } from '@bowline/core/domain/asking';
import type { Result } from '@bowline/core/domain/result';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { sentences } from '../../ask/reply/sentences.ts';
import type { CallTool } from '../../tools/call.ts';
import { isJson, lackingIn } from '../../tools/read-input.ts';
import type { Tool } from '../../tools/tool.ts';
import { listedInput } from './listed.ts';

/** The one question that a call may ask back: a form of the fields that it lacks. */
const FORM = 'missing_input';

type Json = Record<string, unknown>;

/** Whether the client can ask its user. Requests before revision 2026-07-28 did not say. */
function canAsk({ mcpReq }: ServerContext): boolean {
  // The SDK's type of the envelope has no keys.
  const envelope: Readonly<Record<string, ClientCapabilities>> = mcpReq.envelope ?? {};
  return envelope[CLIENT_CAPABILITIES_META_KEY]?.elicitation !== undefined;
}

/** A call's input plus what the user has filled in since. Fields of the call itself are not replaced. */
function filledIn(input: unknown, { mcpReq }: ServerContext): unknown {
  const filled = acceptedContent(mcpReq.inputResponses, FORM, z.record(z.string(), z.unknown()));
  return filled === undefined ? input : { ...filled, ...(input as Json) };
}

/**
 * Asks the user for the fields that a call lacks, such as a side, a size or an address.
 * @returns undefined if the client cannot ask, it has asked already, or the call has another error as well.
 */
function askBack(tool: Tool, input: unknown, context: ServerContext): InputRequiredResult | undefined {
  if (!canAsk(context) || context.mcpReq.inputResponses?.[FORM] !== undefined) return undefined;
  const lacking = lackingIn(tool.input, (input ?? {}) as Json);
  if (lacking.length === 0) return undefined;
  const { properties } = listedInput(tool) as {
    readonly properties: Readonly<Record<string, z.core.JSONSchema.BaseSchema>>;
  };
  const asked = Object.fromEntries(lacking.map((field) => [field, properties[field]]));
  const requestedSchema = { type: 'object' as const, properties: asked as never, required: lacking };
  const message = `${tool.title}: what is still missing.`;
  return inputRequired({ inputRequests: { [FORM]: inputRequired.elicit({ message, requestedSchema }) } });
}

/** A call of a tool, as a client sent it. */
export interface McpCall {
  readonly tool: string;
  readonly input: unknown;
  /** `_meta` of the request without the protocol's own keys, e.g. a payment. */
  readonly meta: Readonly<Json>;
  /** Of the HTTP request's header. */
  readonly idempotencyKey?: string | undefined;
  /** Aborted when the client cancels the call or is gone. */
  readonly signal: AbortSignal;
  /** Reports progress to the client, if it asked for that. */
  readonly progress: NonNullable<Asking['progress']>;
}

/** Shows a tool's answer or failure as a result. */
type Show = (result: Result<Json>) => CallToolResult;

/** Charges for a call before it is served: `free` serves it, `show` shows an answer obtained otherwise. */
export type ChargeCall = (call: McpCall, free: () => Promise<CallToolResult>, show: Show) => Promise<CallToolResult>;

/** Makes the results of calls. @param charge absent: every call is free. */
export function createServeCall(tools: readonly Tool[], call: CallTool, charge?: ChargeCall) {
  return async (
    name: string,
    given: unknown,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> => {
    const input = filledIn(given, context);
    const tool = tools.find((each) => each.name === name);
    const question = tool && askBack(tool, input, context);
    if (question !== undefined) return question;
    const show: Show = (result) => shown(tools, name, input, result);
    const free = async () => show(await call(name, input, askingOf(context)));
    return charge === undefined ? free() : charge(callOf(name, input, context), free, show);
  };
}

/**
 * Nothing is sent twice: the text says in a sentence what the structured content has in fields. A result without a
 * sentence is JSON in both, for clients that read only the text.
 */
function shown(tools: readonly Tool[], name: string, input: unknown, result: Result<Json>): CallToolResult {
  if (!result.ok) {
    const { code, message, retryable } = result;
    return { content: [{ type: 'text', text: JSON.stringify({ code, message, retryable }) }], isError: true };
  }
  const brief = tools.find((tool) => tool.name === name)?.brief;
  const structuredContent = brief === undefined ? result.value : brief.of(result.value as never);
  const sentence = sentences.get(name)?.(result.value, { tool: name, input: isJson(input) ? input : {} });
  const text = { type: 'text' as const, text: sentence ?? JSON.stringify(structuredContent) };
  const { evidence_uri: uri } = structuredContent;
  if (typeof uri !== 'string') return { content: [text], structuredContent };
  const link = { type: 'resource_link' as const, uri, name: 'evidence', mimeType: 'application/json' };
  return { content: [text, link], structuredContent };
}

/** Lets a call report progress to a client that asked for it, and stop when nobody waits for it. */
function askingOf({ mcpReq }: ServerContext): Required<Asking> {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    progress(progress, total, message) {
      if (progressToken === undefined || mcpReq.signal.aborted) return;
      const params = { progressToken, progress, total, message };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    },
  };
}

function callOf(tool: string, input: unknown, context: ServerContext): McpCall {
  const { mcpReq, http } = context;
  const idempotencyKey = http?.req?.headers.get('idempotency-key') ?? undefined;
  return { tool, input, meta: mcpReq._meta ?? {}, idempotencyKey, ...askingOf(context) };
}
