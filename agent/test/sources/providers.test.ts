import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pythSignersOf } from '@bowline/core/registry/pyth';
import { BTCB, fairProposal, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { limitsOf } from '@bowline/core/verdict/limits';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { sourcesOf } from '@bowline/core/verdict/sources';
import { createMarketData } from '@bowline/exchange/exchange';
import { beforeAll, describe, expect, it } from 'vitest';
import { signUpdate } from '../../../lab/world/market/guardians.ts';
import { propose } from '../../src/sources/propose.ts';
import { createPyth } from '../../src/sources/pyth.ts';

// From the wire to the finding: what the exchange and Pyth may answer, through the real clients, on a healthy chain.

type Question = 'ticker' | 'candles' | 'pyth';
type Answer = (response: ServerResponse, body: string) => void;

const routes: readonly (readonly [string, Question])[] = [
  ['/api/v3/ticker/bookTicker', 'ticker'],
  ['/api/v3/klines', 'candles'],
  ['/v2/updates/price/latest', 'pyth'],
];

const pythId = `0x${'e6'.repeat(32)}` as const;
const asset = { ...BTCB, pythId };
const now = Number(NOW);
const hour = 3_600;

const ticker = { symbol: 'BTCUSDT', bidPrice: '99999.00', bidQty: '1', askPrice: '100001.00', askQty: '1' };
/** Up and down by 0.1 % every hour, the last one under way. */
const closes = Array.from({ length: 168 }, (_, at) => (at % 2 === 0 ? '99900.00' : '100000.00'));
const kline = (openedAt: number, close: string) => [openedAt * 1000, close, close, close, close, '12', 0, '0', 1];
const klines = closes.map((close, at) => kline(now - hour * (closes.length - 1 - at), close));
const quoted = { price: '10000000000000', conf: '1000000000', expo: -8, publish_time: now - 1 };

const bodies = {
  ticker,
  candles: klines,
  pyth: { binary: { data: [await signed()] } },
} satisfies Record<Question, unknown>;

const date = (seconds: number) => ({ date: new Date(seconds * 1000).toUTCString() });
const says =
  (body: unknown, status = 200, at = now): Answer =>
  (response) =>
    void response.writeHead(status, date(at)).end(typeof body === 'string' ? body : JSON.stringify(body));
const dated =
  (at: number): Answer =>
  (response, body) =>
    void response.writeHead(200, date(at)).end(body);
const well = dated(now);

/** Which sources do not count, which checks pass with nothing to measure, and which do not pass, and why. */
async function found(strange: Partial<Record<Question, Answer>>): Promise<string[]> {
  const server = createServer(({ url = '' }, response) => {
    const question = routes.find(([route]) => url.startsWith(route))?.[1] ?? 'ticker';
    (strange[question] ?? well)(response, JSON.stringify(bodies[question]));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sources = {
    assets: [asset, USDT],
    limitsOf: () => limitsOf.crypto,
    chain: { facts: async () => fairProposal().chain },
    clock: () => NOW,
    exchange: createMarketData(url, () => NOW),
    pyth: createPyth(url, () => NOW, { signers: pythSignersOf(31_337) }),
  };
  try {
    const proposal = await propose(sources, asset, 'buy', { usdWad: 1_000n * 10n ** 18n });
    const { findings } = judgeProposal(proposal);
    return [
      ...sourcesOf(proposal).flatMap((each) => ('absent' in each ? [`${each.source}: ${each.absent}`] : [])),
      ...findings.flatMap(({ check, outcome, reason, measured }) => {
        if (outcome !== 'pass') return [`${check}: ${outcome} ${reason}`];
        return measured === undefined ? [`${check}: not known`] : [];
      }),
    ];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

let usual: string[];
beforeAll(async () => {
  usual = await found({});
});
const foundNew = async (strange: Partial<Record<Question, Answer>>) =>
  (await found(strange)).filter((finding) => !usual.includes(finding));

/** What the verdict says when one question has no answer, and nothing more. */
const without: Readonly<Record<Question, readonly string[]>> = {
  ticker: ['exchange: silent'],
  // The feed's own rounds still cover the last two hours.
  candles: ['volatility: caution past_missing'],
  pyth: ['pyth: silent'],
};
const questions = Object.keys(without) as Question[];
const all = [...without.ticker, ...without.pyth, 'all_in_cost: no_data reference_missing', ...without.candles];

it('when everybody answers, nothing of theirs is found', () => {
  const theirs = /^(exchange|pyth|all_in_cost|volatility|recent_move)/;
  expect(usual.filter((finding) => theirs.test(finding))).toEqual([]);
});

const strange: readonly (readonly [string, Answer])[] = [
  ['an error inside a good answer', says({ code: -1003, msg: 'Too many requests.' })],
  ['429', says({ code: -1003, msg: 'Too many requests.' }, 429)],
  ['418', says({ code: -1003, msg: 'Way too many requests; IP banned.' }, 418)],
  ['500 with the right body', (response, body) => void response.writeHead(500, date(now)).end(body)],
  ['a page', says('<html>Bad gateway</html>')],
  ['nothing', says('')],
  ['null', says('null')],
  ['an empty list', says([])],
  ['an empty object', says({})],
  ['a list of nothing', says([null, null])],
  ['half a body', (response, body) => void response.writeHead(200, date(now)).end(body.slice(0, body.length / 2))],
  [
    'a body that breaks off',
    (response, body) => {
      response.writeHead(200, { ...date(now), 'content-length': String(body.length) }).write(body.slice(0, 9));
      setTimeout(() => response.destroy(), 20);
    },
  ],
  ['a connection that is closed', (response) => void response.destroy()],
  ['an answer that never comes', () => {}],
  [
    'an answer that drips and never ends',
    (response) => {
      response.writeHead(200, date(now));
      const drip = setInterval(() => response.write(' '), 200);
      response.once('close', () => clearInterval(drip));
    },
  ],
];

// GD-5
describe.concurrent('an answer that is none leaves its own checks without a fact, and the others theirs', () => {
  for (const [name, answer] of strange) {
    it.each(questions)(`${name}: %s`, async (question) => {
      expect(await foundNew({ [question]: answer })).toEqual(without[question]);
    });
  }

  it.each(strange)('everybody: %s', async (_, answer) => {
    const began = performance.now();
    expect(await foundNew({ ticker: answer, candles: answer, pyth: answer })).toEqual(all);
    expect(performance.now() - began).toBeLessThan(9_000);
  });
});

const [first, ...rest] = klines;
const cases: readonly (readonly [string, Question, Answer, readonly string[]])[] = [
  ['another pair’s', 'ticker', says({ ...ticker, symbol: 'ETHUSDT' }), without.ticker],
  ['every pair’s', 'ticker', says([ticker]), without.ticker],
  ['a bid of zero', 'ticker', says({ ...ticker, bidPrice: '0.00' }), without.ticker],
  ['a negative bid', 'ticker', says({ ...ticker, bidPrice: '-99999.00' }), without.ticker],
  ['NaN', 'ticker', says({ ...ticker, askPrice: 'NaN' }), without.ticker],
  ['a number', 'ticker', says({ ...ticker, askPrice: 100_001 }), without.ticker],
  ['digits without end', 'ticker', says({ ...ticker, askPrice: '9'.repeat(312) }), without.ticker],
  ['a bid above the ask', 'ticker', says({ ...ticker, bidPrice: '100002.00' }), without.ticker],
  ['no date', 'ticker', undated(ticker), without.ticker],
  ['an hour behind', 'ticker', dated(now - hour), ['exchange: stale']],
  ['an hour ahead', 'ticker', dated(now + hour), ['exchange: stale']],
  [
    'another price by the right name, which no candle stands round',
    'ticker',
    says({ ...ticker, bidPrice: '3999.00', askPrice: '4000.00' }),
    ['price_jump: no_go price_jumped', 'all_in_cost: no_go cost_high', ...without.candles],
  ],

  ['no date', 'candles', undated(klines), without.candles],
  ['an hour behind', 'candles', dated(now - hour), without.candles],
  ['half a minute ahead, and more', 'candles', dated(now + 31), without.candles],
  ['newest first', 'candles', says(klines.toReversed()), without.candles],
  ['digits without end', 'candles', says(klines.with(150, kline(now - 17 * hour, '9'.repeat(312)))), without.candles],
  ['two out of order', 'candles', says(swapped(klines, 50)), without.candles],
  ['one twice', 'candles', says([first, first, ...rest]), without.candles],
  // Hours that are missing before the newest two days change nothing.
  ['two gaps', 'candles', says(klines.toSpliced(90, 1).toSpliced(50, 3)), []],
  ...[49, 50, 80, 165, 167].map((ago) => ['a gap', 'candles', says(klines.toSpliced(167 - ago, 1)), []] as const),
  ['a price of zero', 'candles', says(klines.with(100, kline(now - 67 * hour, '0.00'))), []],
  ['a negative price', 'candles', says(klines.with(100, kline(now - 67 * hour, '-1'))), []],
  ['a price of NaN', 'candles', says(klines.with(100, kline(now - 67 * hour, 'NaN'))), []],
  ['a row of nothing', 'candles', says(klines.with(100, [])), []],
  // Within them, a gap costs each check that lacks an unbroken past.
  ...[48, 30, 25].map((ago) => ['a gap', 'candles', says(klines.toSpliced(167 - ago, 1)), []] as const),
  ...[24, 3].map((ago) => ['a gap', 'candles', says(klines.toSpliced(167 - ago, 1)), without.candles] as const),
  ...[2, 1].map((ago) => ['a gap', 'candles', says(klines.toSpliced(167 - ago, 1)), without.candles] as const),
  ['two out of order among the newest', 'candles', says(swapped(klines, 160)), without.candles],
  ['one twice among the newest', 'candles', says(klines.toSpliced(160, 0, klines[160] ?? [])), without.candles],
  ['the newest of a price of zero', 'candles', says(klines.with(-1, kline(now, '0.00'))), without.candles],
  ['two hours old', 'candles', says(klines.slice(0, -2)), without.candles],
  ['of tomorrow', 'candles', says(closes.map((close, at) => kline(now + hour * (at - 100), close))), without.candles],
  ['by the minute', 'candles', says(closes.map((close, at) => kline(now + 60 * (at - 167), close))), without.candles],
  ['another pair’s', 'candles', says(closes.map((_, at) => kline(now + hour * (at - 167), '4000'))), without.candles],
  ['a single one', 'candles', says(klines.slice(-1)), without.candles],
  ['a day and a half', 'candles', says(klines.slice(-36)), []],

  ['another id’s', 'pyth', pyth({}, 'ab'.repeat(32)), without.pyth],
  ['two updates', 'pyth', says({ binary: { data: Array(2).fill(bodies.pyth.binary.data[0]) } }), without.pyth],
  ['no signed bytes', 'pyth', says({ binary: { data: [] } }), without.pyth],
  ['other signed bytes', 'pyth', says({ binary: { data: ['00'] } }), without.pyth],
  ['zero', 'pyth', pyth({ price: '0' }), without.pyth],
  ['negative', 'pyth', pyth({ price: '-10000000000000' }), without.pyth],
  ['so small that nothing is left of it', 'pyth', pyth({ price: '5', expo: -20 }), without.pyth],
  ['an exponent that would fill the memory', 'pyth', pyth({ expo: -2_000_000_000 }), without.pyth],
  ['an exponent above zero', 'pyth', pyth({ expo: 8 }), without.pyth],
  ['an hour old', 'pyth', pyth({ publish_time: now - hour }), ['pyth: stale']],
  ['of the next hour', 'pyth', pyth({ publish_time: now + hour }), ['pyth: stale']],
  ['in milliseconds', 'pyth', pyth({ publish_time: now * 1000 }), ['pyth: stale']],
  ['a confidence larger than the price', 'pyth', pyth({ conf: '10000000000001' }), ['pyth: uncertain']],
  [
    'a price half as high',
    'pyth',
    pyth({ price: '5000000000000' }),
    ['price_jump: caution price_jumped', 'all_in_cost: no_go cost_high'],
  ],
];

// GD-5
describe.concurrent('an answer that says something wrong is a fact less or a finding, and never a price of now', () => {
  it.each(cases)('%s: %s', async (_name, question, answer, expected) => {
    expect(await foundNew({ [question]: answer })).toEqual(expected);
  });
});

function undated(body: unknown): Answer {
  return (response) => {
    response.sendDate = false;
    response.end(JSON.stringify(body));
  };
}

function pyth(changes: object, id?: string): Answer {
  return async (response) => says({ binary: { data: [await signed(changes, id)] } })(response, '');
}

async function signed(changes: object = {}, id = pythId.slice(2)): Promise<string> {
  const { price, conf, expo, publish_time: publishTime } = { ...quoted, ...changes };
  return signUpdate([{ id, price: BigInt(price), conf: BigInt(conf), expo, publishTime }]);
}

function swapped(rows: typeof klines, at: number): typeof klines {
  const [a = [], b = []] = rows.slice(at, at + 2);
  return rows.with(at, b).with(at + 1, a);
}
