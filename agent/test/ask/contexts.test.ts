import { describe, expect, test } from 'vitest';
import { createContexts } from '../../src/ask/contexts.ts';
import { readIntent } from '../../src/ask/forms/read.ts';
import { assets } from './assets.ts';

const X = '0x1111111111111111111111111111111111111111';

function conversing() {
  const who = { caller: '192.0.2.1', at: 0 };
  const contexts = createContexts(
    assets,
    () => who.caller,
    () => who.at,
  );
  /** The calls that a prompt leads to, and what is remembered of it. */
  const say = (prompt: string, id = 'a-context-of-mine') => {
    const whole = contexts.whole(prompt, id);
    contexts.note(whole, id);
    const intent = readIntent(whole, assets);
    return 'calls' in intent ? intent.calls.map(({ tool, input }) => [tool, input]) : undefined;
  };
  return { who, say };
}

const check = (asset: string, rest: object = {}) => [['check_asset', { asset, ...rest }]];

describe('a question that follows another', () => {
  test.each<[string, [prompt: string, calls: unknown][]]>([
    [
      'what was lacking',
      [
        ['should I sell?', undefined],
        ['WBNB', check('WBNB', { side: 'sell' })],
      ],
    ],
    [
      'a side',
      [
        ['is 2 ETH fair?', undefined],
        ['buy', check('ETH', { side: 'buy', amount_asset: '2' })],
      ],
    ],
    [
      'another size, another asset',
      [
        ['Is it fair to buy $500 of BTCB?', check('BTCB', { side: 'buy', amount_usd: '500' })],
        ['and for 5,000?', check('BTCB', { side: 'buy', amount_usd: '5000' })],
        ['what about ETH?', check('ETH', { side: 'buy', amount_usd: '5000' })],
        ['and selling?', check('ETH', { side: 'sell', amount_usd: '5000' })],
      ],
    ],
    [
      'two questions at once',
      [
        ['Is it fair to buy BTCB and ETH?', [...check('BTCB', { side: 'buy' }), ...check('ETH', { side: 'buy' })]],
        [
          'and for 5,000?',
          [...check('BTCB', { side: 'buy', amount_usd: '5000' }), ...check('ETH', { side: 'buy', amount_usd: '5000' })],
        ],
      ],
    ],
    [
      'the largest size',
      [
        ['Is it fair to sell 2 ETH?', check('ETH', { side: 'sell', amount_asset: '2' })],
        ["what's the largest?", check('ETH', { side: 'sell', amount_usd: '10000000' })],
      ],
    ],
    [
      'a unit',
      [
        ['is it fair to sell 5 of btcb?', undefined],
        ['dollars', check('BTCB', { side: 'sell', amount_usd: '5' })],
      ],
    ],
    [
      'a place',
      [
        ['is 2 ETH fair?', undefined],
        ['the second', check('ETH', { side: 'sell', amount_asset: '2' })],
      ],
    ],
    [
      'a plan',
      [
        ['why did my plan not run?', undefined],
        ['3', [['list_runs', { plan: '3' }]]],
      ],
    ],
    [
      'the plan before',
      [
        ['when does plan 3 run next?', [['plan_outlook', { plan: '3' }]]],
        ['and what has it spent in total?', [['list_runs', { plan: '3', count: 100 }]]],
      ],
    ],
    [
      'the loan before',
      [
        ['how safe is my loan?', undefined],
        [X, [['loan_health', { borrower: X }]]],
        ['what if ETH falls 20 %, my loan?', [['what_if', { borrower: X, asset: 'ETH', change_percent: '-20' }]]],
      ],
    ],
  ])('%s', (_, turns) => {
    const { say } = conversing();
    for (const [prompt, calls] of turns) expect(say(prompt), prompt).toEqual(calls);
  });

  test('a whole question stays as it is, and what is not clear is asked back again', () => {
    const { say } = conversing();
    say('Is it fair to buy $500 of BTCB?');
    expect(say('price of ETH')).toEqual([['get_price', { asset: 'ETH' }]]);
    say('Is it fair to buy $500 of BTCB?');
    for (const prompt of ['and not ETH?', 'and 5?', 'sell me that', 'doge'])
      expect(say(prompt), prompt).toBeUndefined();
  });
});

describe('whose context it is', () => {
  test('another caller, another id and ten minutes later nothing is remembered', () => {
    const { who, say } = conversing();
    say('should I sell?');
    who.caller = '192.0.2.2';
    expect(say('WBNB')).toEqual([['get_price', { asset: 'WBNB' }]]);
    who.caller = '192.0.2.1';
    expect(say('WBNB', 'another-context-of-mine')).toEqual([['get_price', { asset: 'WBNB' }]]);
    who.at = 599_999;
    expect(say('WBNB')).toEqual(check('WBNB', { side: 'sell' }));
    who.at = 1_200_000;
    expect(say('and for 500?')).toBeUndefined();
  });

  test('whoever opens many loses their own, and nobody else theirs', () => {
    const { who, say } = conversing();
    say('should I sell?');
    for (let caller = 1; caller <= 60; caller++) {
      who.caller = `198.51.100.${caller}`;
      for (let each = 0; each < 60; each++) say('should I buy?', `flood-of-contexts-${each}`);
    }
    expect(say('ETH', 'flood-of-contexts-0')).toEqual([['get_price', { asset: 'ETH' }]]);
    expect(say('ETH', 'flood-of-contexts-59')).toEqual(check('ETH', { side: 'buy' }));
    who.caller = '192.0.2.1';
    expect(say('WBNB')).toEqual(check('WBNB', { side: 'sell' }));
  });
});
