import type { Log } from '@bowline/core/domain/log';
import { McpServer } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import type { CallTool } from '../tools/call.ts';
import type { Tool } from '../tools/tool.ts';
import { type ChargeCall, createServeCall } from './mcp/call.ts';
import { createEndpoint } from './mcp/endpoint.ts';
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

/** The lists are those of the process: none ever changes. */
const capabilities = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
} as const;

const instructions =
  'Prices, fair-price verdicts, swap quotes, standing plans and loan guards on BNB Chain. All tools only read. ' +
  'A verdict of check_asset is final: report it as it is.';
