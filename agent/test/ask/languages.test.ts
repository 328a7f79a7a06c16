import { describe, expect, test } from 'vitest';
import { readIntent } from '../../src/ask/intent/intent.ts';
import { languages } from '../../src/ask/languages/foreign.ts';
import { replyWithoutCalls } from '../../src/ask/reply/replies.ts';
import { assets } from './assets.ts';

const read = (prompt: string) => readIntent(prompt, assets);
const calls = (prompt: string) => {
  const intent = read(prompt);
  return 'calls' in intent ? intent.calls.map(({ tool, input }) => [tool, input]) : intent.language;
};

describe('AG-113: Chinese, Spanish and Turkish', () => {
  test('a size and a side are those of the question', () => {
    const asked = [
      ['我想卖出2个ETH，价格合理吗？', { asset: 'ETH', side: 'sell', amount_asset: '2' }],
      ['用500美元买比特币划算吗', { asset: 'BTCB', side: 'buy', amount_usd: '500' }],
      ['买一个ETH公平吗', { asset: 'ETH', side: 'buy', amount_asset: '1' }],
      ['¿Es buen precio para comprar 200 dólares de ETH?', { asset: 'ETH', side: 'buy', amount_usd: '200' }],
      ['¿conviene vender un bitcoin?', { asset: 'BTCB', side: 'sell', amount_asset: '1' }],
      ['¿ES JUSTO VENDER 0.125 ETH?', { asset: 'ETH', side: 'sell', amount_asset: '0.125' }],
      ["BTC'yi satmalı mıyım", { asset: 'BTCB', side: 'sell' }],
      ['1 ETH almak mantikli mi', { asset: 'ETH', side: 'buy', amount_asset: '1' }],
    ] as const;
    for (const [prompt, input] of asked) expect(calls(prompt), prompt).toEqual([['check_asset', input]]);
  });

  test('a negation, another trader, two sides, two assets, a time or a number of two readings is asked back in the language', () => {
    const back = {
      zh: [
        '不买ETH，BTCB公平吗',
        '卖给我2个ETH公平吗',
        '他卖2个ETH公平吗',
        '买还是卖ETH公平',
        'ETH比BTCB贵吗',
        '昨天ETH价格公平吗',
        '买两个ETH公平吗',
        '买4万个ETH公平吗',
      ],
      es: [
        'no quiero comprar ETH, ¿es justo?',
        '¿me quieren vender 2 ETH, es justo?',
        '¿comprar o vender ETH, qué conviene?',
        '¿es más caro ETH que BTCB?',
        '¿era justo ETH ayer?',
        '¿es justo comprar 1.500 ETH?',
        '¿es justo comprar 2,5 ETH?',
        '¿conviene comprar 40k ETH?',
        '¿y si no vendo ETH?',
      ],
      tr: [
        'ETH almak istemiyorum, adil mi?',
        'bana 2 ETH satmak istiyor, adil mı?',
        'ETH alsam mı satsam mı?',
        'ETH mi pahalı BTCB mi pahalı?',
        'dün ETH fiyatı adil miydi?',
        '1.500 ETH almak mantıklı mı?',
      ],
    } as const;
    for (const [code, prompts] of Object.entries(back))
      for (const prompt of prompts) expect(calls(prompt), prompt).toBe(code);
  });

  test('each choice of each language is read', () => {
    for (const { ask } of Object.values(languages)) {
      for (const { prompt } of [
        ...assets.flatMap(({ symbol }) => [ask.price(symbol), ask.fair(symbol)]),
        ask.plans,
        ask.outlook,
        ask.guard,
      ])
        expect(read(prompt), prompt).toHaveProperty('calls');
    }
  });

  test('a plan or loan without its number or address is asked for in the language', () => {
    const asked = [
      ['我的计划怎么样了', /^哪一个计划/],
      ['我的贷款安全吗', /^哪一个地址/],
      ['¿cómo va mi préstamo?', /^¿Qué dirección\?/],
      ['¿cómo va mi plan?', /^¿Qué plan\?/],
      ['kredim güvende mi', /^Hangi adres\?/],
      ['planım ne durumda', /^Hangi plan\?/],
    ] as const;
    for (const [prompt, pattern] of asked) {
      const intent = read(prompt);
      expect('calls' in intent ? '' : replyWithoutCalls(intent, assets).text, prompt).toMatch(pattern);
    }
  });
});
