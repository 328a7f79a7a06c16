import type { Message, SendMessageRequest, SubscribeToTaskRequest, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { DefaultRequestHandler, type ServerCallContext } from '@a2a-js/sdk/server';
import type { Progress } from '../../seller/progress.ts';
import { isFinal, jobIdOf, type Waiting } from './job-tasks.ts';

const STREAMING = 'bowline.streaming';

/** Whether the request of this context is answered by a stream. */
export const isStreaming = (context: ServerCallContext): boolean => context.state.get(STREAMING) === true;

/** What answers can be, the preferred one first. A2A 0.3 clients also say `text`. */
const outputs = ['application/json', 'text/plain'] as const;

/** The first of our formats that the client takes; undefined if it takes none. */
export function outputFor(accepted: readonly string[] | undefined): (typeof outputs)[number] | undefined {
  if (accepted === undefined || accepted.length === 0) return outputs[0];
  const takes = (output: string) =>
    accepted.some((mode) => {
      const type = mode.split(';')[0]?.trim().toLowerCase() ?? '';
      const ranges = [output, '*/*', `${output.split('/')[0]}/*`, ...(output === 'text/plain' ? ['text'] : [])];
      return ranges.includes(type);
    });
  return outputs.find(takes);
}

interface JobParts {
  readonly progress: Progress;
  readonly waiting: Waiting;
  /** Whether notices may be posted there. */
  readonly isPushUrl: (url: string) => boolean;
}

type DefaultParameters = ConstructorParameters<typeof DefaultRequestHandler>;

/** The SDK's handler with what it leaves to an agent: requests that cannot be answered are refused before any work. */
export class A2aRequestHandler extends DefaultRequestHandler {
  readonly #jobs: JobParts | undefined;

  constructor(jobs: JobParts | undefined, ...parameters: DefaultParameters) {
    super(...parameters);
    this.#jobs = jobs;
  }

  override async sendMessage(params: SendMessageRequest, context: ServerCallContext) {
    this.#check(params);
    return await super.sendMessage(params, context);
  }

  override async *sendMessageStream(params: SendMessageRequest, context: ServerCallContext) {
    this.#check(params);
    context.state.set(STREAMING, true);
    yield* super.sendMessageStream(params, context);
  }

  override async createTaskPushNotificationConfig(params: TaskPushNotificationConfig, context: ServerCallContext) {
    this.#checkPush(params);
    return await super.createTaskPushNotificationConfig(params, context);
  }

  override async *resubscribe(params: SubscribeToTaskRequest, context: ServerCallContext) {
    const id = jobIdOf(params.id);
    const first = id === undefined ? undefined : await this.#jobs?.progress.read(id);
    if (id === undefined || first === undefined || isFinal(first)) return yield* super.resubscribe(params, context);
    const events = this.#jobs?.waiting.follow(id, first);
    if (events === undefined) throw new UnsupportedOperationError('Too many wait for jobs. Ask for the task later.');
    for await (const { kind, data } of events) {
      if (kind !== 'message') yield { payload: { $case: kind, value: data } as never };
    }
  }

  #check({ message, configuration }: SendMessageRequest): void {
    requireParts(message);
    if (outputFor(configuration?.acceptedOutputModes) === undefined) {
      throw new ContentTypeNotSupportedError(`Answers are ${outputs.join(' or ')}.`);
    }
    if (configuration?.taskPushNotificationConfig) this.#checkPush(configuration.taskPushNotificationConfig);
  }

  #checkPush({ url }: TaskPushNotificationConfig): void {
    if (this.#jobs?.isPushUrl(url) === false) {
      throw new RequestMalformedError('The URL for notifications must use https and be public.');
    }
  }
}

function requireParts(message: Message | undefined): void {
  const parts = message?.parts ?? [];
  if (parts.length === 0) throw new RequestMalformedError('message.parts must have at least one part.');
  if (parts.some(({ content }) => content?.value === undefined))
    throw new RequestMalformedError('Each part must have text, data, raw or url.');
}
