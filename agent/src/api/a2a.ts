import { type AgentCardSignatureGenerator, type Message, type Part, Role } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type PushNotificationSender, type RequestContext } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import type { Log } from '@bowline/core/domain/log';
import { BowlineError, internalFailure } from '@bowline/core/domain/result';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { Progress } from '../seller/progress.ts';
import type { Reply } from '../seller/seller.ts';
import { agentCard } from './a2a/card.ts';
import { A2aRequestHandler, isStreaming, outputFor } from './a2a/handler.ts';
import { createTasks, createWaiting, jobIdOf, taskIdOf } from './a2a/job-tasks.ts';
import type { Pushes } from './a2a/push.ts';
import { isNotice, replyTo, type Skills } from './a2a/reply.ts';

const MAX_BODY_BYTES = 64 * 1024;

export interface A2aParts extends Skills {
  /** Public base URL of this service, without a trailing slash; published in the card. */
  readonly publicUrl: string;
  readonly version: string;
  /** Unix seconds. */
  readonly startedAt: bigint;
  readonly log: Log;
  /** Absent: nobody can wait for a job. */
  readonly jobs?: {
    readonly progress: Progress;
    readonly pushes: Pushes;
    /** Whether notifications may be posted there. */
    readonly isPushUrl: (url: string) => boolean;
  };
  /** Absent: the card is not signed. */
  readonly sign?: AgentCardSignatureGenerator;
}

/**
 * A2A 1.0 and 0.3: the card and JSON-RPC. An answer is one Message whose first part is data, the part buyers read. Who
 * asks to wait for a job gets its Task. Nobody can list them.
 */
export function createA2a(parts: A2aParts): { readonly card: RequestHandler; readonly rpc: Router } {
  const { publicUrl, version, tools, answer, seller, log, jobs, sign, startedAt } = parts;
  const waiting = jobs && createWaiting(jobs.progress);

  /** The events of a job for whoever asks for them: by a stream, or with an address for notifications. */
  async function waitFor({ request, context, userMessage }: RequestContext, reply: Reply) {
    const id = isNotice(userMessage.parts) && reply.status === 'accepted' ? jobIdOf(`job-${reply.job_id}`) : undefined;
    const { taskPushNotificationConfig: push, returnImmediately } = request.configuration ?? {};
    // Clients of 0.3 that say nothing seem to ask for it.
    const wantsTask = isStreaming(context) || push || (returnImmediately && context.requestedVersion === '1.0');
    if (jobs === undefined || waiting === undefined || id === undefined || !wantsTask) return undefined;
    const first = await jobs.progress.read(id);
    if (push && first) {
      // The job is accepted all the same, and its task tells.
      await jobs.pushes
        .save(taskIdOf(id), context, structuredClone(push))
        .catch((error: unknown) => log.warn('push.not_registered', { jobId: id, error: String(error) }));
    }
    return first && waiting.follow(id, first);
  }

  const executor: AgentExecutor = {
    async execute(requestContext, bus) {
      const { userMessage, contextId, request } = requestContext;
      let hasBegun = false;
      try {
        const reply = await replyTo(userMessage.parts ?? [], parts);
        const events = await waitFor(requestContext, reply);
        if (events === undefined) bus.publish(AgentEvent.message(messageOf(reply, contextId, request.configuration)));
        for await (const event of events ?? []) {
          bus.publish(event);
          hasBegun = true;
        }
      } catch (error) {
        // An exception thrown here would reach the caller verbatim. A task that has begun can be asked for again.
        const isOurs = error instanceof BowlineError;
        if (!isOurs) log.error('a2a.internal', { error: String(error) });
        const { code, message, retryable } = isOurs ? error : internalFailure;
        const reply = { ...(retryable && { status: 'retry' }), error: message, code, retryable };
        if (!hasBegun) bus.publish(AgentEvent.message(messageOf(reply, contextId, request.configuration)));
      }
      bus.finished();
    },
    // What the buyer has paid for is delivered.
    cancelTask: async (_taskId, bus) => bus.finished(),
  };
  const has = {
    sells: seller !== undefined,
    answers: answer !== undefined,
    waits: jobs !== undefined,
  };
  const card = agentCard({ publicUrl, version, tools, ...has });
  const requestHandler = new A2aRequestHandler(
    jobs && waiting && { progress: jobs.progress, isPushUrl: jobs.isPushUrl, waiting },
    card,
    createTasks(jobs?.progress),
    executor,
    undefined,
    jobs?.pushes,
    noSender,
    undefined,
    sign,
  );
  const legacyCompat = { enabled: true };

  const rpc = Router();
  rpc.post('/', express.json({ limit: MAX_BODY_BYTES, strict: false }), onBodyError, normaliseVersion);
  rpc.post('/', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat }));
  const shown = agentCardHandler({ agentCardProvider: requestHandler, legacyCompat });
  // It changes when the agent starts.
  const lastModified = new Date(Number(startedAt) * 1_000).toUTCString();
  return {
    card: (request, response, next) => {
      response.set('Last-Modified', lastModified);
      shown(request, response, next);
    },
    rpc,
  };
}

/** Receivers are told of the chain's word, not of a request's. */
const noSender: PushNotificationSender = { send: async () => {} };

type Configuration = RequestContext['request']['configuration'];

/** One part: data, or the same as text for a client that takes only that. */
function partOf(reply: Reply, configuration: Configuration): Part {
  const isText = outputFor(configuration?.acceptedOutputModes) === 'text/plain';
  const words = typeof reply.result === 'string' ? reply.result : JSON.stringify(reply);
  return {
    content: isText ? { $case: 'text', value: words } : { $case: 'data', value: reply },
    mediaType: isText ? 'text/plain' : 'application/json',
    filename: '',
    metadata: undefined,
  };
}

function messageOf(reply: Reply, contextId: string, configuration: Configuration): Message {
  return {
    messageId: crypto.randomUUID(),
    role: Role.ROLE_AGENT,
    contextId,
    taskId: '',
    parts: [partOf(reply, configuration)],
    extensions: [],
    metadata: {},
    referenceTaskIds: [],
  };
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
