import { expect, test } from 'vitest';
import { z } from 'zod';
import { isFreeQuestion } from '../../src/ask/verdict-request.ts';
import { tools } from '../../src/tools/index.ts';
import { pricedTools, readPriced } from '../../src/tools/priced.ts';
import { OWNER, withUntraded } from './world.ts';

const read = (tool: string, input: unknown) => readPriced(tool, input, withUntraded);

test('AG-145: the priced tools are those whose answer has all findings of a verdict', () => {
  const whole = tools.filter(({ output }) => 'findings' in (output as { shape: object }).shape);
  expect(whole.map(({ name }) => name)).toEqual(pricedTools);
});

/** Names of the fields of an output, however deep. */
const fieldsOf = (schema: unknown): string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Object.entries(schema).flatMap(([key, value]) => [
        ...(key === 'properties' ? Object.keys(value) : []),
        ...fieldsOf(value),
      ]);

test('AG-145: of the tools that name a verdict, two are free by decision: one names a plan’s, one those on record', () => {
  const naming = tools.filter(({ output }) =>
    fieldsOf(z.toJSONSchema(output, { io: 'input', unrepresentable: 'any' })).some((field) => /verdict/.test(field)),
  );
  const free = ['plan_outlook', 'list_runs'];
  expect(naming.map(({ name }) => name).toSorted()).toEqual([...pricedTools, ...free].toSorted());
});

test('AG-145: equal questions have equal readings, however they are written; different ones have not', () => {
  const key = (input: unknown) => {
    const result = read('check_asset', input);
    if (!result.ok) throw new Error(result.message);
    return result.value;
  };
  expect(key({ asset: 'bitcoin', amount_usd: '250.50' })).toBe(key({ asset: 'BTCB', side: 'buy', amount_usd: 250.5 }));
  const different = [
    { asset: 'BTCB' },
    { asset: 'USDT' },
    { asset: 'BTCB', side: 'sell' },
    { asset: 'BTCB', amount_usd: 1 },
    { asset: 'BTCB', amount_asset: '1' },
  ];
  expect(new Set(different.map(key)).size).toBe(different.length);
});

test('AG-145: what is wrong with a priced call is found before anything is charged', () => {
  const draft = { asset: 'BTCB', side: 'buy', owner: OWNER, amount_usd: 5 };
  expect(read('draft_swap', draft)).toMatchObject({ ok: true });
  const wrong: [string, unknown, string][] = [
    ['check_asset', undefined, 'invalid_input'],
    ['check_asset', { asset: 'NOPE' }, 'unknown_asset'],
    ['check_asset', { asset: 'BTCB', side: 'hold' }, 'invalid_side'],
    ['check_asset', { asset: 'BTCB', amount_usd: 1, amount_asset: '1' }, 'invalid_amount'],
    ['check_asset', { asset: 'BTCB', amount_asset: '0.0000000000000000001' }, 'invalid_amount'],
    ['check_asset', { asset: 'GOLD' }, 'no_pool'],
    ['draft_swap', { ...draft, asset: 'GOLD' }, 'no_pool'],
    ['draft_swap', { ...draft, amount_usd: undefined }, 'invalid_amount'],
    ['draft_swap', { ...draft, owner: '0x1' }, 'invalid_address'],
  ];
  for (const [tool, input, code] of wrong) expect(read(tool, input), code).toMatchObject({ ok: false, code });
});

test('AG-145: a question in words costs something if it needs a verdict, or if only a model answers it', () => {
  const isFree = (prompt: string, hasModel = false) => isFreeQuestion(prompt, { assets: withUntraded, hasModel });
  for (const prompt of ['What is the price of BTCB?', 'Which assets do you know?', 'list plans']) {
    expect([isFree(prompt), isFree(prompt, true)], prompt).toEqual([true, true]);
  }
  for (const prompt of ['Is BTCB fairly priced?', 'What is the price of USDT? Is BTCB fairly priced?']) {
    expect([isFree(prompt), isFree(prompt, true)], prompt).toEqual([false, false]);
  }
  // Nothing can be charged for that.
  expect([isFree('Is gold fairly priced?'), isFree('Is gold fairly priced?', true)]).toEqual([true, true]);
  expect(isFree('Is gold fairly priced? Is BTCB fairly priced?')).toBe(false);
  expect([isFree('Tell me a story'), isFree('Tell me a story', true)]).toEqual([true, false]);
});
