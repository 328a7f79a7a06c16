import type { Chain, EncodedCall } from '../chain.ts';
import { setHalted, setMultiplier, takeBackMultiplier } from '../share.ts';
import { answerNow, answerOf, readFeeds } from './feeds.ts';
import { maker } from './maker.ts';
import type { Asset, Path, ShareAsset } from './path.ts';
import { offMeanBps, type Pool, readPools, target, trade, tradedPools } from './pools.ts';

// What each scene does at its beginning, and what there is then to look at, a line each.

/** Crashes are steep, not steps: between two blocks nobody's price moves by all of it. */
const crashSeconds = 5;
const WAD = 10n ** 18n;
const pushedShare = 0.05;
const staleSeconds = 2 * 60 * 60;
/** What the checks compare a pool's price with, and how far it may be off. */
const meanSeconds = 600;
const meanLimitBps = 100;

export function crash(path: Path, asset: Asset, share: number, now: number): string[] {
  const before = path.usd(asset, now);
  const fall = { asset, share, from: now, overSeconds: crashSeconds };
  path.add(fall);
  return [
    `${asset} falls by ${percent(share)} within ${crashSeconds} s, from ${usd(before)} to about ${usd(before * (1 - share))}, and stays there.`,
    'Feed, pools and exchange follow.',
    'Look at: loans on it that fall below their trigger are rescued within seconds.',
    ...meanRemembers(asset, share),
    ...pastRemembers(fall, now),
  ];
}

/**
 * For how long, and why, verdicts are not GO when a price has moved by that share at once: the mean forgets evenly, and
 * the rest of the move passes once it is as small as the limit.
 */
export function meanRemembers(asset: Asset, share: number): string[] {
  const [moved, limit] = [-Math.log(1 - share), Math.log(1 + meanLimitBps / 10_000)];
  if (moved <= limit) return [];
  const minutes = Math.ceil((meanSeconds * (1 - limit / moved)) / 60);
  return [
    `Verdicts on ${asset} are not GO for about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, and plans that buy it are ` +
      "deferred, because its pool's mean of ten minutes remembers the old price (spot_off_twap).",
  ];
}

/** As logarithms: four deviations of an hour on the path, and what makes 3 % the deviation of a day of hours. */
const usualMove = 0.014;
const calmMove = 0.03 * Math.sqrt(24);
const hour = 3_600;

/** The same of the exchange's past, which the checks read by the hour. */
export function pastRemembers({ asset, share, from }: Path['falls'][number], now: number): string[] {
  const moved = -Math.log(1 - share);
  const isOfLastHours = Math.floor(now / hour) - Math.floor(from / hour) < 2;
  const isOfThisDay = now - from < 24 * hour;
  return [
    ...(isOfLastHours && moved > usualMove
      ? [
          `In the hour of its fall and the next ${asset} has moved further than is usual: no GO in them (price_unusual).`,
        ]
      : []),
    ...(isOfThisDay && moved > calmMove
      ? [`Its fall is one of its last 24 hours: no more than CAUTION until it is not (volatility_high).`]
      : []),
  ];
}

export async function silence(chain: Chain, asset: Asset, now: number): Promise<string[]> {
  const feed = (await readFeeds(chain)).find((state) => state.asset === asset);
  if (feed === undefined) throw new Error(`${asset} has no feed`);
  await sendAll(chain, [answerOf(feed, BigInt(Math.floor(now) - staleSeconds))]);
  return [
    `The ${asset} feed says that its last answer is ${staleSeconds / 3600} hours old, and answers no more.`,
    'Pool and exchange go on.',
    `Look at: "Is ${asset} fairly priced right now?" is NO_GO with reference_stale, and plans that buy it are deferred.`,
    'End it with: npm run scene -- calm',
  ];
}

/** Plans pay and are paid in USDT. */
const isPlansPool = ({ quote }: Pool) => quote === 'USDT';

/** The pools that plans buy the asset in. */
export const poolsOf = (asset: Asset): Pool[] => tradedPools.filter((pool) => pool.base === asset && isPlansPool(pool));

