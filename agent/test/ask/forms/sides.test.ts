import { describe, expect, test } from 'vitest';
import { readIntent } from '../../../src/ask/forms/read.ts';
import { assets } from '../assets.ts';

const sells = [
  'sell',
  'selling',
  'dump',
  'get rid of',
  'exit',
  'offload',
  'cash out',
  'get out of',
  'a sale of',
  'short',
];
const buys = [
  'buy',
  'buying',
  'purchase',
  'acquire',
  'get into',
  'invest in',
  'grab',
  'pick up',
  'a purchase of',
  'long',
];
const names = { BTCB: ['btc', 'BTCB', 'bitcoin'], ETH: ['eth', 'ethereum', 'ether'], WBNB: ['bnb', 'WBNB'] } as const;
const separators = [
  ', ',
  ' and ',
  '; ',
  '. ',
  ' then ',
  ' ',
  '\n',
  ', and ',
  ' or ',
  ' / ',
  ' + ',
  ' & ',
  '? ',
  ' - ',
  ' 👉 ',
];
/** Sizes of one clause: in units of the asset, in dollars, or none. */
const sizes = [
  ['1 ', { amount_asset: '1' }, '3 ', { amount_asset: '3' }],
  ['$500 of ', { amount_usd: '500' }, '$700 of ', { amount_usd: '700' }],
  ['', {}, '', {}],
  ['my ', {}, 'my ', {}],
] as const;
const frames = [
  (asked: string) => `${asked}, fair?`,
  (asked: string) => `is ${asked} fair?`,
  (asked: string) => `should I ${asked}?`,
  (asked: string) => `Verdict on ${asked}`,
];

interface Asked {
  readonly asset: string;
  readonly side: 'buy' | 'sell';
}
type Symbol = keyof typeof names;
const symbols = Object.keys(names) as Symbol[];
const pairs = symbols.flatMap((one) => symbols.filter((two) => two !== one).map((two) => [one, two] as const));
/** Cycles through a list, so that values meet without generating every combination. */
const turn = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

const spoken = ({ asset, side, ...size }: Record<string, unknown>): string =>
  `${side ?? 'buy'} ${asset} ${JSON.stringify(size)}`;

/** The sides, assets and sizes that a prompt is answered with; undefined where it is asked back or declined. */
function answered(prompt: string): string[] | undefined {
  const intent = readIntent(prompt, assets);
  return 'calls' in intent ? intent.calls.map(({ input }) => spoken(input)).toSorted() : undefined;
}

/** Counts the answers to every `step`-th prompt. A prompt may be answered only with what it asks, or not at all. */
function answeredOf(
  step: number,
  prompts: Iterable<readonly [prompt: string, ...allowed: readonly (Asked & object)[][]]>,
) {
  let [count, all, at] = [0, 0, 0];
  const wrong: string[] = [];
  for (const [prompt, ...allowed] of prompts) {
    if (at++ % step !== 0) continue;
    all++;
    const got = answered(prompt);
    if (got === undefined) continue;
    count++;
    const right = allowed.some(
      (asked) =>
        asked
          .map((each) => spoken({ ...each }))
          .toSorted()
          .join() === got.join(),
    );
    if (!right) wrong.push(`${JSON.stringify(prompt)} was read as ${got.join(' + ')}`);
  }
  expect(wrong.slice(0, 20)).toEqual([]);
  return { count, all };
}

