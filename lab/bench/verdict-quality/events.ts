import type { TradedAsset } from '@bowline/core/domain/assets';
import type { Side } from '@bowline/core/domain/facts';
import type { Verdict } from '@bowline/core/domain/verdict';
import { type Coin, HOUR, type Hour } from '../prices/prices.ts';
import { type Past, past, secondOf } from './history.ts';
import type { Judge } from './judge.ts';
import { assetOf } from './moment.ts';
import { neutralScene } from './neutral.ts';
import type { Scene } from './scene.ts';

// What a plan would have met in real hours, and in three reconstructed from published figures.

export interface Event {
  readonly name: string;
  readonly symbol: string;
  readonly side: Side;
  /** Oldest first; an hour without a price is left out. */
  readonly scenes: () => readonly Scene[];
}

export interface Met {
  readonly name: string;
  readonly symbol: string;
  readonly side: Side;
  readonly hours: Readonly<Record<Verdict, number>>;
  /** Hours in a row without GO. */
  readonly longestWait: number;
  readonly reasons: Readonly<Record<string, number>>;
}

const { asset: bitcoin } = assetOf('BTCB');

/** A coin that the registry does not list: crypto like BTC, or a stablecoin like USDC. */
const coinLike = (symbol: string, like: TradedAsset = bitcoin): TradedAsset => ({ ...like, symbol, name: symbol });
const LUNA = coinLike('LUNA');
const UST = coinLike('UST', assetOf('USDC').asset);

/** The real hours between two days. @param told changes what the sources say. */
const real = (
  name: string,
  asset: TradedAsset,
  coin: Coin,
  [from, to]: readonly [string, string],
  side: Side = 'buy',
  told: (scene: Scene) => Scene = (scene) => scene,
): Event => ({
  name,
  symbol: asset.symbol,
  side,
  scenes: () => hoursOf({ asset, past: past(coin), side }, secondOf(from), secondOf(to)).map(told),
});

function hoursOf(
  of: { asset: TradedAsset; past: Past; side: Side; quoteUsd?: number },
  from: number,
  to: number,
): Scene[] {
  const found: Scene[] = [];
  for (let at = from; at < to; at += HOUR) {
    const scene = neutralScene({ ...of, at });
    if (scene !== undefined) found.push(scene);
  }
  return found;
}

const ofAll = (name: string, days: readonly [string, string]): Event[] =>
  (['buy', 'sell'] as const).flatMap((side) => [
    real(name, bitcoin, 'btc', days, side),
    real(name, assetOf('ETH').asset, 'eth', days, side),
    real(name, assetOf('WBNB').asset, 'bnb', days, side),
  ]);

/** Chainlink's feed of LUNA stood at its lower bound while the market fell to nothing. */
const pinned = (scene: Scene): Scene =>
  scene.usd >= 0.107 ? scene : { ...scene, chainlink: { usd: 0.107, age: 10, before: 0.107 }, venusUsd: 0.107 };

/** The fall went on after the exchange's last candle: the price halves every hour, by publications from 0.107 down. */
function lunaBelow(side: Side): Scene[] {
  const last = past('luna');
  const end = secondOf('2022-05-13');
  const hours = new Map(last.hours);
  for (const at of hours.keys()) if (at >= end) hours.delete(at);
  for (let hour = 0; hour < 24; hour += 1) {
    const close = 0.1 / 2 ** hour;
    hours.set(end + hour * HOUR, { at: end + hour * HOUR, high: close, low: close, close });
  }
  return hoursOf({ asset: LUNA, past: { ...last, hours }, side }, end, end + 24 * HOUR).map(pinned);
}

/** A feed that gives the ratio of a staked coin to its coin, 1.12, instead of USD. */
const ratioFeed = (scene: Scene): Scene => ({
  ...scene,
  chainlink: { usd: 1.12, age: 10, before: 1.12 },
  venusUsd: 1.12,
});

