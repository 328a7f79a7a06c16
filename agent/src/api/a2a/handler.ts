import type { Message, SendMessageRequest } from '@a2a-js/sdk';
import {
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
} from '@a2a-js/sdk/errors';
import { DefaultRequestHandler, type ServerCallContext } from '@a2a-js/sdk/server';

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

/** The SDK's handler with what it leaves to an agent: requests that cannot be answered are refused before any work. */
export class A2aRequestHandler extends DefaultRequestHandler {
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
