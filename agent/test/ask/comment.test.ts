import { expect, test } from 'vitest';
import { commentOf } from '../../src/ask/comment/comment.ts';

const outputs = [
  {
    usd: '100000',
    short: '951.52',
    verdict: 'NO_GO',
    time: '2027-01-15T08:00:00.000Z',
    not_passed: [{ outcome: 'caution', limit: 500 }],
  },
  { runs: [{ verdict: 'GO' }], owner: '0x1111111111111111111111111111111111111111' },
];
const sentences = ['BTCB is at 100,000 USD, 5 % above, 0.00951524 BTCB as of 2027-01-15 08:00:00 UTC.'];
const comment = (text: string) => commentOf(text, outputs, sentences);

test.for([
  'It is NO_GO because the pool stands 5 % above the references.',
  'You would get 951.52 USD, or 0.00951524 BTCB.',
  'As of 2027-01-15 08:00:00 UTC the owner is 0x1111111111111111111111111111111111111111.',
  "We'll see whether it comes back to the mean, e.g. over lunch.",
  'El precio es 100.000,00 USD.',
  'Der Preis liegt bei 100.000,00 USD, also über dem Mittel.',
  'Le prix est de 100 000 USD, loin de la moyenne.',
  'Il prezzo è lontano dalla media.',
  'O preço está longe da média.',
  'BTCB fiyatı 100000 USD, on zincirde görüldü.',
  'Цена далеко от среднего: 100 000 USD.',
  'BTCB は参考価格から離れています。',
  '가격이 평균에서 멀어졌습니다.',
  'السعر بعيد عن المتوسط',
  'कीमत औसत से दूर है।',
])('AG-203: what claims no more than tools gave stays: %s', (text) => {
  expect(comment(text)).toEqual({ comment: text });
});

test('AG-203: what is shown is what was checked', () => {
  expect(comment('价格是１０００００美元，远离均价。')).toEqual({ comment: '价格是100000美元,远离均价。' });
  expect(comment('far\u200b from\r\nthe\u2028mean')).toEqual({ comment: 'far from\nthe\nmean' });
});

test.for([
  ['1,000 USD', 'number'],
  ['1.000 USD', 'number'],
  ['100.000 USD', 'number'],
  ['100 USD', 'number'],
  ['5k USD', 'number'],
  ['5 million', 'number'],
  ['5万美元', 'number'],
  ['5 0 0 0 USD', 'number'],
  ['0x1111111111111111111111111111111111111112', 'number'],
  ['one dollar', 'number'],
  ['All is GO', 'verdict'],
  // Of one check.
  ['It is NO_GO: caution.', 'verdict'],
  ['No! GO!', 'verdict'],
  ['g-o', 'verdict'],
  ['no data', 'verdict'],
  ['see evil.example', 'link'],
  ['mail me@evil', 'link'],
  ['✅', 'writing'],
  ['GО', 'writing'],
  ['lOO USD', 'writing'],
  ['far '.repeat(1_001), 'length'],
] as const)('AG-203: what claims more is left out: %s', ([text, leftOut]) => {
  expect(comment(text)).toEqual({ leftOut });
});

test('AG-203: no text takes long to sort out', () => {
  for (const part of [
    'a',
    '1',
    'a.',
    '1,',
    '@',
    'g ',
    'no ',
    'O',
    '<',
    '一',
    'mil ',
    '1 ',
    '.',
    '[',
    'é',
    'zig',
    'sot',
    'one ',
  ]) {
    const started = process.cpuUsage();
    comment(part.repeat(Math.floor(4_000 / part.length)));
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000, part).toBeLessThan(500);
  }
});