export async function push(chain: Chain, path: Path, asset: Asset, now: number): Promise<string[]> {
  const pools = await readPools(chain);
  const trades = pools
    .filter(({ pool }) => poolsOf(asset).includes(pool))
    .map((state) => trade(state, target(state.pool, path, now, 1 + pushedShare), maker));
  await sendAll(chain, trades);
  return [
    `Somebody has bought the ${asset}/USDT pool up to ${percent(pushedShare)} above the price, and nobody trades it back.`,
    'Feed and exchange stay where they are.',
    `Look at: "Is ${asset} fairly priced right now?" is NO_GO with pool_off_reference, and plans that buy it are deferred.`,
    'End it with: npm run scene -- calm (within a minute or two; later the mean of ten minutes remembers it)',
  ];
}

/** A share that has become several. */
export interface Split {
  readonly parts: bigint;
  /** Whether the tokens stand for as many more. */
  readonly isPaid: boolean;
}

export async function split(
  chain: Chain,
  path: Path,
  asset: ShareAsset,
  { parts, isPaid }: Split,
  now: number,
): Promise<string[]> {
  const answer = answerNow(path, asset, now, parts);
  await sendAll(chain, isPaid ? [answer, setMultiplier(parts * WAD)] : [answer]);
  return [
    `Every share that ${asset} stands for has become ${parts}, and the feed says what one of them is worth.`,
    ...(isPaid
      ? [
          `One ${asset} stands for ${parts} of them, and is worth what it was: pool and exchange stay where they are.`,
          `Look at: "Is ${asset} fairly priced right now?" is NO_GO with multiplier_changed, for a day.`,
        ]
      : [
          `Its issuer has not paid them out: one ${asset} stands for one still, and pool and exchange do not know it yet.`,
          `Look at: "Is ${asset} fairly priced right now?" is NO_GO with price_jumped or references_disagree, and premium_high.`,
        ]),
    'In the last ten minutes of an hour its exchange is closed, and session_closed is what is told.',
    'End it with: npm run scene -- calm',
  ];
}

export async function halt(chain: Chain, asset: ShareAsset): Promise<string[]> {
  await sendAll(chain, [setHalted(true)]);
  return [
    `The issuer of ${asset} has halted it: nobody can transfer it, and its pool stands still. Feed and exchange go on.`,
    `Look at: "Is ${asset} fairly priced right now?" is NO_GO with trading_halted.`,
    'End it with: npm run scene -- calm',
  ];
}

/** Of shares, what does not end by itself. */
export async function undo(
  chain: Chain,
  path: Path,
  halted: readonly Asset[],
  splits: ReadonlyMap<Asset, Split>,
  now: number,
): Promise<void> {
  const answers = [...splits.keys()].map((asset) => answerNow(path, asset, now, 1n));
  const paid = [...splits.values()].filter(({ isPaid }) => isPaid);
  await sendAll(chain, [
    ...halted.map(() => setHalted(false)),
    ...paid.map(takeBackMultiplier),
    // Twice: the answer before is looked at as well, and was of a half.
    ...[answers, answers].flat(),
  ]);
}

/** @param path whose falls are told of: they do not end with the scenes. */
export async function calm(chain: Chain, path: Path, now: number): Promise<string[]> {
  const off = await Promise.all(
    tradedPools.filter(isPlansPool).map(async (pool) => ({ pool, bps: await offMeanBps(chain, pool, meanSeconds) })),
  );
  const remembering = off.filter(({ bps }) => bps > meanLimitBps);
  const past = path.falls.filter(({ from }) => from <= now).flatMap((fall) => pastRemembers(fall, now));
  const fallen = [...new Set(path.falls.filter(({ from }) => from <= now).map(({ asset }) => asset))];
  return [
    'No scene is on any more: every feed answers, and the pools have been traded back to the price.',
    ...(fallen.length === 0 ? [] : [`A crash is not undone: ${fallen.join(' and ')} stays where it has fallen to.`]),
    ...remembering.flatMap(({ pool: { base }, bps }) => meanRemembers(base, bps / 10_000)),
    ...past,
    ...(remembering.length === 0 && past.length === 0
      ? ['Look at: fair-price verdicts are GO again within seconds.']
      : []),
  ];
}

async function sendAll(chain: Chain, calls: readonly EncodedCall[]): Promise<void> {
  const receipts = await chain.sendTogether(maker, calls);
  const reverted = receipts.find(({ status }) => status !== 'success');
  if (reverted !== undefined) throw new Error(`transaction ${reverted.transactionHash} of the scene reverted`);
}

const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`;
const usd = (price: number) => `${price.toLocaleString('en', { maximumFractionDigits: 2 })} USD`;
