import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Log } from '@bowline/core/domain/ports';
import type { ChainClient } from './chain-client.ts';

export interface HeadOptions {
  readonly client: ChainClient;
  /** Milliseconds between a response and the next request. */
  readonly pollMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Blocks come every half second: after this long without one, the node has stopped or lost the chain. */
const SILENT_SECONDS = 15n;

/**
 * Polls for new blocks, one request at a time. Calls `onBlock` for every new block and for the first response after a
 * failed one, so that waiting work need not wait for a block as well. Logs once when no new block has come for a while,
 * whether or not the node answers, and once when it is back.
 * @returns a function that stops the polling.
 */
export function watchHead({ client, pollMs, clock, log }: HeadOptions, onBlock: () => void): () => void {
  const ending = new AbortController();
  let newest = -1n;
  let newestAt = clock();
  let isSilent = false;
  let isAway = false;

  const poll = async () => {
    const before = newest;
    let number = newest;
    let error: unknown;
    try {
      number = await client.getBlockNumber();
    } catch (thrown) {
      error = thrown;
    }
    if (ending.signal.aborted) return;
    // Nodes behind one address may lag: a lower number is not news.
    const isBack = isAway && error === undefined;
    isAway = error !== undefined;
    if (number > newest) {
      if (isSilent) log.info('head.back', { number });
      isSilent = false;
      newest = number;
      newestAt = clock();
      onBlock();
    } else if (clock() - newestAt >= SILENT_SECONDS) {
      if (!isSilent) log.warn('head.silent', { number: newest < 0n ? undefined : newest, error });
      isSilent = true;
      // A chain that was reset continues from there.
      newest = number;
    }
    if (isBack && number <= before) onBlock();
  };

  void (async () => {
    while (!ending.signal.aborted) {
      await poll();
      await sleep(pollMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  return () => ending.abort();
}
