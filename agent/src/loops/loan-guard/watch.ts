import type { Guard } from '@bowline/core/domain/permissions';
import type { Clock, GuardReader } from '@bowline/core/domain/ports';

/** What the loan guard keeps between two rounds. Nothing of it is missed after a restart. */
export interface Watch {
  /**
   * Reads all guards anew, and answers how many could not be read; those of them that were known stay as they were. Throws
   * `chain_unavailable`, and all stay.
   */
  list(): Promise<number>;
  /** Whether what is known is not to be gone by: the last try to read failed some time ago, or `mistrust` was called since. */
  shouldList(): boolean;
  /** Whether the last try to read the guards has told of any, unless there are none. */
  isListed(): boolean;
  /** Whether the last loans that were asked for got an answer. */
  answered(isAnswered: boolean): void;
  isAnswered(): boolean;
  /** Has the guards read anew in the next round: something may have been done that nobody has told of. */
  mistrust(): void;
  /** As they were when last read. `now`: the time of the block then, carried on by the clock. */
  known(): { readonly now: bigint; readonly guards: readonly Guard[] };
  /** Until the guards are read anew. */
  forget(guardId: bigint): void;
  /** For so many seconds, or until the guards are read anew. */
  rest(guardId: bigint, seconds: bigint): void;
  rests(guardId: bigint): boolean;
}

/** Between two tries of what was refused, where no round of the interval comes before. */
export const restSeconds = 15n;
/** Between two tries of what got no answer: the node may be back at the next block. */
export const retrySeconds = 2n;

export function createWatch(reader: Pick<GuardReader, 'guards'>, clock: Clock): Watch {
  let guards: readonly Guard[] = [];
  let listed = { time: 0n, at: clock() };
  let triedAt: bigint | undefined = clock() - retrySeconds;
  let isListed = false;
  let isAnswered = false;
  const restsUntil = new Map<bigint, bigint>();
  return {
    async list() {
      triedAt = clock();
      isListed = false;
      const { block, guards: read, unread } = await reader.guards();
      // One that cannot be read is unwatched, or watched as it was: it is asked for again soon.
      if (unread === 0) triedAt = undefined;
      const ids = new Set(read.map(({ id }) => id));
      guards = unread === 0 ? read : [...read, ...guards.filter(({ id }) => !ids.has(id))];
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
    known: () => ({ now: listed.time + clock() - listed.at, guards }),
    forget(guardId) {
      guards = guards.filter(({ id }) => id !== guardId);
    },
    rest: (guardId, seconds) => void restsUntil.set(guardId, clock() + seconds),
    rests: (guardId) => clock() < (restsUntil.get(guardId) ?? 0n),
  };
}
