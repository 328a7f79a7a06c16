import { type Address, HttpRequestError } from 'viem';
import type { Moment } from '../../../web/app/api/age.ts';
import type { Asset, Settings } from '../../../web/app/api/settings.ts';
import { servesAll } from '../../../web/test/serves.ts';
import type { Finding, QuoteAnswer, QuotedAsset, YearAnswer } from '../../../web/wire.ts';
import { at } from '../facts.ts';

// Shared by every scene: the chain, its tokens and their prices at one moment.

/** Unix seconds: noon of a Monday. */
export const now = 1_795_435_200n;
export const moment: Moment = { wall: Number(now) * 1_000, steady: 1_000 };
export const owner: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const WAD = 10n ** 18n;

const asset = (symbol: string, name: string, digit: string, kind: Asset['class'], quote: string): Asset => ({
  ...{ symbol, name, class: kind, address: at(digit), decimals: 18, quote },
  ...{ feed: `0xfeed${digit.repeat(36)}`, feedDecimals: 8, poolFeeMillionths: 500 },
});

export const tether = asset('USDT', 'Tether USD', '1', 'stable', 'USDC');
export const bitcoin = asset('BTCB', 'Bitcoin', '2', 'crypto', 'USDT');
export const ether = asset('ETH', 'Ether', '3', 'crypto', 'USDT');
const bnb = asset('WBNB', 'BNB', '4', 'crypto', 'USDT');
const dollar = asset('USDC', 'USD Coin', '5', 'stable', 'USDT');

export const settings: Settings = {
  chainId: 31_337,
  chainName: 'Local chain',
  explorerUrl: 'http://127.0.0.1:9/',
  rpcUrl: 'http://127.0.0.1:9',
  contracts: {
    planRegistry: '0xa1000000000000000000000000000000000000a1',
    swapExecutor: '0xa2000000000000000000000000000000000000a2',
    revocations: '0xa3000000000000000000000000000000000000a3',
    loanGuard: '0xa4000000000000000000000000000000000000a4',
    priceSource: '0xa5000000000000000000000000000000000000a5',
    venusPriceSource: '0xa6000000000000000000000000000000000000a6',
    quoteDesk: null,
    router: '0xa7000000000000000000000000000000000000a7',
    quoter: '0xa8000000000000000000000000000000000000a8',
    poolDeployer: '0xa9000000000000000000000000000000000000a9',
  },
  verdictSigners: ['0xb1000000000000000000000000000000000000b1'],
  hubs: [tether.address, bnb.address],
  lending: [
    {
      name: 'Venus',
      scope: 'Venus’s core pool',
      url: 'http://127.0.0.1:9/venus',
      adapter: '0xc1000000000000000000000000000000000000c1',
      core: '0xc2000000000000000000000000000000000000c2',
    },
  ],
  assets: [bitcoin, ether, bnb, tether, dollar],
};

/** The chain's node does not answer. */
export const silence = new HttpRequestError({ url: settings.rpcUrl });

const finding = (check: string, measured: string | null, limit: string, more: Partial<Finding> = {}): Finding => ({
  ...{ check, question: 'Is it so?', outcome: 'pass', reason: null, measured, limit, caution_limit: null },
  ...{ unit: 'bps', ages: { block: '1' }, detail: 'The pool is 4 bps from the median of its sources.', ...more },
});

export const passes: readonly Finding[] = [
  finding('chain_health', '2', '20', { unit: 'blocks', detail: 'The newest final block is 2 blocks old.' }),
  finding('price_jump', '4', '10000'),
  finding('way_back', '0', '50', { detail: 'There and back leaves what the fees leave.' }),
  finding('all_in_cost', '11', '90', { detail: 'A cost of 0.11 % in all.' }),
  finding('stablecoin_peg', null, '100', { detail: 'BTCB, which is received, is no stablecoin.' }),
];

export const wary: Finding = finding('volatility', '912', '1500', {
  ...{ outcome: 'caution', reason: 'volatility_high', caution_limit: '800' },
  detail: 'The last day moved by 9.12 %, more than is usual.',
});

export const refusal: Finding = finding('all_in_cost', '431', '90', {
  ...{ outcome: 'no_go', reason: 'cost_high' },
  detail: 'A cost of 4.31 % in all; the pool has moved by 4.1 % from its mean of the last 600 s.',
});

/** A day of hourly prices: a gentle wave around a price. */
const history = (price: number): QuotedAsset['history'] =>
  Array.from({ length: 25 }, (_, hour) => [
    Number(now) - (24 - hour) * 3_600,
    (price * (1 + 0.02 * Math.sin(hour / 3) - 0.0008 * (24 - hour))).toFixed(4),
  ]);

function quoted(symbol: string, price: number, change: string, findings: readonly Finding[]): QuotedAsset {
  const worst = findings.find(({ outcome }) => outcome !== 'pass');
  const verdict = worst === undefined ? 'GO' : worst.outcome === 'caution' ? 'CAUTION' : 'NO_GO';
  return {
    ...{ symbol, price_usd: price.toFixed(4), change_24h_percent: change, history: history(price) },
    judged: {
      ...{ verdict, reason: worst?.reason ?? null, findings: [...findings] },
      ...{ issued_at: String(now - 4n), expires_at: String(now + 116n) },
    },
    unavailable: [],
  };
}

export const quote: QuoteAnswer & { readonly asOf: Moment } = {
  time: new Date(moment.wall - 2_000).toISOString(),
  sent_at: new Date(moment.wall).toISOString(),
  rescues: { ok: true, reason: null },
  buys: { ok: true, reason: null },
  serves: servesAll(settings, now),
  assets: [
    quoted('BTCB', 97_412.5, '1.93', passes),
    quoted('ETH', 3_380.2, '-2.41', [...passes, wary]),
    quoted('WBNB', 912.4, '0.32', passes),
    quoted('USDT', 1, '0.00', passes),
    quoted('USDC', 0.9998, '-0.01', [...passes, refusal]),
  ],
  asOf: moment,
};

/** A year of daily closes. */
export const year: YearAnswer = {
  symbol: 'BTCB',
  closes: Array.from({ length: 366 }, (_, day) => [
    Number(now) - (365 - day) * 86_400,
    (97_412 * (1 + 0.15 * Math.sin(day / 40) - 0.0006 * (365 - day))).toFixed(2),
  ]),
};

/** Nothing is known of any asset. */
export const quoteOfNothing: typeof quote = {
  ...quote,
  rescues: { ok: false, reason: 'chain_unavailable' },
  buys: { ok: false, reason: 'chain_unavailable' },
  assets: quote.assets.map(({ symbol }) => ({
    ...{ symbol, price_usd: null, change_24h_percent: null, history: [], judged: null },
    unavailable: ['chain_unavailable'],
  })),
};
