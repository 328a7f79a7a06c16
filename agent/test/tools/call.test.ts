import { BowlineError } from '@bowline/core/domain/result';
import type { Verdict } from '@bowline/core/domain/verdict';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { defineTool } from '../../src/tools/schemas.ts';
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

test("a tool's answer has the type that the tool states", async () => {
  const result = await callTool(tools, world, vi.fn())('check_asset', { asset: 'BTCB' });
  if (!result.ok) throw new Error(result.message);
  const verdict: Verdict = result.value.verdict;
  expect(verdict).toBe('GO');
  // @ts-expect-error May be null.
  const amount: string = result.value.amount_usd;
  expect(amount).toBe('1000');
  // @ts-expect-error No such field.
  expect(result.value.verdic).toBeUndefined();
});

test('no input is an empty object', async () => {
  expect(await call(async () => ({ answer: 'yes' }), undefined)).toMatchObject({ ok: true });
});

test('bad input never reaches the tool', async () => {
  const run = vi.fn(async () => ({ answer: 'yes' }));
  for (const input of [{ size: 0 }, { size: 'x' }, 'text', [], 7]) {
    expect(await call(run, input)).toMatchObject({ ok: false, code: 'invalid_input', retryable: false });
  }
  expect(run).not.toHaveBeenCalled();
});

const dollars = 'amount_usd must be an amount of US dollars above 0 and up to 100000000.';

test.for<[string, unknown, string, string?]>([
  ['check_asset', 'text', 'The input must be an object.'],
  ['check_asset', [], 'The input must be an object.'],
  ['check_asset', {}, 'asset is required.'],
  ['check_asset', { asset: true }, 'asset must be text.'],
  ['check_asset', { asset: ' ' }, 'asset must be at least 1 character long.'],
  ['check_asset', { asset: 'x'.repeat(43) }, 'asset must be at most 42 characters long.'],
  ['check_asset', { asset: 'BTCB', side: 'hold' }, 'side must be one of buy, sell.', 'invalid_side'],
  [
    'check_asset',
    { asset: 'BTCB', sight: 1 },
    'There is no input "sight"; valid inputs are: asset, side, amount_usd, amount_asset.',
  ],
  ['check_asset', { asset: 'BTCB', amount_usd: true }, 'amount_usd must be text.', 'invalid_amount'],
  ['check_asset', { asset: 'BTCB', amount_usd: -1 }, dollars, 'invalid_amount'],
  ['get_history', { asset: 'BTCB', count: 1 }, 'count must be at least 2.'],
  ['get_history', { asset: 'BTCB', count: 501 }, 'count must be at most 500.'],
  ['get_history', { asset: 'BTCB', count: 2.5 }, 'count must be a whole number.'],
  ['get_history', { asset: 'BTCB', count: 'five' }, 'count must be a number.'],
  ['list_runs', {}, 'plan is required.'],
  ['list_runs', { plan: 'x' }, 'plan must be a whole number.'],
  ['loan_health', { borrower: '0x1' }, 'borrower must be an address: 0x and 40 hexadecimal digits.', 'invalid_address'],
  ['loan_health', { borrower: [] }, 'borrower must be text.'],
  ['loan_health', {}, 'borrower is required.'],
  ['list_assets', { a: 1 }, 'There is no input "a"; this tool takes none.'],
])('%s of %j: %s', async ([name, input, message, code = 'invalid_input']) => {
  const result = await callTool(tools, world, vi.fn())(name, input);
  if (result.ok) return expect.fail('taken');
  // The correct way to send it follows (AG-209).
  const [mistake] = result.message.split(' Send {');
  expect({ ...result, message: mistake }).toEqual({ ok: false, code, message, retryable: false });
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
