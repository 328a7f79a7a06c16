import { byTime, type Coin, HOUR, type Hour, readHours } from '../prices/prices.ts';

// Facts from the real hours: prices of the traded coins, exchange outages, and the value of USDT.

export const coins = { BTCB: 'btc', ETH: 'eth', WBNB: 'bnb' } as const satisfies Readonly<Record<string, Coin>>;
export type CoinSymbol = keyof typeof coins;
export const symbols = Object.keys(coins) as CoinSymbol[];

export interface Past {
  readonly hours: ReadonlyMap<number, Hour>;
  /** Oldest and newest hour. */
  readonly first: number;
  readonly last: number;
}

const names = ['btc', 'eth', 'bnb', 'luna', 'ust', 'usdc'] as const satisfies readonly Coin[];
const read = new Map<Coin, Past>();

/** Read at first use. */
export function past(coin: Coin): Past {
  const known = read.get(coin) ?? pastOf(coin);
  read.set(coin, known);
  return known;
}

function pastOf(coin: Coin): Past {
  const hours = readHours(coin);
  return { hours: byTime(hours), first: hours[0]?.at ?? 0, last: hours.at(-1)?.at ?? 0 };
}

/**
 * Whether the exchange was out: two pairs that cover the hour have no candle. One pair does not tell, because some
 * hours of the large coins come from its perpetuals.
 */
export function wasOut(hour: number): boolean {
  const covering = names.map(past).filter(({ first, last }) => hour > first && hour < last);
  return covering.filter(({ hours }) => !hours.has(hour)).length >= 2;
}

/**
 * USD of one USDT at the end of an hour: the inverse of USDC's price, where USDC was traded and was itself worth a
 * dollar; otherwise one.
 */
export function usdOfUsdt(hour: number): number {
  const usdc = past('usdc').hours.get(hour)?.close;
  return usdc === undefined || isUsdcTrouble(hour) ? 1 : 1 / usdc;
}

/** 2023-03-10 to 15: USDC itself was off its peg. */
const isUsdcTrouble = (hour: number): boolean => hour >= 1_678_406_400 && hour < 1_678_838_400;

/** Relative move of an hour; undefined where it, or the one before, is missing. */
export function moveOf({ hours }: Past, hour: number): number | undefined {
  const [now, before] = [hours.get(hour)?.close, hours.get(hour - HOUR)?.close];
  return now === undefined || before === undefined ? undefined : now / before - 1;
}

export const yearOf = (second: number): number => new Date(second * 1_000).getUTCFullYear();
export const secondOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 1_000;
