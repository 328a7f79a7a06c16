import { describe, expect, test } from 'vitest';
import { readIntent } from '../../src/ask/forms/read.ts';
import { askBack } from '../../src/ask/reply/ask-back.ts';
import { assets } from './assets.ts';

const read = (prompt: string) => readIntent(prompt, assets);
const calls = (prompt: string) => {
  const intent = read(prompt);
  return 'calls' in intent ? intent.calls.map(({ tool, input }) => [tool, input]) : intent.language;
};

describe('AG-24: Chinese', () => {
  test('a size and a side are those of the question', () => {
    const asked = [
      ['我想卖出2个ETH，价格合理吗？', { asset: 'ETH', side: 'sell', amount_asset: '2' }],
      ['用500美元买比特币划算吗', { asset: 'BTCB', side: 'buy', amount_usd: '500' }],
      ['买一个ETH公平吗', { asset: 'ETH', side: 'buy', amount_asset: '1' }],
      ['买两个ETH公平吗', { asset: 'ETH', side: 'buy', amount_asset: '2' }],
    ] as const;
    for (const [prompt, input] of asked) expect(calls(prompt), prompt).toEqual([['check_asset', input]]);
  });

  test('a negation, another trader, two sides, two assets, a time or a number of two readings is asked back in Chinese', () => {
    const back = [
      '不买ETH，BTCB公平吗',
      '卖给我2个ETH公平吗',
      '他卖2个ETH公平吗',
      '买还是卖ETH公平',
      'ETH比BTCB贵吗',
      '昨天ETH价格公平吗',
      '买4万个ETH公平吗',
    ];
    for (const prompt of back) expect(calls(prompt), prompt).toBe('zh');
  });

  test('an order is not carried out, and what can be asked of its plan is offered', () => {
    for (const prompt of ['执行计划1', '请立即执行计划 1']) {
      const intent = read(prompt);
      expect(intent, prompt).toMatchObject({ back: 'only_reads' });
      const { choices } = 'back' in intent ? askBack(intent, assets) : { choices: [] };
      expect(
        choices.map((choice) => choice.prompt),
        prompt,
      ).toContain('计划 1 下次什么时候执行？');
    }
    expect(calls('计划1的执行记录')).toEqual([['list_runs', { plan: '1' }]]);
  });

  test('a plan or loan without its number or address is asked for in Chinese', () => {
    const asked = [
      ['我的计划怎么样了', /^哪一个计划/],
      ['我的贷款安全吗', /^哪一个地址/],
    ] as const;
    for (const [prompt, pattern] of asked) {
      const intent = read(prompt);
      expect('back' in intent ? askBack(intent, assets).text : '', prompt).toMatch(pattern);
    }
  });
});

test('AG-24: a question in a language that is not read is asked back in English, with choices that are', () => {
  const asked = [
    '¿Cuánto cuesta bitcoin ahora?',
    '¿Es justo el precio de BNB?',
    '¿Cuándo se ejecuta mi plan 4?',
    '¿Conviene comprar ETH ahora?',
    'Bitcoin fiyatı ne kadar?',
    'ETH satmalı mıyım?',
    'plan 2 ne zaman çalışacak?',
    'Ist BTCB fair bewertet?',
    'Quel est le prix de ETH ?',
    'BTCBの価格は公平ですか',
  ];
  for (const prompt of asked) {
    const intent = read(prompt);
    if ('calls' in intent) expect.fail(`${prompt}: ${JSON.stringify(intent.calls)}`);
    if (!('back' in intent)) expect.fail(prompt);
    expect(intent.language, prompt).toBe('en');
    const { text, choices } = askBack(intent, assets);
    expect(text, prompt).toContain('I read English and Chinese (我读英文和中文). ');
    expect(choices.length, prompt).toBeGreaterThan(0);
    for (const choice of choices) expect(read(choice.prompt), choice.prompt).toHaveProperty('calls');
  }
});
