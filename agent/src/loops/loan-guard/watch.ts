import type { GuardReader } from '@bowline/chain/readers';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Guard } from '@bowline/core/domain/permissions';
import type { Clock } from '@bowline/core/domain/time';

/** The loan guard's memory between rounds. A restart may lose all of it. */
export interface Watch {
  /**
   * Reads all guards again and returns how many could not be read; of those, known guards keep their last state. Throws
   * `chain_unavailable` and then leaves everything unchanged.
   */
  list(): Promise<number>;
  /** Whether the known guards are outdated: the last read failed some time ago, or `mistrust` was called since. */
  shouldList(): boolean;
  /** Whether the last read returned at least one guard, or there are none. */
  isListed(): boolean;
  /** Records whether the last loan reads were answered. */
  answered(isAnswered: boolean): void;
  isAnswered(): boolean;
  /** Forces a full read in so many seconds, by default in the next round: guards may have changed without our knowledge. */
  mistrust(inSeconds?: bigint): void;
  /** Guards as last read. `now`: the time of that block, advanced by the clock. */
  known(): { readonly now: bigint; readonly guards: readonly Guard[] };
  /** Drops the guard until the guards are read again. */
  forget(guardId: GuardKey): void;
  /** Skips the guard for this many seconds, or until the guards are read again. */
  rest(guardId: GuardKey, seconds: bigint): void;
  rests(guardId: GuardKey): boolean;
}

/** Seconds between two attempts after a refusal, unless a regular round comes first. */
export const restSeconds = 15n;
/** Seconds between two attempts without an answer: the node may be back at the next block. */
export const retrySeconds = 2n;

export function createWatch(reader: Pick<GuardReader, 'guards'>, clock: Clock): Watch {
  let guards: readonly Guard[] = [];
  let listed = { time: 0n, at: clock() };
  let triedAt: bigint | undefined = clock() - retrySeconds;
  let isListed = false;
  let isAnswered = false;
  const restsUntil = new Map<GuardKey, bigint>();
  return {
    async list() {
      triedAt = clock();
      isListed = false;
      const { block, guards: read, unread } = await reader.guards();
      // An unreadable guard is unwatched or keeps its last state, so read again soon.
      if (unread === 0) triedAt = undefined;
      const keys = new Set(read.map(guardKey));
      guards = unread === 0 ? read : [...read, ...guards.filter((guard) => !keys.has(guardKey(guard)))];
      listed = { time: block.timestamp, at: clock() };
      // Otherwise every retry would repeat refused rescues.
      if (unread === 0) restsUntil.clear();
      // A few unreadable guards do not make the list unreadable.
      isListed = unread === 0 || read.length > 0;
      return unread;
    },
    isListed: () => isListed,
    answered(is) {
      isAnswered = is;
    },
    isAnswered: () => isAnswered,
    shouldList: () => triedAt !== undefined && clock() >= triedAt + retrySeconds,
    mistrust(inSeconds = 0n) {
      const at = clock() + inSeconds - retrySeconds;
      if (triedAt === undefined || at < triedAt) triedAt = at;
    },
    known: () => ({ now: listed.time + clock() - listed.at, guards }),
    forget(guardId) {
      guards = guards.filter((guard) => guardKey(guard) !== guardId);
    },
    rest: (guardId, seconds) => void restsUntil.set(guardId, clock() + seconds),
    rests: (guardId) => clock() < (restsUntil.get(guardId) ?? 0n),
  };
}
