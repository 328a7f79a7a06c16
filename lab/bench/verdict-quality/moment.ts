import { isTraded, quoteAssetOf } from '@bowline/core/domain/assets';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { HOUR, type Hour } from '../prices/prices.ts';
import { type CoinSymbol, coins, past, usdOfUsdt, wasOut } from './history.ts';
import { drawPath, hourOf, type Path } from './path.ts';
import type { Random } from './random.ts';
import type { Exchange, Pool, Scene } from './scene.ts';

// An honest moment within a real hour: sources report what they see of one path, each with its own delay and precision.

/** Seconds of the pool's mean, and of the earlier path on which feeds start. */
const MEAN = 600;
const BEFORE = 300;
/** Sources are read up to this many seconds after the block. */
const AFTER = 3;
/** Candles that the agent requests. */
const CANDLES = 168;
const DAY = 86_400;

const registry = readAssetRegistry(31_337, (text): text is `0x${string}` => /^0x[0-9a-fA-F]{40}$/.test(text));

/** An asset of the registry, by its symbol. */
export function assetOf(symbol: string) {
  const asset = registry.find((each) => each.symbol === symbol);
  if (asset === undefined || !isTraded(asset)) throw new RangeError(`${symbol} is not traded`);
  return { asset, quoteAsset: quoteAssetOf(registry, asset) };
}

/** Properties of each coin's sources: the pool's depth, half a spread, the feed's longest silence. */
const nature: Readonly<Record<CoinSymbol, { poolUsd: number; halfSpread: number; heartbeat: number }>> = {
  BTCB: { poolUsd: 110e6, halfSpread: 0.000_01, heartbeat: 60 },
  ETH: { poolUsd: 80e6, halfSpread: 0.000_02, heartbeat: 60 },
  WBNB: { poolUsd: 80e6, halfSpread: 0.000_04, heartbeat: 30 },
};

/** Chances that a source is silent although nothing is wrong, and that Chainlink skips an update. */
const SILENT = 0.001;
const LATE = 0.002;
/** Chance that an exchange in an outage answers with the book of its last minute, dated now. */
const FROZEN = 0.5;
/** Chance that the price has just left the range where most of the pool's liquidity is. */
const CROSSED = 0.01;

/** The moment `second` seconds into the hour that begins at `at`. That hour and the one before must exist. */
export function honestMoment(symbol: CoinSymbol, at: number, second: number, draw: Random): Scene {
  const { hours } = past(coins[symbol]);
  const blockAt = at + second;
  const path = pathOf(hours, blockAt, draw);
  const readAt = blockAt + draw.between(0.3, AFTER);
  const quoteUsd = usdOfUsdt(hourOf(blockAt)) * (1 + 0.0002 * draw.normal());
  // Log move per minute over these ten: the pace.
  const pace = paceOf(path, blockAt);
  const { heartbeat, ...of } = nature[symbol];
  const isOut = wasOut(at);
  const chainlink = chainlinkOf(path, blockAt, quoteUsd, heartbeat, draw);
  const seen = Math.exp(path.at(Math.floor(readAt - draw.between(0, 2))));
  const frozen = isOut && draw.chance(FROZEN) ? lastCloseBefore(hours, at) : undefined;
  const exchange: Exchange = {
    mid: frozen ?? Math.exp(path.at(Math.floor(readAt - draw.between(0, 0.5)))) * (1 + 0.0001 * draw.normal()),
    halfSpread: of.halfSpread * draw.log(1, 4) + 0.1 * pace,
    offset: draw.between(-1.5, 1.5),
  };
  return {
    ...assetOf(symbol),
    side: draw.chance(0.5) ? 'buy' : 'sell',
    sizeUsd: draw.log(100, 100_000),
    blockAt,
    readAt,
    finalLag: Math.floor(draw.between(2, 6)),
    usd: Math.exp(path.at(blockAt)) * quoteUsd,
    quoteUsd,
    chainlink,
    feedPast: [pricedAt(hours, blockAt - HOUR) * quoteUsd, pricedAt(hours, blockAt - 2 * HOUR) * quoteUsd],
    // Its proxy of the same prices is sometimes one answer behind.
    venusUsd: draw.chance(0.8) ? chainlink.usd : chainlink.before,
    quoteFeed: { usd: quoteUsd * (1 + 0.000_15 * draw.normal()), age: draw.between(0, 900) },
    ...((!isOut || frozen !== undefined) && !draw.chance(SILENT) && { exchange }),
    ...(!draw.chance(SILENT) && {
      pyth: {
        usd: seen * quoteUsd * (1 + 0.000_15 * draw.normal()),
        // Publishers differ by about as much as the price moves within four seconds.
        confidence: seen * quoteUsd * (draw.log(0.000_2, 0.000_6) + 0.26 * pace),
        age: draw.between(0, 2),
      },
    }),
    pool: poolOf(path, blockAt, of.poolUsd, pace, draw),
    closes: isOut ? [] : closesBefore(hours, at),
  };
}

