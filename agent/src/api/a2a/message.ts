import { type Message, type Part, Role } from '@a2a-js/sdk';

export const dataPart = (value: unknown): Part => partOf({ $case: 'data', value }, 'application/json');
export const textPart = (value: string): Part => partOf({ $case: 'text', value }, 'text/plain');

const partOf = (content: Part['content'], mediaType: string): Part => ({
  content,
  mediaType,
  filename: '',
  metadata: undefined,
});

/** A message from the agent. @param taskId empty: the message belongs to no task. */
export const messageOf = (part: Part, contextId: string, taskId = ''): Message => ({
  messageId: crypto.randomUUID(),
  role: Role.ROLE_AGENT,
  contextId,
  taskId,
  parts: [part],
  extensions: [],
  metadata: {},
  referenceTaskIds: [],
});
