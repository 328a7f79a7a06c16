import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { lackingIn } from '../../tools/read-input.ts';
import type { Tool } from '../../tools/tool.ts';
import { listedInput } from './listed.ts';

/** The one question that a call may ask back: a form of the fields that it lacks. */
const FORM = 'missing_input';

type Json = Record<string, unknown>;

/** Whether the client of a request can ask its person; before 2026-07-28 requests did not say it. */
function canAsk({ mcpReq }: ServerContext): boolean {
  // The SDK's type of the envelope has no keys.
  const envelope: Readonly<Record<string, ClientCapabilities>> = mcpReq.envelope ?? {};
  return envelope[CLIENT_CAPABILITIES_META_KEY]?.elicitation !== undefined;
}

/** A call's input, with what its person has filled in since: nothing that the call itself has named is replaced. */
export function filledIn(input: unknown, { mcpReq }: ServerContext): unknown {
  const filled = acceptedContent(mcpReq.inputResponses, FORM, z.record(z.string(), z.unknown()));
  return filled === undefined ? input : { ...filled, ...(input as Json) };
}

/**
 * Asks the person behind the client for the fields that a call lacks, such as a side, a size or an address.
 * @returns undefined if the client cannot ask, it has asked already, or something else is wrong, too.
 */
export function askBack(tool: Tool, input: unknown, context: ServerContext): InputRequiredResult | undefined {
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
