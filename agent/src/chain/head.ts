import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Log } from '@bowline/core/domain/ports';
import type { ChainClient } from './chain-client.ts';

export interface HeadOptions {
  readonly client: ChainClient;
  /** Between an answer and the next question. */
  readonly pollMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** A chain whose blocks come every half second has not stopped for so long: its node has, or has lost it. */
const SILENT_SECONDS = 15n;

/**
 * Looks for new blocks, one question at a time, and tells of each time that there are any, and of the first answer of a node
 * that had failed to answer: what waits for it need not wait for a block, too. Of a node that has had no new block for a while, whether it answers or not, the log hears once, and once more when it is back.
 * @returns what ends it.
 */
export function watchHead({ client, pollMs, clock, log }: HeadOptions, onBlock: () => void): () => void {
  const ending = new AbortController();
  let newest = -1n;
  let newestAt = clock();
  let isSilent = false;
  let isAway = false;

  const look = async () => {
    const before = newest;
    let number = newest;
    let error: unknown;
    try {
      number = await client.getBlockNumber();
    } catch (thrown) {
      error = thrown;
    }
    if (ending.signal.aborted) return;
    // Of several nodes behind one address one may lag: what is not newer is no news.
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
      // A chain that was set back goes on from there.
      newest = number;
    }
    if (isBack && number <= before) onBlock();
  };

  void (async () => {
    while (!ending.signal.aborted) {
      await look();
      await sleep(pollMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  return () => ending.abort();
}
