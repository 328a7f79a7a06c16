import { fittedLimits } from '@bowline/core/registry/asset-limits';
import { limitsOf } from '@bowline/core/verdict/limits';
import type { Chain } from '../chain.ts';
import { answerOf, readFeeds } from './feeds.ts';
import { maker } from './maker.ts';
import type { Asset, Path } from './path.ts';
import { type Pool, readPools, target, trade, tradedPools } from './pools.ts';

// What each scene does when it starts, and the lines that tell a person what to look at.

/** A crash is steep but not a step: between two blocks the price moves only part of the way. */
const crashSeconds = 5;
const pushedShare = 0.05;
const staleSeconds = 2 * 60 * 60;

export function crash(path: Path, asset: Asset, share: number, now: number): string[] {
  const before = path.usd(asset, now);
  const fall = { asset, share, from: now, overSeconds: crashSeconds };
  path.add(fall);
  return [
    `${asset} falls by ${percent(share)} within ${crashSeconds} s, from ${usd(before)} to about ${usd(before * (1 - share))}, and stays there.`,
    'Feed, pools and exchange follow.',
    'Expect: loans on it that fall below their trigger are rescued within seconds.',
    ...pastRemembers(fall, now),
  ];
}

const hour = 3_600;

/** As logarithms: the moves of two hours, and of one hour in a day, that this asset's limits allow. */
function allowedMoves(asset: Asset): { readonly ofHours: number; readonly ofDay: number } {
  const { moveBps, volatilityBps } = fittedLimits.get(asset) ?? limitsOf[asset === 'USDC' ? 'stable' : 'crypto'];
  return { ofHours: Number(moveBps.caution) / 10_000, ofDay: (Number(volatilityBps.caution) / 10_000) * Math.sqrt(24) };
}

/** Says why, and for how long, verdicts are not GO after such a fall: the exchange's history is read by the hour. */
export function pastRemembers({ asset, share, from }: Path['falls'][number], now: number): string[] {
  const moved = -Math.log(1 - share);
  const isOfLastHours = Math.floor(now / hour) - Math.floor(from / hour) < 2;
  const isOfThisDay = now - from < 24 * hour;
  const allowed = allowedMoves(asset);
  return [
    ...(isOfLastHours && moved > allowed.ofHours
      ? [
          `No GO on sales of ${asset} in the hour of its fall and the next: it has hardly ever moved this far (price_moving).`,
        ]
      : []),
    ...(isOfThisDay && moved > allowed.ofDay
      ? [`For 24 hours after the fall, verdicts on ${asset} are at most CAUTION (volatility_high).`]
      : []),
  ];
}

export async function silence(chain: Chain, asset: Asset, now: number): Promise<string[]> {
  const states = await readFeeds(chain);
  const old = states.filter(({ feed }) => feed.asset === asset && feed.operator === 'chainlink');
  await chain.sendAll(
    maker,
    old.map((state) => answerOf(state, BigInt(Math.floor(now) - staleSeconds))),
  );
  return [
    `Chainlink's last answers for ${asset} are now ${staleSeconds / 3600} hours old, and its feeds have stopped answering.`,
    "Pool and exchange keep trading, and Venus's other sources, RedStone, Atlas and Binance Oracle, keep answering.",
    ...expectedOfSilence(asset),
    'End it with: npm run lab -- scene calm',
  ];
}

/** What is still known without Chainlink. */
function expectedOfSilence(asset: Asset): string[] {
  const question = `Expect: "Is ${asset === 'USDT' ? 'BTCB' : asset} fairly priced right now?" is`;
  const others =
    asset === 'USDT' ? 'Pyth, RedStone and Binance Oracle price what is paid' : 'the exchange, Pyth and RedStone do';
  return [
    `${question} GO: ${others}, and it says that Chainlink does not count.`,
    'Plans with Chainlink as their price source do not run meanwhile: the contract would refuse (answer_stale).',
  ];
}

/** Additional lag of Venus's Chainlink feed in the scene. */
export const delaySeconds = 60;

export function delay(asset: Asset): string[] {
  return [
    `Venus's own Chainlink feed of ${asset} now follows the market ${delaySeconds} s later. The standard feed does not.`,
    'RedStone and Atlas, which Venus compares it with, follow at once.',
    `Expect: after a fall of more than 1 % within ${delaySeconds} s, Venus uses Atlas's price, and loans are rescued at that price.`,
    'End it with: npm run lab -- scene calm',
  ];
}

/** The last pools of every route to the asset. */
export const poolsOf = (asset: Asset): Pool[] => tradedPools.filter((pool) => pool.base === asset);

export async function push(chain: Chain, path: Path, asset: Asset, now: number): Promise<string[]> {
  const pools = await readPools(chain);
  const trades = pools
    .filter(({ pool }) => poolsOf(asset).includes(pool))
    .map((state) => trade(state, target(state.pool, path, now, 1 + pushedShare), maker));
  await chain.sendAll(maker, trades);
  return [
    `${asset} was bought up to ${percent(pushedShare)} above its price in each of its pools, and nobody trades it back.`,
    'Feed and exchange do not move.',
    `Expect: "Is ${asset} fairly priced right now?" is NO_GO with cost_high, and plans that buy it are deferred.`,
    'End it with: npm run lab -- scene calm',
  ];
}

/** @param path its falls are reported, because they do not end with the scenes. */
export function calm(path: Path, now: number): string[] {
  const past = path.falls.filter(({ from }) => from <= now).flatMap((fall) => pastRemembers(fall, now));
  const fallen = [...new Set(path.falls.filter(({ from }) => from <= now).map(({ asset }) => asset))];
  return [
    'All scenes have ended: every feed answers, and the pools are back at the price.',
    ...(fallen.length === 0 ? [] : [`Crashes are not undone: the price of ${fallen.join(' and ')} stays lower.`]),
    ...past,
    ...(past.length === 0 ? ['Expect: fair-price verdicts are GO again within seconds.'] : []),
  ];
}

const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`;
const usd = (price: number) => `${price.toLocaleString('en', { maximumFractionDigits: 2 })} USD`;
