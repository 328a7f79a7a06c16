import type { GuardPolicy } from '@bowline/core/domain/permissions';
import type { Clock, GuardReader } from '@bowline/core/domain/ports';

/** What the loan guard keeps between two rounds. Nothing of it is missed after a restart. */
export interface Watch {
  /**
   * Reads all policies anew, and answers how many could not be read; those of them that were known stay as they were. Throws
   * `chain_unavailable`, and all stay.
   */
  list(): Promise<number>;
  /** Whether what is known is not to be gone by: the last try to read failed some time ago, or `mistrust` was called since. */
  shouldList(): boolean;
  /** Whether the last try to read the policies has told of any, unless there are none. */
  isListed(): boolean;
  /** Whether the last loans that were asked for got an answer. */
  answered(isAnswered: boolean): void;
  isAnswered(): boolean;
  /** Has the policies read anew in the next round: something may have been done that nobody has told of. */
  mistrust(): void;
  /** As they were when last read. `now`: the time of the block then, carried on by the clock. */
  known(): { readonly now: bigint; readonly policies: readonly GuardPolicy[] };
  /** Until the policies are read anew. */
  forget(policyId: bigint): void;
  /** For so many seconds, or until the policies are read anew. */
  rest(policyId: bigint, seconds: bigint): void;
  rests(policyId: bigint): boolean;
}

/** Between two tries of what was refused, where no round of the interval comes before. */
export const restSeconds = 15n;
/** Between two tries of what got no answer: the node may be back at the next block. */
export const retrySeconds = 2n;

export function createWatch(reader: Pick<GuardReader, 'policies'>, clock: Clock): Watch {
  let policies: readonly GuardPolicy[] = [];
  let listed = { time: 0n, at: clock() };
  let triedAt: bigint | undefined = clock() - retrySeconds;
  let isListed = false;
  let isAnswered = false;
  const restsUntil = new Map<bigint, bigint>();
  return {
    async list() {
      triedAt = clock();
      isListed = false;
      const { block, policies: read, unread } = await reader.policies();
      // One that cannot be read is unwatched, or watched as it was: it is asked for again soon.
      if (unread === 0) triedAt = undefined;
      const ids = new Set(read.map(({ id }) => id));
      policies = unread === 0 ? read : [...read, ...policies.filter(({ id }) => !ids.has(id))];
      listed = { time: block.timestamp, at: clock() };
      // Or each of these tries would repeat what has been refused.
      if (unread === 0) restsUntil.clear();
      // A few that cannot be read are their own trouble.
      isListed = unread === 0 || read.length > 0;
      return unread;
    },
    isListed: () => isListed,
    answered(is) {
      isAnswered = is;
    },
    isAnswered: () => isAnswered,
    shouldList: () => triedAt !== undefined && clock() >= triedAt + retrySeconds,
    mistrust() {
      triedAt = clock() - retrySeconds;
    },
    known: () => ({ now: listed.time + clock() - listed.at, policies }),
    forget(policyId) {
      policies = policies.filter(({ id }) => id !== policyId);
    },
    rest: (policyId, seconds) => void restsUntil.set(policyId, clock() + seconds),
    rests: (policyId) => clock() < (restsUntil.get(policyId) ?? 0n),
  };
}