function pathOf(hours: ReadonlyMap<number, Hour>, blockAt: number, draw: Random): Path {
  const [first, last] = [blockAt - MEAN - BEFORE, blockAt + AFTER];
  const needed: { hour: Hour; opened: number }[] = [];
  for (let at = hourOf(first); at <= hourOf(last); at += HOUR) {
    const hour = hours.get(at);
    if (hour !== undefined) needed.push({ hour, opened: hours.get(at - HOUR)?.close ?? hour.close });
  }
  return drawPath(needed, first, last, draw);
}

function paceOf(path: Path, blockAt: number): number {
  let sum = 0;
  for (let minute = 0; minute < 10; minute += 1) {
    sum += (path.at(blockAt - minute * 60) - path.at(blockAt - minute * 60 - 60)) ** 2;
  }
  return Math.sqrt(sum / 10);
}

/** A new answer once the price is 0.1 % from the last one or that is as old as the heartbeat; on chain 2 to 8 s later. */
function chainlinkOf(path: Path, blockAt: number, quoteUsd: number, heartbeat: number, draw: Random) {
  const read = (second: number) => path.at(second) + 0.000_15 * draw.normal();
  let now = { log: read(blockAt - MEAN - BEFORE), at: blockAt - MEAN - BEFORE };
  let before = now;
  let coming: { log: number; at: number } | undefined;
  const longest = draw.chance(LATE) ? heartbeat * draw.between(1, 4) : heartbeat;
  for (let second = blockAt - MEAN - BEFORE; second <= blockAt; second += 1) {
    if (coming !== undefined && second >= coming.at) {
      before = now;
      now = coming;
      coming = undefined;
    }
    if (coming === undefined && (Math.abs(path.at(second) - now.log) > 0.001 || second - now.at >= longest)) {
      coming = { log: read(second), at: second + Math.round(draw.between(2, 8)) };
    }
  }
  return { usd: Math.exp(now.log) * quoteUsd, age: blockAt - now.at, before: Math.exp(before.log) * quoteUsd };
}

/** Others trade within the fee; beyond it, arbitrage brings the pool back a second later. */
function poolOf(path: Path, blockAt: number, usual: number, pace: number, draw: Random): Pool {
  const fee = 0.0006;
  let log = path.at(blockAt - MEAN - BEFORE);
  let sum = 0;
  for (let second = blockAt - MEAN - BEFORE; second <= blockAt; second += 1) {
    if (draw.chance(0.05)) log += 0.0002 * draw.normal();
    const market = path.at(second - 1);
    log = Math.min(Math.max(log, market - fee), market + fee);
    if (second > blockAt - MEAN) sum += log;
  }
  const left = draw.chance(CROSSED) ? draw.between(0.1, 0.5) : 1;
  return {
    spot: Math.exp(log),
    mean: Math.exp(sum / MEAN),
    // Fast moves leave liquidity ranges behind.
    depthUsd: (left * usual * draw.log(0.5, 2)) / (1 + pace * 300),
    detour: 0,
    taxThere: 0,
    taxBack: 0,
  };
}

/** Closes of the earlier hours that the exchange has. */
function closesBefore(hours: ReadonlyMap<number, Hour>, at: number): Scene['closes'] {
  const found: { at: number; close: number }[] = [];
  for (let hour = at - (CANDLES - 1) * HOUR; hour < at; hour += HOUR) {
    const close = isKnownOut(hour) ? undefined : hours.get(hour)?.close;
    if (close !== undefined) found.push({ at: hour, close });
  }
  return found;
}

/** Interpolates between the closes around that second. A missing hour takes the close before it. */
function pricedAt(hours: ReadonlyMap<number, Hour>, second: number): number {
  const closeOf = (hour: number): number => {
    for (let at = hour; at > hour - DAY; at -= HOUR) {
      const close = hours.get(at)?.close;
      if (close !== undefined) return close;
    }
    throw new RangeError(`no hour of the day before ${hour} is known`);
  };
  const hour = hourOf(second);
  return closeOf(hour - HOUR) ** (1 - (second - hour) / HOUR) * closeOf(hour) ** ((second - hour) / HOUR);
}

/** The exchange's last close before an outage. */
function lastCloseBefore(hours: ReadonlyMap<number, Hour>, at: number): number | undefined {
  for (let hour = at - HOUR; hour > at - DAY; hour -= HOUR) if (!isKnownOut(hour)) return hours.get(hour)?.close;
  return undefined;
}

const outages = new Map<number, boolean>();
function isKnownOut(hour: number): boolean {
  const known = outages.get(hour);
  if (known !== undefined) return known;
  const isOut = wasOut(hour);
  outages.set(hour, isOut);
  return isOut;
}

/** Draws an hour of a coin between two days, and a second within it that leaves room for later reads. */
export function drawTime(symbol: CoinSymbol, from: number, to: number, draw: Random): { at: number; second: number } {
  const { first, last, hours } = past(coins[symbol]);
  for (;;) {
    const low = Math.max(from, first + 8 * DAY);
    const at = hourOf(draw.between(low, Math.min(to, last - HOUR)));
    if (hours.has(at) && hours.has(at - HOUR)) return { at, second: Math.floor(draw.between(0, HOUR - AFTER - 1)) };
  }
}
