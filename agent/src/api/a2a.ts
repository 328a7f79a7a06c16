import { Role } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type RequestHeaders,
  type ServerCallContext,
  STATE_HEADERS_KEY,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import type { Log } from '@bowline/core/domain/ports';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { agentCard } from './a2a/card.ts';
import type { ServePaid } from './a2a/payment.ts';
import { replyTo, type Skills } from './a2a/reply.ts';
import { createTasks } from './a2a/tasks.ts';

const MAX_BODY_BYTES = 64 * 1024;

export interface A2aParts extends Skills {
  /** Public base URL of this service, without a trailing slash; published in the card. */
  readonly publicUrl: string;
  readonly version: string;
  readonly log: Log;
  /** Absent: every answer is free. */
  readonly servePaid?: ServePaid;
}

/** Tasks that wait for a payment, or were paid. */
const MAX_TASKS = 1_000;

/**
 * A2A 1.0 and 0.3: the card and JSON-RPC. An answer is one Message whose first part is data, the part buyers read; what
 * must be paid is a Task, which nobody else can list.
 */
export function createA2a(parts: A2aParts): { readonly card: RequestHandler; readonly rpc: Router } {
  const { publicUrl, version, tools, answer, seller, log, servePaid } = parts;
  const executor: AgentExecutor = {
    async execute({ userMessage, contextId, taskId, task, context }, bus) {
      const idempotencyKey = headerOf(context, 'idempotency-key');
      const incoming = { message: userMessage, task, taskId, contextId, idempotencyKey };
      const paid = await servePaid?.(incoming).catch((error: unknown) => {
        log.error('a2a.internal', { error: String(error) });
        throw new Error('Internal error. It has been logged.');
      });
      if (paid !== undefined) {
        bus.publish(AgentEvent.task(paid));
        return bus.finished();
      }
      // An exception thrown here would reach the caller verbatim.
      const data = await replyTo(userMessage.parts ?? [], parts).catch((error: unknown) => {
        log.error('a2a.internal', { error: String(error) });
        const message = 'Internal error. It has been logged.';
        return { status: 'retry', error: message, code: 'internal', retryable: true };
      });
      const part = {
        content: { $case: 'data' as const, value: data },
        mediaType: 'application/json',
        filename: '',
        metadata: undefined,
      };
      bus.publish(
        AgentEvent.message({
          messageId: crypto.randomUUID(),
          role: Role.ROLE_AGENT,
          contextId,
          taskId: '',
          parts: [part],
          extensions: [],
          metadata: {},
          referenceTaskIds: [],
        }),
      );
      bus.finished();
    },
    // A task that waits for a payment has nothing under way.
    cancelTask: async (_taskId, bus) => bus.finished(),
  };
  const has = { sells: seller !== undefined, answers: answer !== undefined, charges: servePaid !== undefined };
  const card = agentCard({ publicUrl, version, tools, ...has });
  const requestHandler = new DefaultRequestHandler(card, createTasks(MAX_TASKS), executor);
  const legacyCompat = { enabled: true };

  const rpc = Router();
  rpc.post('/', express.json({ limit: MAX_BODY_BYTES, strict: false }), onBodyError, normaliseVersion);
  rpc.post('/', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat }));
  return { card: agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }), rpc };
}

function headerOf({ state }: ServerCallContext, name: string): string | undefined {
  const value = (state.get(STATE_HEADERS_KEY) as RequestHeaders | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

// In the protocol's own error format: every JSON-RPC response has status 200.
const onBodyError: ErrorRequestHandler = (error: { status?: unknown }, _request, response, next) => {
  const messages = new Map<unknown, string>([
    [400, 'Parse error'],
    [413, `The body is over ${MAX_BODY_BYTES} bytes.`],
    [415, 'Send JSON in UTF-8.'],
  ]);
  const message = messages.get(error.status);
  if (message === undefined) return next(error);
  response.json({ jsonrpc: '2.0', id: null, error: { code: -32700, message } });
};

/**
 * Sets the version header, the SDK's only way to tell the two versions apart. Clients omit the header or send a patch
 * version, so the method decides: 1.0 uses SendMessage and 0.3 message/send. Requires a parsed body.
 */
const normaliseVersion: RequestHandler = (request, response, next) => {
  const { method, id } = (request.body ?? {}) as { method?: unknown; id?: unknown };
  const stated = (request.get('a2a-version') ?? '').trim();
  const ofMethod = typeof method === 'string' && /^[A-Z]/.test(method) ? '1.0' : '0.3';
  if (stated === '' || /^1\.0(\.\d+)?$/.test(stated)) request.headers['a2a-version'] = ofMethod;
  else if (/^0\.3(\.\d+)?$/.test(stated)) request.headers['a2a-version'] = '0.3';
  else {
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    const error = { code: -32009, message: 'Only A2A versions 1.0 and 0.3 are supported.' };
    response.json({ jsonrpc: '2.0', id: known, error });
    return;
  }
  next();
};
