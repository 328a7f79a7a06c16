import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@bowline/core/domain/ports';
import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem';

const retryMs = 1_000;

/**
 * Repeats a step of the start until the node answers it: one lost answer must not end a start. Logs `node.waiting` once, and
 * `node.answers` when it is over.
 * @param step may be repeated from its beginning.
 * @param isWorthWaiting of what the step has thrown; anything else is thrown on.
 */
export async function untilAnswered<Answer>(
  log: Log,
  step: () => Promise<Answer>,
  isWorthWaiting: (error: unknown) => boolean = isUnanswered,
): Promise<Answer> {
  for (let isTold = false; ; isTold = true) {
    try {
      const answer = await step();
      if (isTold) log.info('node.answers');
      return answer;
    } catch (error) {
      if (!isWorthWaiting(error)) throw error;
      if (!isTold) log.warn('node.waiting', { reason: 'chain_unavailable', error });
    }
    await sleep(retryMs);
  }
}

/** Too many requests, by the standard and by nodes' own numbers, and the node's own failure. */
const busyCodes: ReadonlySet<number> = new Set([-32_005, -32_007, -32_603, 429]);
const isBusyStatus = (status: number): boolean => status === 408 || status === 429 || status >= 500;
/** There is nobody at that address, or nobody who could be asked, or who speaks HTTP. */
const nobodyThere = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ERR_.*|.*CERT.*|UNABLE_TO_.*|HPE_.*)$/;

/** Whether the node, and no contract, failed to answer, so that the same question may be answered later. */
export function isUnanswered(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    if (cause instanceof TimeoutError) return true;
    if (cause instanceof HttpRequestError) return cause.status === undefined || isBusyStatus(cause.status);
    if (cause instanceof RpcRequestError) return busyCodes.has(cause.code);
  }
  return false;
}

/** Whether there is a node that did not answer. Where nobody listens the address may be wrong. */
export const isSilent = (error: unknown): boolean =>
  isUnanswered(error) &&
  // What is no JSON comes from no node: a page, for example.
  !causesOf(error).some((cause) => cause instanceof SyntaxError || nobodyThere.test(codeOf(cause)));

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error; each = each.cause) causes.push(each);
  return causes;
}

/** Node refuses by itself to ask at some ports, and has no code for that. */
const codeOf = (error: Error): string =>
  error.message === 'bad port' ? 'ECONNREFUSED' : 'code' in error ? String(error.code) : '';
