import { type Head, type Heads, SILENT_SECONDS } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import { sleep } from '@bowline/core/domain/sleep';
import type { Clock, Timers } from '@bowline/core/domain/time';
import type { Nodes } from './nodes/nodes.ts';

/** Reports heads as they arrive, until the subscription is lost. The returned function ends it. */
export type Subscribe = (onHead: (head: Head) => void, onLost: (error: unknown) => void) => () => void;

export interface HeadsOptions {
  readonly nodes: Pick<Nodes, 'count' | 'look' | 'reportHead'>;
  /** WebSockets. While one of them delivers heads, the nodes are polled less often. */
  readonly subscriptions?: readonly Subscribe[];
  /** Milliseconds between a node's response and the next request to it. 0: nothing acts on blocks; polling is slow. */
  readonly pollMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

export interface WatchedHeads extends Heads {
  /** While it returns true, nobody waits for a block, and nodes are polled less often. */
  pauseWhile(isPaused: () => boolean): void;
  stop(): void;
}

/** After this time, a second request is sent while the first one hangs. */
const PATIENCE_MS = 500;
const MAX_OPEN = 3;
const SLOW_POLL_MS = 1_000;
/** Poll interval while a subscription delivers heads, or while paused; and how long one head counts as delivery. */
const FED_POLL_MS = 5_000;
const FED_MS = 2_000;
const SUBSCRIBE_AGAIN_MS = 1_000;
/** A subscription that delivers nothing for this long, while a node has a new block, was lost silently. */
const SILENT_MS = 5_000;

/**
 * Watches the head of the chain by polling every node and through subscriptions: the first to report a higher block wins. Calls
 * listeners for every new head, and when the nodes are back after all have failed, so that waiting work need not wait for
 * a block as well. Logs once when no new block has come for a while, whether or not the nodes answer, and once when it
 * is back.
 */
export function watchHeads(options: HeadsOptions): WatchedHeads {
  const watch = new Watch(options);
  for (let at = 0; at < options.nodes.count; at += 1) void watch.poll(at);
  for (const [at, subscribe] of (options.subscriptions ?? []).entries()) void watch.follow(subscribe, at);
  return {
    newest: () => watch.newest,
    pauseWhile: (isPaused) => {
      watch.isPaused = isPaused;
    },
    onHead(listen) {
      watch.listeners.add(listen);
      return () => void watch.listeners.delete(listen);
    },
    stop: () => watch.ending.abort(),
  };
}

class Watch {
  readonly ending = new AbortController();
  readonly listeners = new Set<(head: Head) => void>();
  isPaused = () => false;
  newest: Head | undefined;
  readonly #options: HeadsOptions;
  #newestAt: bigint;
  #fedAt = Number.NEGATIVE_INFINITY;
  #isSilent = false;
  /** Nodes whose last request failed. */
  readonly #away = new Set<number>();
  /** Called at each new block, after all listeners. */
  readonly #silenceChecks = new Set<() => void>();

  constructor(options: HeadsOptions) {
    this.#options = options;
    this.#newestAt = options.clock();
  }

  async poll(at: number): Promise<void> {
    const { timers, pollMs } = this.#options;
    const { signal } = this.ending;
    const isFed = () => timers.now() - this.#fedAt < FED_MS || this.isPaused();
    let open = 0;
    while (!signal.aborted) {
      const asked = timers.now();
      open += 1;
      const answer = this.#look(at).finally(() => {
        open -= 1;
      });
      // A request that hangs must not hide the blocks that come meanwhile.
      await (open < MAX_OPEN ? Promise.race([answer, sleep(timers, PATIENCE_MS, signal)]) : answer);
      do await sleep(timers, pollMs || SLOW_POLL_MS, signal);
      while (!signal.aborted && isFed() && timers.now() - asked < FED_POLL_MS);
    }
  }

  async follow(subscribe: Subscribe, at: number): Promise<void> {
    const { nodes, timers, log } = this.#options;
    const { signal } = this.ending;
    let isLost = false;
    while (!signal.aborted) {
      const lost = Promise.withResolvers<unknown>();
      let reportedAt = timers.now();
      const check = () => {
        if (timers.now() - reportedAt > SILENT_MS) lost.resolve(new Error('The subscription delivers no blocks.'));
      };
      this.#silenceChecks.add(check);
      signal.addEventListener('abort', lost.resolve, { once: true });
      const end = subscribe((head) => {
        if (isLost) log.info('head.subscribed', { subscription: at + 1 });
        isLost = false;
        if (!nodes.reportHead(head)) return;
        reportedAt = timers.now();
        // A subscription that lags does not slow down polling.
        if (this.newest === undefined || head.number >= this.newest.number) this.#fedAt = reportedAt;
        this.#take(head);
      }, lost.resolve);
      const error = await lost.promise;
      signal.removeEventListener('abort', lost.resolve);
      this.#silenceChecks.delete(check);
      end();
      if (signal.aborted) return;
      if (!isLost) log.warn('head.subscription_lost', { subscription: at + 1, error });
      isLost = true;
      await sleep(timers, SUBSCRIBE_AGAIN_MS, signal);
    }
  }

  async #look(at: number): Promise<void> {
    const { nodes, clock, log } = this.#options;
    const wereAllAway = this.#away.size === nodes.count;
    const before = this.newest;
    let head: Head | undefined;
    let error: unknown;
    try {
      head = await nodes.look(at);
      this.#away.delete(at);
    } catch (thrown) {
      this.#away.add(at);
      error = thrown;
    }
    if (this.ending.signal.aborted) return;
    if (head !== undefined) this.#take(head);
    const areBack = wereAllAway && this.#away.size < nodes.count;
    if (areBack && this.newest !== undefined && this.newest === before) this.#tell(this.newest);
    if (clock() - this.#newestAt < BigInt(SILENT_SECONDS)) return;
    if (!this.#isSilent) log.warn('head.silent', { number: this.newest?.number, error });
    this.#isSilent = true;
    // After a reset, the chain continues from this head.
    if (head !== undefined) this.newest = head;
  }

  #take(head: Head): void {
    const { clock, log } = this.#options;
    // Nodes may lag: a lower number is not news.
    if (this.ending.signal.aborted || (this.newest !== undefined && head.number <= this.newest.number)) return;
    if (this.#isSilent) log.info('head.back', { number: head.number });
    this.#isSilent = false;
    this.newest = head;
    this.#newestAt = clock();
    this.#tell(head);
    for (const check of this.#silenceChecks) check();
  }

  #tell(head: Head): void {
    for (const listen of this.listeners) listen(head);
  }
}
