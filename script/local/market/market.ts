import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../chain.ts';
import { answerNow, isDue, readFeeds } from './feeds.ts';
import { fundMaker, maker } from './maker.ts';
import type { Asset, Path } from './path.ts';
import { calm, crash, halt, poolsOf, push, type Split, silence, split, undo } from './play.ts';
import { believed, isWorthwhile, type Pool, readPools, trade } from './pools.ts';
import { type Scene, SceneRefused } from './scenes.ts';

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
  const silent = new Set<Asset>();
  const pushed = new Set<Pool>();
  const halted = new Set<Asset>();
  const splits = new Map<Asset, Split>();
  const partsOf = (asset: Asset) => splits.get(asset)?.parts ?? 1n;
  const stopping = new AbortController();
  await fundMaker(chain);

  async function tick(): Promise<void> {
    const now = clock();
    const [feeds, pools] = await Promise.all([readFeeds(chain), readPools(chain)]);
    const answers = feeds
      .filter((feed) => !silent.has(feed.asset) && isDue(feed, path, now, partsOf(feed.asset)))
      .map(({ asset }) => answerNow(path, asset, now, partsOf(asset)));
    const trades = pools
      .filter(({ pool }) => !pushed.has(pool) && !halted.has(pool.base))
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
          case 'pool-manipulated':
            if (halted.has(scene.asset)) throw new SceneRefused(`${scene.asset} is halted, so nobody can trade it.`);
            for (const pool of poolsOf(scene.asset)) pushed.add(pool);
            return push(chain, path, scene.asset, clock());
          case 'halt':
            halted.add(scene.asset);
            return halt(chain, scene.asset);
          case 'split':
          case 'split-unpaid': {
            if (splits.has(scene.asset))
              throw new SceneRefused(`${scene.asset} is already split. End that with: npm run scene -- calm`);
            const next = { parts: 2n, isPaid: scene.name === 'split' };
            splits.set(scene.asset, next);
            return split(chain, path, scene.asset, next, clock());
          }
          case 'calm':
            await undo(chain, path, [...halted], splits, clock());
            for (const state of [silent, pushed, halted, splits]) state.clear();
            await tick();
            return calm(chain, path, clock());
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