/** A thin coin at 0.04 for a week, then at five times that on every venue within an hour, where it stays for a day. */
function pumped(): Scene[] {
  const start = secondOf('2022-10-05');
  const hours = new Map<number, Hour>();
  for (let hour = 0; hour < 9 * 24; hour += 1) {
    const at = start + hour * HOUR;
    const close = (hour < 7 * 24 ? 0.04 : 0.2) * (1 + 0.002 * (hour % 3));
    hours.set(at, { at, high: close, low: close, close });
  }
  const thin: Past = { hours, first: start, last: start + 9 * 24 * HOUR };
  const pump = start + 7 * 24 * HOUR;
  return hoursOf({ asset: coinLike('MNGO'), past: thin, side: 'buy' }, pump, pump + 24 * HOUR);
}

/** USDT is above a dollar, and everything quoted in it lower by as much: fair for anyone who pays with it. */
const dearUsdt = (scene: Scene): Scene => ({
  ...scene,
  usd: scene.usd * 1.01,
  quoteUsd: 1.01,
  chainlink: { usd: scene.usd * 1.01, age: 10, before: scene.usd * 1.01 },
  venusUsd: scene.usd * 1.01,
  quoteFeed: { usd: 1.01, age: 300 },
  ...(scene.pyth && { pyth: { ...scene.pyth, usd: scene.usd * 1.01 } }),
});

export const events: readonly Event[] = [
  ...ofAll('2020-03-12, the crash of March', ['2020-03-12', '2020-03-14']),
  ...ofAll('2021-05-19', ['2021-05-19', '2021-05-21']),
  ...ofAll('LUNA falls, 2022-05-07 to 13', ['2022-05-07', '2022-05-14']),
  real('LUNA itself, 2022-05-07 to 12', LUNA, 'luna', ['2022-05-07', '2022-05-13']),
  real('LUNA itself, 2022-05-07 to 12', LUNA, 'luna', ['2022-05-07', '2022-05-13'], 'sell'),
  real('UST received, 2022-05-07 to 12', UST, 'ust', ['2022-05-07', '2022-05-13']),
  real('UST paid, 2022-05-07 to 12', UST, 'ust', ['2022-05-07', '2022-05-13'], 'sell'),
  real('USDC received, 2023-03-11 to 14', assetOf('USDC').asset, 'usdc', ['2023-03-11', '2023-03-15']),
  real('USDT at 1.01 paid for BTC, 2023-03-11 to 14', bitcoin, 'btc', ['2023-03-11', '2023-03-15'], 'buy', dearUsdt),
  ...ofAll('2024-08-05', ['2024-08-05', '2024-08-07']),
  ...ofAll('2025-10-10', ['2025-10-10', '2025-10-12']),
  { name: 'LUNA below its pinned feed', symbol: 'LUNA', side: 'buy', scenes: () => lunaBelow('buy') },
  { name: 'LUNA below its pinned feed', symbol: 'LUNA', side: 'sell', scenes: () => lunaBelow('sell') },
  real(
    'Moonwell: a ratio of 1.12 for a price',
    assetOf('ETH').asset,
    'eth',
    ['2025-10-01', '2025-10-02'],
    'buy',
    ratioFeed,
  ),
  real(
    'Moonwell: a ratio of 1.12 for a price',
    assetOf('ETH').asset,
    'eth',
    ['2025-10-01', '2025-10-02'],
    'sell',
    ratioFeed,
  ),
  { name: 'Mango: five times the price within an hour', symbol: 'MNGO', side: 'buy', scenes: pumped },
];

export function meet({ name, symbol, side, scenes }: Event, judge: Judge): Met {
  const hours: Record<Verdict, number> = { GO: 0, CAUTION: 0, NO_GO: 0, NO_DATA: 0 };
  const reasons: Record<string, number> = {};
  let [wait, longestWait] = [0, 0];
  for (const scene of scenes()) {
    const { verdict, reason } = judge(scene);
    hours[verdict] += 1;
    if (reason !== undefined) reasons[reason] = (reasons[reason] ?? 0) + 1;
    wait = verdict === 'GO' ? 0 : wait + 1;
    longestWait = Math.max(longestWait, wait);
  }
  return { name, symbol, side, hours, longestWait, reasons };
}
