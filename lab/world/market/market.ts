import { setTimeout as sleep } from 'node:timers/promises';
import { type Chain, connect } from '../chain.ts';
import { refuseOldAnswers } from '../oracle.ts';
import { answerNow, type Bend, type Feed, isDue, readFeeds } from './feeds.ts';
import { fundMaker, maker } from './maker.ts';
import type { Asset, Path } from './path.ts';
import { calm, crash, delay, delaySeconds, poolsOf, push, silence } from './play.ts';
import { believed, isWorthwhile, type Pool, readPools, trade } from './pools.ts';
import type { Scene } from './scenes.ts';

export interface MarketOptions {
  /** A local chain on wall time. */
  readonly rpcUrl: string;
  readonly path: Path;
  /** Unix seconds, with a fraction. */
  readonly clock: () => number;
  /** Wall time between updates of feeds and pools. */
  readonly tickSeconds?: number;
  /** Called with one sentence for every error that did not end the market. */
  readonly report: (trouble: string) => void;
}

export type Market = Awaited<ReturnType<typeof startMarket>>;

/** Effects of the scenes since the last calm. */
interface Held {
  /** Assets whose Chainlink feeds have stopped. */
  readonly silent: Set<Asset>;
  /** When Venus's Chainlink feed of an asset began to lag. */
  readonly delayed: Map<Asset, number>;
  readonly pushed: Set<Pool>;
}

interface Place {
  readonly chain: Chain;
  readonly path: Path;
  readonly held: Held;
  readonly report: MarketOptions['report'];
}

/** Moves the feeds and pools of a local chain along a price path until it is stopped. */
export async function startMarket({ rpcUrl, path, clock, tickSeconds = 1, report }: MarketOptions) {
  const chain = connect(rpcUrl);
  const place: Place = { chain, path, report, held: { silent: new Set(), delayed: new Map(), pushed: new Set() } };
  const stopping = new AbortController();
  await fundMaker(chain);
  // The feeds answer from here on, so Venus can refuse old answers as it does on BNB Chain.
  await refuseOldAnswers(chain);

  // Ticks and scenes share the maker's nonce, so they run one at a time.
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  async function live(): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = sleep(tickSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
      await inTurn(() => tick(place, clock())).catch((error: Error) => {
        if (!stopping.signal.aborted) report(`a market update failed: ${firstLine(error)}`);
      });
      await next;
    }
  }
  const living = live();

  return {
    /** Resolves once the scene is on chain, with the lines to print. */
    play: (scene: Scene) => inTurn(() => play(place, scene, clock())),
    /** Resolves once nothing more will be sent. */
    stop: async () => {
      stopping.abort();
      await living;
      await last;
    },
  };
}

async function tick({ chain, path, held, report }: Place, now: number): Promise<void> {
  const [feeds, pools] = await Promise.all([readFeeds(chain), readPools(chain)]);
  const bendOf = (asset: Asset): Bend => ({
    // A feed that falls behind stands still at first; it does not go back.
    lagSeconds: Math.min(delaySeconds, now - (held.delayed.get(asset) ?? now)),
  });
  const isSilent = ({ operator, asset }: Feed) => operator === 'chainlink' && held.silent.has(asset);
  const answers = feeds
    .filter((state) => !isSilent(state.feed) && isDue(state, path, now, bendOf(state.feed.asset)))
    .map(({ feed }) => answerNow(feed, path, now, bendOf(feed.asset)));
  const trades = pools
    .filter(({ pool }) => !held.pushed.has(pool))
    .map((state) => ({ state, to: believed(state.pool, path, now) }))
    .filter(({ state, to }) => isWorthwhile(state, to))
    .map(({ state, to }) => trade(state, to, maker));
  for (const { status, transactionHash } of await chain.sendTogether(maker, [...answers, ...trades])) {
    if (status !== 'success') report(`a transaction of the market reverted: ${transactionHash}`);
  }
}

/** @returns the lines to print. */
async function play(place: Place, scene: Scene, now: number): Promise<string[]> {
  const { chain, path, held } = place;
  switch (scene.name) {
    case 'crash':
      return crash(path, scene.asset, scene.share, now);
    case 'stale-oracle':
      held.silent.add(scene.asset);
      return silence(chain, scene.asset, now);
    case 'late-feed':
      if (!held.delayed.has(scene.asset)) held.delayed.set(scene.asset, now);
      return delay(scene.asset);
    case 'pool-manipulated':
      for (const pool of poolsOf(scene.asset)) held.pushed.add(pool);
      return push(chain, path, scene.asset, now);
    case 'calm':
      for (const state of Object.values(held)) state.clear();
      await tick(place, now);
      return calm(path, now);
  }
}

const firstLine = ({ message }: Error) => message.split('\n')[0] ?? message;