const ofEvery = (step: number) => () => {
  test('two clauses of different sides, in either order', () => {
    function* prompts(): Generator<[string, Asked[]]> {
      let index = 0;
      for (const sell of sells)
        for (const buy of buys)
          for (const separator of separators)
            for (const order of [0, 1])
              for (const odd of [0, 1]) {
                index++;
                const [one, oneSize, two, twoSize] = turn(sizes, index + odd);
                const [sold, bought] = turn(pairs, index);
                const [a, b] = [turn(names[sold], index), turn(names[bought], index + 1)];
                const clauses = [`${sell} ${one}${a}`, `${buy} ${two}${b}`];
                const asked = (order === 0 ? clauses : clauses.toReversed()).join(separator);
                yield [
                  turn(frames, index)(asked),
                  [
                    { asset: sold, side: 'sell', ...oneSize },
                    { asset: bought, side: 'buy', ...twoSize },
                  ],
                ];
              }
    }
    const { count, all } = answeredOf(step, prompts());
    expect(all * step).toBeGreaterThan(5_000);
    // Always asking back would not do.
    expect(count / all).toBeGreaterThan(0.5);
  });

  test('a side that stands after its asset', () => {
    function* prompts(): Generator<[string, Asked[]]> {
      let index = 0;
      for (const [sold, bought] of pairs)
        for (const separator of separators)
          for (const before of ['is ', '', 'check: '])
            for (const tie of [' to', ' a', ' fair to', ':', '', ' (', ' fair?']) {
              index++;
              const [a, b] = [turn(names[sold], index), turn(names[bought], index)];
              yield [
                `${before}${a}${tie} sell${separator}${b}${tie} buy?`,
                [
                  { asset: sold, side: 'sell' },
                  { asset: bought, side: 'buy' },
                ],
              ];
            }
    }
    const { count, all } = answeredOf(step, prompts());
    expect(all * step).toBeGreaterThan(1_500);
    expect(count / all).toBeGreaterThan(0.2);
  });

  test('three assets, of which one differs', () => {
    function* prompts(): Generator<[string, Asked[]]> {
      for (const [first, second] of [
        ['sell', 'buy'],
        ['buy', 'sell'],
      ] as const)
        for (const [one, two] of pairs)
          for (const separator of separators)
            for (const joined of [', ', ' and ', ' or ', ' & ']) {
              const three = symbols.find((symbol) => symbol !== one && symbol !== two) as Symbol;
              const as = (side: 'buy' | 'sell', ...named: Symbol[]) => named.map((asset) => ({ asset, side }));
              const [a, b, c] = [names[one][0], names[two][0], names[three][0]];
              yield [
                `should I ${first} ${a}${joined}${b}${separator}${second} ${c}?`,
                [...as(first, one, two), ...as(second, three)],
              ];
              yield [
                `should I ${first} ${a}${separator}${second} ${b}${joined}${c}?`,
                [...as(first, one), ...as(second, two, three)],
              ];
            }
    }
    const { count, all } = answeredOf(step, prompts());
    expect(count / all).toBeGreaterThan(0.5);
  });

  test('one asset and both sides: both, or a question back', () => {
    function* prompts(): Generator<[string, Asked[]]> {
      for (const asset of symbols)
        for (const name of names[asset])
          for (const [one, two] of [
            ['buy', 'sell'],
            ['sell', 'buy'],
            ['buying', 'selling'],
          ])
            for (const separator of [' or ', ' and ', '/', ', ', ' or to ', ' or should I '])
              for (const asked of [
                `should I ${one}${separator}${two} ${name}?`,
                `${name}: ${one}${separator}${two}?`,
                `is ${one}${separator}${two} ${name} fair?`,
                `is ${name} fair to ${one}${separator}${two}?`,
              ])
                yield [
                  asked,
                  [
                    { asset, side: 'buy' },
                    { asset, side: 'sell' },
                  ],
                ];
    }
    const { count } = answeredOf(step, prompts());
    expect(count * step).toBeGreaterThan(50);
  });

  test('an asset that is only mentioned is not judged, and lends its side to none', () => {
    const mentions = [
      'if I # @, ',
      'once I # @, ',
      'after I # @, ',
      'before I # @, ',
      'when I # @ ',
      'instead of #ing @, ',
      'rather than # @, ',
      'without #ing @ ',
      'I do not # @; ',
      'while others # @, ',
      'since people # @, ',
      'now that I # @, ',
      'with @ at 40k, ',
      'with @ so cheap, ',
      'if @ falls, ',
      '@ is cheap, ',
      '@ is dumping, ',
      '@ looks cheap. ',
      'I bought @. ',
      'I sold @, ',
      'having sold @, ',
      'I hold @, ',
      '40k @, ',
    ];
    function* prompts(): Generator<[string, Asked[]]> {
      for (const mention of mentions)
        for (const done of ['buy', 'sell'])
          for (const side of ['buy', 'sell'] as const)
            for (const [other, asset] of pairs)
              for (const ask of [`should I ${side} ${names[asset][0]}?`, `is ${names[asset][0]} fair to ${side}?`]) {
                const said = mention.replace('#', done).replace('@', names[other][0]);
                yield [said + ask, [{ asset, side }]];
                yield [`${ask.slice(0, -1)} ${said.replace(/[,;.] $/, '')}?`, [{ asset, side }]];
              }
    }
    const { all } = answeredOf(step, prompts());
    expect(all * step).toBeGreaterThan(2_000);
  });

  test('a swap is two trades, and money that is sold buys', () => {
    function* prompts(): Generator<[string, ...Asked[][]]> {
      for (const [one, two] of pairs)
        for (const size of ['', '1 ', 'my ', '$500 of '])
          for (const ask of ['fair?', 'should I?', 'is that ok?']) {
            const [a, b] = [names[one][0], names[two][0]];
            const amount = size === '1 ' ? { amount_asset: '1' } : size.startsWith('$') ? { amount_usd: '500' } : {};
            const both: Asked[] = [
              { asset: one, side: 'sell', ...amount },
              { asset: two, side: 'buy' },
            ];
            for (const swap of ['swap', 'convert', 'exchange', 'trade', 'sell', 'rotate', 'switch', 'turn'])
              for (const way of ['for', 'to', 'into']) yield [`${swap} ${size}${a} ${way} ${b}, ${ask}`, both];
            for (const way of ['→', '->', 'to', 'into', 'for']) yield [`${size}${a} ${way} ${b}, ${ask}`, both];
            yield [`from ${size}${a} into ${b}, ${ask}`, both];
            const bought: Asked[] = [
              { asset: one, side: 'buy', ...amount },
              { asset: two, side: 'sell' },
            ];
            for (const way of ['with', 'using', 'from', 'against', 'for'])
              yield [`buy ${size}${a} ${way} ${b}, ${ask}`, bought];
          }
      for (const asset of symbols)
        for (const name of names[asset])
          for (const money of ['$500', '500 usdt', '500 dollars', 'my usdt', '500 usdc']) {
            const size = money.startsWith('my') ? {} : { amount_usd: '500' };
            yield [`should I sell ${money} for ${name}?`, [{ asset, side: 'buy', ...size }]];
            yield [`is it fair to sell ${money} to buy ${name}?`, [{ asset, side: 'buy', ...size }]];
            yield [`should I buy ${money} with ${name}?`, [{ asset, side: 'sell', ...size }]];
          }
    }
    answeredOf(step, prompts());
  });

  test('money as what is traded, and verbs that are neither a sale nor a purchase for certain', () => {
    const sale = ['sell', 'dump', 'unload', 'offload', 'exit', 'get rid of', 'get out of', 'cash out'];
    const purchase = ['buy', 'purchase', 'grab', 'acquire', 'pick up', 'enter', 'get into', 'go into', 'move into'];
    const unsure = [
      ...[
        'get',
        'receive',
        'obtain',
        'take',
        'put',
        'put up',
        'spend',
        'invest',
        'pay',
        'list',
        'hand over',
        'let go of',
      ],
      ...['give up', 'shed', 'cash in', 'pull', 'trade in', 'trade away', 'end', 'return', 'cancel', 'close', 'use'],
      ...['want', 'ask for', 'make', 'clear', 'lose', 'price', 'be sold', 'be bought'],
    ];
    const moneys = ['dollars', 'cash', '$500', '500 dollars', 'stablecoins', 'USDT', '500 USDT', 'my cash', 'some usd'];
    const ways = ['into', 'for', 'with', 'to', 'from', 'in', 'against', 'and get', '->', 'out of', 'on', 'by'];
    const invested = /^(?:put|spend|invest) .*\d.* (?:into|in|on) /;
    function* prompts(): Generator<[string, ...Asked[][]]> {
      let index = 0;
      for (const verb of [...sale, ...purchase, ...unsure])
        for (const money of moneys)
          for (const way of ways)
            for (const frame of frames.slice(1)) {
              index++;
              const asset = turn(symbols, index);
              const units = index % 2 === 0 ? '2 ' : '';
              const name = `${units}${names[asset][0]}`;
              const [sold, bought] = (['sell', 'buy'] as const).map((side) => ({ asset, side }));
              const sized = (leg: Asked | undefined): Asked[][] =>
                leg === undefined
                  ? []
                  : [[leg], [{ ...leg, amount_asset: '2' } as Asked], [{ ...leg, amount_usd: '500' } as Asked]];
              // An asset given for money is sold; an asset received for money is bought.
              const given = [...sale].includes(verb) || ['into', 'to'].includes(way) ? sized(sold) : sized(bought);
              yield [frame(`${verb} ${name} ${way} ${money}`), ...given];
              const flipped = [...sale].includes(verb) || invested.test(`${verb} ${money} ${way} `) ? bought : sold;
              yield [frame(`${verb} ${money} ${way} ${name}`), ...sized(flipped)];
            }
    }
    const { all } = answeredOf(step, prompts());
    expect(all * step).toBeGreaterThan(25_000);
  });

  test('others who trade are not the one who asks', () => {
    const traders = [
      'the pool',
      'you',
      'someone',
      'the buyer',
      'the seller',
      'they',
      'binance',
      'the market',
      'a friend',
    ];
    function* prompts(): Generator<[string]> {
      for (const trader of traders)
        for (const verb of ['sell', 'buy', 'purchase', 'dump', 'grab'])
          for (const asset of symbols)
            for (const size of ['', '2 ', 'my 2 ', '$500 of ']) {
              const item = `${size}${names[asset][0]}`;
              yield [`can ${trader} ${verb} ${item} fairly?`];
              yield [`does ${trader} want to ${verb} ${item} at a fair price?`];
              yield [`is it fair that ${trader} ${verb}s ${item}?`];
              yield [`${trader} would ${verb} ${item}, fair?`];
            }
    }
    expect(answeredOf(step, prompts()).count).toBe(0);
  });
};

// Thirteen divides the length of none of the lists above, so every value of each is met.
describe('AG-24: no asset gets the side of another clause, in every thirteenth prompt', ofEvery(13));
describe('AG-24: no asset gets the side of another clause, in every prompt', { tags: 'long' }, ofEvery(1));
