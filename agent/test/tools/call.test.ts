import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { BowlineError } from '../../src/domain/result.ts';
import { callTool } from '../../src/tools/call.ts';
import { defineTool } from '../../src/tools/tool.ts';
import { world } from './world.ts';

const tool = (run: () => Promise<{ answer: string }>) =>
  defineTool({
    name: 'answer_question',
    title: 'Answer',
    description: 'Answers.',
    effect: 'read',
    input: z.object({ size: z.number().int().positive().default(1) }),
    output: z.object({ answer: z.string() }),
    run,
  });

const call = (run: () => Promise<{ answer: string }>, input: unknown = {}, onInternal = vi.fn()) =>
  callTool([tool(run)], world, onInternal)('answer_question', input);

test('what a tool answers comes out', async () => {
  expect(await call(async () => ({ answer: 'yes' }))).toEqual({ ok: true, value: { answer: 'yes' } });
});

test('no input is an empty object', async () => {
  expect(await call(async () => ({ answer: 'yes' }), undefined)).toMatchObject({ ok: true });
});

test('bad input never reaches the tool, and says where it is bad', async () => {
  const run = vi.fn(async () => ({ answer: 'yes' }));
  for (const input of [{ size: 0 }, { size: '1' }, 'text', [], 7]) {
    expect(await call(run, input)).toMatchObject({ ok: false, code: 'invalid_input', retryable: false });
  }
  expect(await call(run, { size: 0 })).toMatchObject({ message: expect.stringMatching(/^size: /) });
  expect(run).not.toHaveBeenCalled();
});

test('an error of ours is a value with its code', async () => {
  const result = await call(async () => {
    throw new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });
  });
  expect(result).toEqual({
    ok: false,
    code: 'chain_unavailable',
    message: 'The chain does not answer.',
    retryable: true,
  });
});

test("nobody else's words come out, and somebody is told of them", async () => {
  const onInternal = vi.fn();
  const secret = new Error('connect ECONNREFUSED http://user:password@node');
  const result = await call(
    async () => {
      throw secret;
    },
    {},
    onInternal,
  );
  expect(result).toMatchObject({ ok: false, code: 'internal' });
  expect(JSON.stringify(result)).not.toContain('password');
  expect(onInternal).toHaveBeenCalledExactlyOnceWith(secret);
});

test('output that is not what was promised is an internal error', async () => {
  const onInternal = vi.fn();
  const result = await call(async () => ({ answer: 7 }) as unknown as { answer: string }, {}, onInternal);
  expect(result).toMatchObject({ ok: false, code: 'internal' });
  expect(onInternal).toHaveBeenCalledOnce();
});

test('a tool that does not exist', async () => {
  expect(await callTool([], world, vi.fn())('send_money', {})).toMatchObject({ ok: false, code: 'unknown_tool' });
});
