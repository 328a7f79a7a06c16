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
  /** Unix seconds, with their fraction. */
  readonly clock: () => number;
  /** Wall time from one look at feeds and pools to the next. */
  readonly tickSeconds?: number;
  /** Told of what went wrong and did not end the market, one sentence each. */
  readonly report: (trouble: string) => void;
}

export interface Market {
  /** Resolves once the scene stands on chain, with what to tell who asked for it, a line each. */
  play(scene: Scene): Promise<string[]>;
  /** Resolves when nothing more will be sent. */
  stop(): Promise<void>;
}

/** Moves feeds and pools of a local chain along a path of prices, until it is stopped. */
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

  // Ticks and scenes share the maker's nonce: one at a time.
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
        if (!stopping.signal.aborted) report(`the market missed a beat: ${firstLine(error)}`);
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
            if (halted.has(scene.asset)) throw new SceneRefused(`${scene.asset} is halted: nobody can trade it.`);
            for (const pool of poolsOf(scene.asset)) pushed.add(pool);
            return push(chain, path, scene.asset, clock());
          case 'halt':
            halted.add(scene.asset);
            return halt(chain, scene.asset);
          case 'split':
          case 'split-unpaid': {
            if (splits.has(scene.asset)) throw new SceneRefused(`${scene.asset} is split already. calm takes it back.`);
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
