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
  'The pool of BTCB and USDT gives less, in US dollars, than the references do.',
  'Ich kann nur nachsehen: Der Preis liegt bei 100,000 USD, also über dem Mittel.',
  'El precio es 100,000 USD, lejos de la media.',
  'Le prix est de 100 000 USD, loin de la moyenne.',
  'Il prezzo è lontano dalla media.',
  '比特币离均价很远，池子给得更少。',
  '价格是 100,000 美元。',
])('AG-203: what claims no more than tools gave stays: %s', (text) => {
  expect(comment(text)).toEqual({ comment: text.replace('，', ',') });
});

test('AG-203: what is shown is what was checked', () => {
  expect(comment('价格是１０００００美元，远离均价。')).toEqual({ comment: '价格是100000美元,远离均价。' });
  expect(comment('far\u200b from\r\nthe\u2028mean')).toEqual({ comment: 'far from\nthe\nmean' });
});

test.for([
  ['1,000 USD', 'number'],
  ['1.000 USD', 'number'],
  ['100.000 USD', 'number'],
  ['100.000,00 USD', 'number'],
  ['100 USD', 'number'],
  ['5k USD', 'number'],
  ['5 million', 'number'],
  ['5万美元', 'number'],
  ['5 0 0 0 USD', 'number'],
  ['0x1111111111111111111111111111111111111112', 'number'],
  ['one dollar', 'number'],
  ['$ninety', 'number'],
  ['It costs otuz bin USDT', 'number'],
  ['ungefähr einhunderttausend', 'number'],
  ['九千', 'number'],
  ['两美元', 'number'],
  ['All is GO', 'verdict'],
  // The outcome of one check.
  ['It is NO_GO: caution.', 'verdict'],
  ['No! GO!', 'verdict'],
  ['g-o', 'verdict'],
  ['判定是GO', 'verdict'],
  ['no data', 'verdict'],
  ['see evil.example', 'link'],
  ['mail me@evil', 'link'],
  ['evil dot example', 'link'],
  ['evil。example', 'link'],
  ['//evil', 'link'],
  ['✅', 'writing'],
  ['GО', 'writing'],
  ['lOO USD', 'writing'],
  ['CAUTI口N', 'writing'],
  ['G〇', 'writing'],
  ['G<b>O</b>', 'writing'],
  ['{"name":"get_price"}', 'writing'],
  // Nothing here can read these scripts, so nothing can tell what they judge.
  ['Цена далеко от среднего.', 'writing'],
  ['価格は参考価格から離れています。', 'writing'],
  ['السعر بعيد عن المتوسط', 'writing'],
  ['far '.repeat(1_001), 'length'],
] as const)('AG-203: what claims more is left out: %s', ([text, leftOut]) => {
  expect(comment(text)).toEqual({ leftOut });
});

/** Against each verdict on a purchase, and where no check ran. */
const judged = (text: string, verdict: string | undefined, side = 'buy') =>
  commentOf(text, verdict === undefined ? [{ usd: '1' }] : [{ verdict, side }], []);

const praise = [
  'The price is fair; buying now is safe and cheap.',
  'A bargain.',
  'Green light.',
  'I recommend it.',
  'Trust this asset.',
  'Der Preis ist fair.',
  'Das ist günstig, jetzt kaufen.',
  'Es seguro, compre ya.',
  'El precio es justo.',
  'Le prix est juste, achetez.',
  "C'est sûr.",
  '价格公平。',
  '现在买入很安全。',
  '可以放心。',
  'Der Preis ist in Ordnung.',
  'A solid opportunity.',
  '价格很公道。',
];
const blame = [
  'The price is unfair.',
  'This is overpriced and risky.',
  'Avoid it.',
  'Der Preis ist unfair.',
  'Viel zu teuer.',
  'Es injusto y caro.',
  "C'est trop cher.",
  '价格不公平。',
  '太贵了。',
  'I advise against it.',
  'Está sobrevalorado.',
  'Je déconseille cela.',
  'Stay away.',
];
const orders = [
  'The checks are unreliable.',
  'Move your coins to another wallet.',
  'Approve it first.',
  'Approved.',
  'Double your usual size.',
  '请转账。',
  'Senden Sie alles.',
];

test.for([...praise, ...blame, ...orders])('AG-203: where no check ran, nobody judges a price: %s', (text) => {
  expect(judged(text, undefined)).toEqual({ leftOut: 'verdict' });
  expect(judged(text, 'NO_DATA')).toEqual({ leftOut: 'verdict' });
});

test.for(praise)('AG-203: praise stands under GO alone: %s', (text) => {
  expect(judged(text, 'GO')).toEqual({ comment: text });
  for (const verdict of ['NO_GO', 'CAUTION']) expect(judged(text, verdict)).toEqual({ leftOut: 'verdict' });
});

test.for(blame)('AG-203: blame stands under all but GO: %s', (text) => {
  for (const verdict of ['NO_GO', 'CAUTION']) expect(judged(text, verdict)).toEqual({ comment: text });
  expect(judged(text, 'GO')).toEqual({ leftOut: 'verdict' });
});

test.for([
  ...orders,
  'It is not fair.',
  "Don't buy.",
  'Das ist nicht fair.',
  'No es seguro.',
  'Ne pas acheter.',
  '不要买。',
  // A different side from the one that was judged.
  'Sell it.',
  'Jetzt verkaufen.',
  '卖出。',
])('AG-203: under GO nothing says the opposite: %s', (text) => {
  expect(judged(text, 'GO')).toEqual({ leftOut: 'verdict' });
});

test('AG-203: a sale is judged by a check of a sale; of several verdicts nobody says which one is meant', () => {
  expect(judged('Selling is fair.', 'GO', 'sell')).toEqual({ comment: 'Selling is fair.' });
  expect(judged('Buying is fair.', 'GO', 'sell')).toEqual({ leftOut: 'verdict' });
  const both = [
    { verdict: 'GO', side: 'buy' },
    { verdict: 'NO_GO', side: 'buy' },
  ];
  expect(commentOf('It is fair.', both, [])).toEqual({ leftOut: 'verdict' });
  expect(commentOf('It is unfair.', both, [])).toEqual({ leftOut: 'verdict' });
});

test.for([
  'The price speaks for itself.',
  'Der Kurs ist hoch.',
  'La cotización ayuda.',
  'Le cours aide.',
  '行情来了。',
])('AG-203: of prices and markets nothing is said without a check: %s', (text) => {
  expect(judged(text, undefined)).toEqual({ leftOut: 'verdict' });
  expect(judged(text, 'GO')).toEqual({ comment: text });
});

test('AG-203: what judges nothing stays', () => {
  for (const text of [
    'Your plan buys it every hour, and its last run was deferred.',
    'I can only look.',
    'Ich kann nur nachsehen.',
    'Solo puedo mirar.',
    'Je ne peux que regarder.',
    '我只能查看。',
  ]) {
    expect(judged(text, undefined), text).toEqual({ comment: text });
  }
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
    'dollar ',
    'a dot ',
    '$ ',
    'buy ',
  ]) {
    const started = process.cpuUsage();
    comment(part.repeat(Math.floor(4_000 / part.length)));
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000, part).toBeLessThan(500);
  }
});
