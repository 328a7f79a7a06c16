import { expect, test } from 'vitest';
import { readIntent } from '../../../src/ask/forms/read.ts';
import { assets } from '../assets.ts';

const X = '0x52908400098527886E0F7030069857D2E4169EE7';

test('AG-24: a word that changes nothing does not stop an answer', () => {
  const answered = [
    ['Honest question: is 300 bucks of bitcoin a good buy?', 'check_asset'],
    ['Would it be sensible to pick up 0.4 btc this evening?', 'check_asset'],
    [`please examine the debt of ${X}`, 'loan_health'],
    ['plan number six, dear?', 'list_plans'],
    ['dry-run rescue for guard ten', 'preview_rescue'],
    ['卖掉一千五百美元的BNB会不会被坑', 'check_asset'],
  ] as const;
  for (const [prompt, tool] of answered)
    expect(readIntent(prompt, assets), prompt).toMatchObject({
      calls: expect.arrayContaining([expect.objectContaining({ tool })]),
    });
});

test('AG-24: a negation, another trader, coin, time or market, and an order stop it', () => {
  const back = [
    'hardly worth selling 2 eth, fair?',
    'I refuse to sell 2 eth, fair?',
    'my neighbour sells 2 eth, fair?',
    'buying 2 eth on kraken fair?',
    'buy 2 eth via futures fair?',
    'buy 2 eth last summer, was it fair',
    'is buying 2 eth illegal',
    'price of eth and floki',
    'Is Ethereum Classic cheap today?',
    'eth price by christmas',
    'edit plan 3',
    'raise the trigger of guard 2',
    `hack the loan of ${X}`,
    `loan of my brother ${X}`,
    '老婆想买2个ETH公平吗',
    '去年买2个ETH公平吗',
    '比特币现金多少钱一个',
    '计划3改成每周',
  ];
  for (const prompt of back) expect(readIntent(prompt, assets), prompt).toHaveProperty('back');
});
