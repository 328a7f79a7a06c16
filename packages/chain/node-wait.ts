import type { Log } from '@bowline/core/domain/log';
import { sleep } from '@bowline/core/domain/sleep';
import type { Timers } from '@bowline/core/domain/time';
import { causesOf, nodeFailure } from './errors.ts';

const retryMs = 1_000;

/**
 * Repeats a start-up step until the node answers: one lost response must not abort the start. Logs `node.waiting` once
 * and `node.answers` when the wait ends.
 * @param step must be safe to repeat from its beginning.
 * @param isWorthWaiting decides by the error the step threw; any other error is rethrown.
 */
export async function untilAnswered<Answer>(
  { log, timers }: { readonly log: Log; readonly timers: Timers },
  step: () => Promise<Answer>,
  isWorthWaiting: (error: unknown) => boolean = isUnanswered,
): Promise<Answer> {
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      const answer = await step();
      if (isWaiting) log.info('node.answers');
      return answer;
    } catch (error) {
      if (!isWorthWaiting(error)) throw error;
      if (!isWaiting) log.warn('node.waiting', { reason: 'chain_unavailable', error });
    }
    await sleep(timers, retryMs);
  }
}

/** No reachable HTTP server at that address. */
const nobodyThere = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ERR_.*|.*CERT.*|UNABLE_TO_.*|HPE_.*)$/;

/** Whether the node, rather than a contract, failed to answer, so that the same request may succeed later. */
export function isUnanswered(error: unknown): boolean {
  const failure = nodeFailure(error);
  return failure === 'silent' || failure === 'limited' || failure === 'internal';
}

/** Whether a node exists but did not answer. If nothing listens, the address may be wrong. */
export const isSilent = (error: unknown): boolean =>
  isUnanswered(error) &&
  // A non-JSON response does not come from a node; it may be a web page.
  !causesOf(error).some((cause) => cause instanceof SyntaxError || nobodyThere.test(codeOf(cause)));

const codeOf = (error: Error): string => {
  // `fetch` refuses ports of other protocols before it connects.
  if (error.message === 'bad port') return 'ERR_BAD_PORT';
  return 'code' in error ? String(error.code) : '';
};
