import { type Message, Role, type Task, TaskState } from '@a2a-js/sdk';
import { expect, test } from 'vitest';
import { createTasks } from '../../src/api/a2a/tasks.ts';

const message = (text: string): Message => ({
  messageId: text,
  role: Role.ROLE_USER,
  contextId: 'c',
  taskId: 't',
  parts: [{ content: { $case: 'text', value: text }, mediaType: '', filename: '', metadata: undefined }],
  extensions: [],
  metadata: {},
  referenceTaskIds: [],
});
const task = (id: string, history: Message[]): Task => ({
  id,
  contextId: 'c',
  status: { state: TaskState.TASK_STATE_INPUT_REQUIRED, message: undefined, timestamp: undefined },
  artifacts: [],
  history,
  metadata: undefined,
});

test('AG-145: of a task that waits for a payment the question alone is kept, however many messages come', async () => {
  const tasks = createTasks(10, 100_000);
  const first = task('t', [message('the question'), ...Array.from({ length: 50 }, (_, at) => message(`${at}`))]);
  await tasks.save(first, undefined as never);
  const loaded = await tasks.load('t', undefined as never);
  expect(loaded?.history.map(({ messageId }) => messageId)).toEqual(['the question']);
  // What the SDK does to a task that it has loaded or saved.
  loaded?.history.splice(0);
  first.history.splice(0);
  expect((await tasks.load('t', undefined as never))?.history).toHaveLength(1);
});

test('AG-145: tasks take no more memory than they may, the newest stay', async () => {
  const tasks = createTasks(1_000, 100_000);
  for (let at = 0; at < 100; at++) await tasks.save(task(`${at}`, [message('x'.repeat(9_000))]), undefined as never);
  const kept = await Promise.all(Array.from({ length: 100 }, (_, at) => tasks.load(`${at}`, undefined as never)));
  expect(kept.flatMap((each, at) => (each ? [at] : []))).toEqual([95, 96, 97, 98, 99]);
  // Saved again and again, one task counts once.
  for (let at = 0; at < 100; at++) await tasks.save(task('99', [message('x'.repeat(9_000))]), undefined as never);
  expect(await tasks.load('95', undefined as never)).toBeDefined();
});
