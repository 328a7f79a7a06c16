import { describe, expect, test } from 'vitest';
import { readIntent } from '../../../src/ask/forms/read.ts';
import { isMisspelt } from '../../../src/ask/forms/slots.ts';
import { assets } from '../assets.ts';

test('one letter extra, missing or wrong, or two swapped', () => {
  for (const [word, other] of [
    ['price', 'prices'],
    ['fiar', 'fair'],
    ['pice', 'price'],
    ['prize', 'price'],
    ['pirce', 'price'],
  ] as const) {
    expect(isMisspelt(word, other), word).toBe(true);
  }
  for (const [word, other] of [
    ['price', 'price'],
    ['prcie', 'pirce'],
    ['pri', 'price'],
    ['ecirp', 'price'],
    ['fait', 'fair'],
    ['eht', 'eth'],
  ] as const)
    expect(isMisspelt(word, other), word).toBe(false);
});

describe('misspelt words', () => {
  test('a key word is corrected, and the answer says so', () => {
    expect(readIntent('verdcit on selling 1 btcb', assets)).toMatchObject({
      calls: [{ tool: 'check_asset', input: { asset: 'BTCB', side: 'sell', amount_asset: '1' } }],
      readings: [{ written: 'verdcit', as: 'verdict' }],
    });
  });

  test('no word becomes a side, an asset of three letters, or a number', () => {
    for (const prompt of [
      'the ethics of it, fair?',
      'seth price',
      'is bnbx fair?',
      'slel 2 btcb, fair?',
      'buuy btcb',
      'tweny usd of btcb',
      'beth price',
      'ethh price',
      'other price',
    ])
      expect(readIntent(prompt, assets), prompt).not.toHaveProperty('calls');
  });

  test('what may be a name or two words stays as it is', () => {
    // "rice" is a word; "verdict … verdit": the question has its verdict already.
    for (const prompt of ['rice of btcb', 'price of btcb and pride', 'verdict on btcb and verdit'])
      expect(readIntent(prompt, assets), prompt).not.toHaveProperty('calls');
  });
});

describe('forms of a question', () => {
  const callsOf = (prompt: string) => {
    const intent = readIntent(prompt, assets);
    return 'calls' in intent ? intent.calls.map(({ tool, input }) => [tool, input]) : 'asked back';
  };

  test('calls of programs', () => {
    const sale = [['check_asset', { asset: 'BTCB', side: 'sell', amount_usd: '100' }]];
    for (const prompt of [
      '{"asset":"btc","side":"sell","amount_usd":100}',
      '{"tool":"check_asset","arguments":{"asset":"BTCB","side":"sell","amount_usd":"100"}}',
      'check_asset(asset="BTCB", side="sell", amount_usd=100)',
      'asset=BTCB side=sell amount_usd=100',
    ])
      expect(callsOf(prompt), prompt).toEqual(sale);
    expect(callsOf('{"prompt":"price of ETH"}')).toEqual([['get_price', { asset: 'ETH' }]]);
    expect(callsOf('get_price ETH')).toEqual([['get_price', { asset: 'ETH' }]]);
    expect(callsOf('Asset: ETH. Side: sell. Size: 2 ETH.')).toEqual([
      ['check_asset', { asset: 'ETH', side: 'sell', amount_asset: '2' }],
    ]);
  });

  test('a field that is unknown, missing, contradictory or of a tool that drafts is asked back', () => {
    for (const prompt of [
      '{"asset":"BTCB","side":"buy","side":"sell"}',
      '{"asset":"BTCB","side":"buy","amount":"2"}',
      '{"asset":"BTCB","side":"buy","amount_usd":"5","amount_asset":"2"}',
      '{"asset":"BTCB","side":"short"}',
      '{"asset":"DOGE","side":"buy"}',
      '{"asset":"BTCB"}',
      '{"tool":"draft_swap","asset":"BTCB","side":"buy"}',
      '{"prompt":"price of ETH","side":"sell"}',
      'check_asset(asset="BTCB", side="buy", asset="ETH")',
      'asset=BTCB side=buy but do not tell',
      'Asset: ETH. Side: sell. Asset: BTCB.',
      '{"asset":',
      '[1]',
    ])
      expect(callsOf(prompt), prompt).toBe('asked back');
  });

  test('a list is answered item by item, and asked back whole if one is not understood', () => {
    const both = [
      ['get_price', { asset: 'BTCB' }],
      ['check_asset', { asset: 'ETH', side: 'sell', amount_asset: '2' }],
    ];
    expect(callsOf('1. price of btc 2. should I sell 2 eth?')).toEqual(both);
    expect(callsOf('first: price of btc. second: should I sell 2 eth?')).toEqual(both);
    expect(callsOf('1) price of btc\n2) is doge fair?')).toBe('asked back');
  });

  test('a share of what is held, and a number that may be a price, are asked back with both readings', () => {
    for (const prompt of [
      'half of my ETH',
      'should I sell a third of my eth?',
      'eth 3500 buy?',
      '40k eth',
      'buy 1.000 eth?',
    ])
      expect(callsOf(prompt), prompt).toBe('asked back');
  });
});
