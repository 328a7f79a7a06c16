import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Role } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { callerBehind } from '@bowline/http/caller';
import { pageRecogniser } from '@bowline/http/page-secret';
import { createHttpServer } from '@bowline/http/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { z } from 'zod';
import { agentCard } from '../../../agent/src/api/a2a/card.ts';
import { createA2a } from '../../../agent/src/api/a2a.ts';
import { createLimits } from '../../../agent/src/api/http/limits.ts';
import { createApp } from '../../../agent/src/api/http.ts';
import { createMcpRouter } from '../../../agent/src/api/mcp.ts';
import { callTool } from '../../../agent/src/tools/call.ts';
import { tools } from '../../../agent/src/tools/index.ts';
import type { Tool } from '../../../agent/src/tools/tool.ts';
import { keepLog } from '../../../agent/test/api/log.ts';
import { world } from '../../../agent/test/tools/world.ts';

// A process of `npm run lab -- bench:http`: serves one kind of server on a free port, and tells its CPU time when asked.

export type Kind = 'ours' | 'mcp' | 'mcp-same' | 'a2a';

const version = '0.1.0';
const text = z.object({ text: z.string() });
/** Costs nothing, so that a call costs what the protocol costs. */
const echo: Tool = {
  name: 'echo',
  title: 'Echo',
  description: 'Echoes.',
  effect: 'read',
  input: text,
  output: text,
  run: async (input) => input,
};
const served = [...tools, echo];
const call = callTool(served, world, () => {});

/** The agent's own server, with tools that answer from memory. */
function ours(): RequestListener {
  const allowedHosts = ['127.0.0.1'];
  const log = keepLog();
  const raised = { answers: 1e9, answersOfPage: 0, caller: 1e9, door: 2e9, refusals: 1e9 };
  const callers = { callerOf: callerBehind(0), isPage: pageRecogniser(undefined) };
  const app = createApp({
    answer: async () => ({ ok: false, code: 'internal', message: 'Not asked here.', retryable: false }),
    limits: createLimits(raised, callers, () => performance.now()),
    mcp: createMcpRouter({ tools: served, call, version, log }),
    a2a: createA2a({ tools: served, call, version, publicUrl: 'http://127.0.0.1', log }),
    allowedHosts,
    log,
  });
  return app;
}

/** As the SDK's documentation serves: a factory for each request, on node:http. */
function mcp(register: (server: McpServer) => void): RequestListener {
  const serve = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: 'plain', version });
      register(server);
      return server;
    }),
  );
  return (request, response) => void serve(request as Parameters<typeof serve>[0], response);
}

function registerEcho(server: McpServer): void {
  server.registerTool('echo', { description: 'Echoes.', inputSchema: text, outputSchema: text }, async (input) => ({
    content: [{ type: 'text', text: JSON.stringify(input) }],
    structuredContent: input,
  }));
}

function registerOurs(server: McpServer): void {
  for (const { name, title, description, input, output } of served) {
    const shown = { title, description, inputSchema: input as z.ZodType, outputSchema: output as z.ZodType };
    server.registerTool(name, shown, async () => {
      const value = { text: 'x' };
      return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
    });
  }
}

/** As the SDK's documentation serves: on Express. */
function a2a(): RequestListener {
  const executor: AgentExecutor = {
    async execute({ contextId }, bus) {
      const content = { $case: 'data' as const, value: { ok: true } };
      const part = { content, mediaType: 'application/json', filename: '', metadata: undefined };
      const rest = { contextId, taskId: '', extensions: [], metadata: {}, referenceTaskIds: [] };
      bus.publish(
        AgentEvent.message({ messageId: crypto.randomUUID(), role: Role.ROLE_AGENT, parts: [part], ...rest }),
      );
      bus.finished();
    },
    cancelTask: async (_taskId, bus) => bus.finished(),
  };
  const card = agentCard({ publicUrl: 'http://127.0.0.1', version, tools: [], sells: false, answers: false });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const legacyCompat = { enabled: true };
  const handler = jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat });
  return express().use('/a2a', handler);
}

const kinds: Readonly<Record<Kind, () => RequestListener>> = {
  ours,
  mcp: () => mcp(registerEcho),
  'mcp-same': () => mcp(registerOurs),
  a2a,
};

const kind = process.argv[2] as Kind;
const listener = kinds[kind]();
const server = (kind === 'ours' ? createHttpServer(listener) : createServer(listener)).listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// The benchmark has gone.
process.on('disconnect', () => process.exit());
