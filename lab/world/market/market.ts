import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../chain.ts';
import { refuseOldAnswers } from '../oracle.ts';
import { answerNow, type Bend, type Feed, isDue, readFeeds } from './feeds.ts';
import { fundMaker, maker } from './maker.ts';
import { type Memory, restore, shorten } from './memory.ts';
import type { Asset, Path } from './path.ts';
import { calm, crash, delay, delaySeconds, forget, poolsOf, push, silence } from './play.ts';
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

export interface Market {
  /** Resolves once the scene is on chain, with the lines to print. */
  play(scene: Scene): Promise<string[]>;
  /** Resolves once nothing more will be sent. */
  stop(): Promise<void>;
}

/** Moves the feeds and pools of a local chain along a price path until it is stopped. */
export async function startMarket({ rpcUrl, path, clock, tickSeconds = 1, report }: MarketOptions): Promise<Market> {
  const chain = connect(rpcUrl);
  /** Assets whose Chainlink feeds have stopped. */
  const silent = new Set<Asset>();
  const pushed = new Set<Pool>();
  const forgetful = new Map<Pool, Memory>();
  /** Since when Venus's Chainlink feed of an asset is late. */
  const delayed = new Map<Asset, number>();
  const bendOf = (asset: Asset, now: number): Bend => ({
    // A feed that falls behind stands still at first; it does not go back.
    lagSeconds: Math.min(delaySeconds, now - (delayed.get(asset) ?? now)),
  });
  const isSilent = ({ operator, asset }: Feed) => operator === 'chainlink' && silent.has(asset);
  const stopping = new AbortController();
  await fundMaker(chain);
  // From here on the feeds answer, so Venus can refuse old ones as it does on BNB Chain.
  await refuseOldAnswers(chain);

  async function tick(): Promise<void> {
    const now = clock();
    const [feeds, pools] = await Promise.all([readFeeds(chain), readPools(chain)]);
    const answers = feeds
      .filter((state) => !isSilent(state.feed) && isDue(state, path, now, bendOf(state.feed.asset, now)))
      .map(({ feed }) => answerNow(feed, path, now, bendOf(feed.asset, now)));
    const trades = pools
      .filter(({ pool }) => !pushed.has(pool))
      .map((state) => ({ state, to: believed(state.pool, path, now) }))
      .filter(({ state, to }) => isWorthwhile(state, to))
      .map(({ state, to }) => trade(state, to, maker));
    for (const { status, transactionHash } of await chain.sendTogether(maker, [...answers, ...trades])) {
      if (status !== 'success') report(`a transaction of the market reverted: ${transactionHash}`);
    }
  }

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
      await inTurn(tick).catch((error: Error) => {
        if (!stopping.signal.aborted) report(`a market update failed: ${firstLine(error)}`);
      });
      await next;
    }
  }
  const living = live();

  return {
    play: (scene) =>
      inTurn(async () => {
        switch (scene.name) {
          case 'crash':
            return crash(path, scene.asset, scene.share, clock());
          case 'stale-oracle':
            silent.add(scene.asset);
            return silence(chain, scene.asset, clock());
          case 'late-feed':
            if (!delayed.has(scene.asset)) delayed.set(scene.asset, clock());
            return delay(scene.asset);
          case 'pool-manipulated':
            for (const pool of poolsOf(scene.asset)) pushed.add(pool);
            return push(chain, path, scene.asset, clock());
          case 'new-pool':
            for (const pool of poolsOf(scene.asset)) {
              if (!forgetful.has(pool)) forgetful.set(pool, await shorten(chain, pool));
            }
            return forget(scene.asset);
          case 'calm':
            for (const [pool, memory] of forgetful) await restore(chain, pool, memory);
            for (const state of [silent, delayed, pushed, forgetful]) state.clear();
            await tick();
            return calm(path, clock());
        }
      }),
    stop: async () => {
      stopping.abort();
      await living;
      await last;
    },
  };
}

const firstLine = ({ message }: Error) => message.split('\n')[0] ?? message;
