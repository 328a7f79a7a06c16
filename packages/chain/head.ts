import { type Head, type Heads, SILENT_SECONDS } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import { sleep } from '@bowline/core/domain/sleep';
import type { Clock, Timers } from '@bowline/core/domain/time';
import type { Nodes } from './nodes/nodes.ts';

/** Reports heads as they arrive, until the subscription is lost. The returned function ends it. */
export type Subscribe = (onHead: (head: Head) => void, onLost: (error: unknown) => void) => () => void;

export interface HeadsOptions {
  readonly nodes: Pick<Nodes, 'count' | 'look' | 'told'>;
  /** WebSockets. While one of them delivers heads, the nodes are polled less often. */
  readonly subscriptions?: readonly Subscribe[];
  /** Milliseconds between a node's response and the next request to it. 0: nobody acts at blocks, and only what is open is looked after. */
  readonly pollMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

export interface WatchedHeads extends Heads {
  /** While it is true, nobody waits for a block, and nodes are asked less often. */
  restWhile(isResting: () => boolean): void;
  stop(): void;
}

/** After this time, a second request is sent while the first one hangs. */
const PATIENCE_MS = 500;
const MAX_OPEN = 3;
const SLOW_POLL_MS = 1_000;
/** Poll interval while a subscription delivers heads, or at rest; and how long one head counts as delivery. */
const FED_POLL_MS = 5_000;
const FED_MS = 2_000;
const SUBSCRIBE_AGAIN_MS = 1_000;
/** A subscription that delivers nothing for this long, while a node has a new block, was lost silently. */
const UNTOLD_MS = 5_000;

/**
 * Watches the head of the chain by polling every node and through subscriptions: the first to report a higher block wins. Calls
 * listeners for every new head, and when the nodes are back after all have failed, so that waiting work need not wait for
 * a block as well. Logs once when no new block has come for a while, whether or not the nodes answer, and once when it
 * is back.
 */
export function watchHeads(options: HeadsOptions): WatchedHeads {
  const { nodes, subscriptions = [], clock, timers, log } = options;
  const pollMs = options.pollMs || SLOW_POLL_MS;
  const ending = new AbortController();
  const listeners = new Set<(head: Head) => void>();
  let newest: Head | undefined;
  let newestAt = clock();
  let fedAt = Number.NEGATIVE_INFINITY;
  let isSilent = false;
  let isResting = () => false;
  /** Nodes whose last request failed. */
  const away = new Set<number>();
  /** Called at each new block, after all that listen. */
  const untold = new Set<() => void>();

  const tell = (head: Head) => {
    for (const listen of listeners) listen(head);
  };

  function take(head: Head): void {
    // Nodes may lag: a lower number is not news.
    if (ending.signal.aborted || (newest !== undefined && head.number <= newest.number)) return;
    if (isSilent) log.info('head.back', { number: head.number });
    isSilent = false;
    newest = head;
    newestAt = clock();
    tell(head);
    for (const check of untold) check();
  }

  async function look(at: number): Promise<void> {
    const wereAllAway = away.size === nodes.count;
    const before = newest;
    let head: Head | undefined;
    let error: unknown;
    try {
      head = await nodes.look(at);
      away.delete(at);
    } catch (thrown) {
      away.add(at);
      error = thrown;
    }
    if (ending.signal.aborted) return;
    if (head !== undefined) take(head);
    if (wereAllAway && away.size < nodes.count && newest !== undefined && newest === before) tell(newest);
    if (clock() - newestAt < BigInt(SILENT_SECONDS)) return;
    if (!isSilent) log.warn('head.silent', { number: newest?.number, error });
    isSilent = true;
    // A chain that was reset continues from there.
    if (head !== undefined) newest = head;
  }

  const isFed = () => timers.now() - fedAt < FED_MS || isResting();

  async function poll(at: number): Promise<void> {
    let open = 0;
    while (!ending.signal.aborted) {
      const asked = timers.now();
      open += 1;
      const answer = look(at).finally(() => {
        open -= 1;
      });
      // A request that hangs must not hide the blocks that come meanwhile.
      await (open < MAX_OPEN ? Promise.race([answer, sleep(timers, PATIENCE_MS, ending.signal)]) : answer);
      do await sleep(timers, pollMs, ending.signal);
      while (!ending.signal.aborted && isFed() && timers.now() - asked < FED_POLL_MS);
    }
  }

  async function follow(subscribe: Subscribe, at: number): Promise<void> {
    let isLost = false;
    while (!ending.signal.aborted) {
      const lost = Promise.withResolvers<unknown>();
      let toldAt = timers.now();
      const check = () => {
        if (timers.now() - toldAt > UNTOLD_MS) lost.resolve(new Error('It reports no blocks.'));
      };
      untold.add(check);
      ending.signal.addEventListener('abort', lost.resolve, { once: true });
      const end = subscribe((head) => {
        if (isLost) log.info('head.subscribed', { subscription: at + 1 });
        isLost = false;
        if (!nodes.told(head)) return;
        toldAt = timers.now();
        // One that lags saves nobody a request.
        if (newest === undefined || head.number >= newest.number) fedAt = toldAt;
        take(head);
      }, lost.resolve);
      const error = await lost.promise;
      ending.signal.removeEventListener('abort', lost.resolve);
      untold.delete(check);
      end();
      if (ending.signal.aborted) return;
      if (!isLost) log.warn('head.subscription_lost', { subscription: at + 1, error });
      isLost = true;
      await sleep(timers, SUBSCRIBE_AGAIN_MS, ending.signal);
    }
  }

  for (let at = 0; at < nodes.count; at += 1) void poll(at);
  for (const [at, subscribe] of subscriptions.entries()) void follow(subscribe, at);
  return {
    newest: () => newest,
    restWhile: (is) => {
      isResting = is;
    },
    onHead(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    stop: () => ending.abort(),
  };
}
