import type { AgentCardSignatureGenerator, Message, Part, SendMessageRequest } from '@a2a-js/sdk';
import {
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
} from '@a2a-js/sdk/errors';
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, type ServerCallContext } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import type { Log } from '@bowline/core/domain/log';
import { BowlineError, internalFailure } from '@bowline/core/domain/result';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { Reply } from '../selling/jobs/negotiate.ts';
import { isJson } from '../tools/read-input.ts';
import { agentCard } from './a2a/card.ts';
import { createTasks, type JobSource } from './a2a/job-tasks.ts';
import { dataPart, messageOf, textPart } from './a2a/message.ts';
import { replyTo, type Skills } from './a2a/reply.ts';

/** Media types of answers, the preferred one first. A2A 0.3 clients also say `text`. */
const outputs = ['application/json', 'text/plain'] as const;

/** The first of our formats that the client takes; undefined if it takes none. */
function outputFor(accepted: readonly string[] | undefined): (typeof outputs)[number] | undefined {
  if (accepted === undefined || accepted.length === 0) return outputs[0];
  const takes = (output: string) =>
    accepted.some((mode) => {
      const type = mode.split(';')[0]?.trim().toLowerCase() ?? '';
      const ranges = [output, '*/*', `${output.split('/')[0]}/*`, ...(output === 'text/plain' ? ['text'] : [])];
      return ranges.includes(type);
    });
  return outputs.find(takes);
}

/** The SDK's handler plus the checks it leaves to agents: unanswerable requests are refused before any work. */
class A2aRequestHandler extends DefaultRequestHandler {
  override async sendMessage(params: SendMessageRequest, context: ServerCallContext) {
    const { message, configuration } = params;
    checkParts(message);
    if (outputFor(configuration?.acceptedOutputModes) === undefined) {
      throw new ContentTypeNotSupportedError(`Answers are ${outputs.join(' or ')}.`);
    }
    if (configuration?.taskPushNotificationConfig) throw new PushNotificationNotSupportedError();
    return await super.sendMessage(params, context);
  }
}

function checkParts(message: Message | undefined): void {
  const parts = message?.parts ?? [];
  if (parts.length === 0) throw new RequestMalformedError('message.parts must have at least one part.');
  if (parts.some(({ content }) => content?.value === undefined))
    throw new RequestMalformedError('Each part must have text or data.');
  if (parts.some(({ content }) => content?.$case === 'raw' || content?.$case === 'url'))
    throw new ContentTypeNotSupportedError('File parts are not supported: send text or data.');
}

const MAX_BODY_BYTES = 64 * 1024;

export interface A2aParts extends Skills {
  /** Public base URL of this service, without a trailing slash; published in the card. */
  readonly publicUrl: string;
  readonly version: string;
  readonly log: Log;
  /** Absent: jobs have no tasks. */
  readonly jobs?: JobSource;
  /** Absent: the card is not signed. */
  readonly sign?: AgentCardSignatureGenerator;
}

/**
 * A2A 1.0 and 0.3: the card and JSON-RPC. An answer is one Message whose first part is data, the part buyers read. A caller
 * that waits for a job gets its Task. Nobody can list tasks.
 */
export function createA2a(parts: A2aParts): { readonly card: RequestHandler; readonly rpc: Router } {
  const { publicUrl, version, tools, answer, seller, log, jobs, sign } = parts;
  const tasks = createTasks(jobs, publicUrl);

  const executor: AgentExecutor = {
    async execute({ userMessage, contextId, request, context }, bus) {
      const { acceptedOutputModes, returnImmediately } = request.configuration ?? {};
      const tell = (reply: Reply) =>
        bus.publish(AgentEvent.message(messageOf(shown(reply, acceptedOutputModes), contextId)));
      try {
        const reply = await replyTo(userMessage.parts, parts, contextId);
        const isTask = returnImmediately && reply.status === 'accepted' && reply.job_id !== undefined;
        const task = isTask ? await tasks.load(`job-${reply.job_id}`, context) : undefined;
        if (task === undefined) tell(reply);
        else bus.publish(AgentEvent.task(task));
      } catch (error) {
        // An exception thrown here would reach the caller verbatim.
        const isOurs = error instanceof BowlineError;
        if (!isOurs) log.error('a2a.internal', { error: String(error) });
        const { code, message, retryable } = isOurs ? error : internalFailure;
        tell({ ...(retryable && { status: 'retry' }), error: message, code, retryable });
      }
      bus.finished();
    },
    // A task cannot be cancelled: what the buyer has paid for is delivered.
    cancelTask: async (_taskId, bus) => bus.finished(),
  };
  const card = agentCard({ publicUrl, version, tools, sells: seller !== undefined, answers: answer !== undefined });
  const none = undefined;
  const requestHandler = new A2aRequestHandler(card, tasks, executor, none, none, none, none, sign);
  const legacyCompat = { enabled: true };

  const rpc = Router();
  rpc.post('/', express.json({ limit: MAX_BODY_BYTES, strict: false }), onBodyError, normaliseVersion);
  rpc.post('/', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat }));
  return { card: agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }), rpc };
}

/** Data, or the same as text for a client that takes only that. */
function shown(reply: Reply, acceptedOutputModes: readonly string[] | undefined): Part {
  if (outputFor(acceptedOutputModes) !== 'text/plain') return dataPart(reply);
  return textPart(typeof reply.result === 'string' ? reply.result : JSON.stringify(reply));
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
const normaliseVersion: RequestHandler = ({ body, headers }, response, next) => {
  const stated = String(headers['a2a-version'] ?? '').trim();
  const method = String(body?.method);
  // The SDK would refuse both, too, and print a stack trace for each.
  const refusal = !/^((0\.3|1\.0)(\.\d+)?)?$/.test(stated)
    ? { code: -32009, message: 'Only A2A versions 1.0 and 0.3 are supported.' }
    : /stream|subscribe/i.test(method) && { code: -32004, message: 'Streaming is not supported: poll the task.' };
  if (refusal) {
    const id = ['string', 'number'].includes(typeof body?.id) ? body.id : null;
    return void response.json({ jsonrpc: '2.0', id, error: refusal });
  }
  const isModern = /^[A-Z]/.test(method) && !stated.startsWith('0.3');
  headers['a2a-version'] = isModern ? '1.0' : '0.3';
  const configuration: unknown = body?.params?.configuration;
  // If a 0.3 client omits `blocking`, the SDK assumes that it asks for a task.
  if (!isModern && isJson(configuration)) configuration.blocking ??= true;
  next();
};
