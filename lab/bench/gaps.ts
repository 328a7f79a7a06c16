import { type Coin, HOUR, readHours } from './prices/prices.ts';

// How far prices move in an hour, from an hour's close to the next one's low and high: the registry's gaps.json.

/** All but one in a thousand hours stay below the usual move. */
const SHARE = 0.999;
const UNIT = 'USDT';
const measured = { BTCB: 'btc', ETH: 'eth', WBNB: 'bnb', USDC: 'usdc' } as const satisfies Record<string, Coin>;

export function gaps() {
  const moves = Object.entries(measured).map(([symbol, coin]) => [symbol, usualMovesOf(coin)] as const);
  return { unit: UNIT, share: SHARE, assets: { ...Object.fromEntries(moves), [UNIT]: { fallBps: 0, riseBps: 0 } } };
}

/** Hours after a missing one do not count. */
function usualMovesOf(coin: Coin) {
  const hours = readHours(coin);
  const pairs = hours.slice(1).map((hour, at) => ({ hour, before: hours[at] ?? hour }));
  const followed = pairs.filter(({ hour, before }) => hour.at - before.at === HOUR);
  const day = (second = Number.NaN) => new Date(second * 1_000).toISOString().slice(0, 10);
  return {
    fallBps: usualBps(followed.map(({ hour, before }) => (1 - hour.low / before.close) * 10_000)),
    riseBps: usualBps(followed.map(({ hour, before }) => (hour.high / before.close - 1) * 10_000)),
    hours: followed.length,
    ...{ from: day(hours[0]?.at), to: day(hours.at(-1)?.at) },
  };
}

/** Whole basis points, rounded up. */
export function usualBps(moves: readonly number[]): number {
  const usual = moves.toSorted((a, b) => a - b)[Math.floor(SHARE * (moves.length - 1))];
  if (usual === undefined) throw new Error('no two hours in a row');
  return Math.max(0, Math.ceil(usual));
}
