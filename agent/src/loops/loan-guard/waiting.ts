import type { Dependency } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import type { Timers } from '../runner.ts';

/**
 * The rescues that are due and not made: since when each has been known to be due, and when loans were last read. What the
 * contract refuses and what the serving policy leaves out is not due. A node that is away changes nothing: what was due when it
 * was last read is due still.
 */
export interface WaitingRescues {
  /** Counts from the first time; later ones change nothing, but that a refusal in between is not believed any more. */
  add(guardId: bigint): void;
  /**
   * The rescue was refused although it was due a moment before. It does not count until it is due again, and then from the
   * first time, whatever is refused after that.
   */
  refuse(guardId: bigint): void;
  /** Made, or not due any more. */
  remove(guardId: bigint): void;
  /** Removes all others. */
  keepOnly(guardIds: readonly bigint[]): void;
  /** How long the oldest has waited, in milliseconds; undefined when none does. */
  oldestMs(): number | undefined;
  /** The guards and their loans have been read. */
  looked(): void;
  /** How long ago that was, in milliseconds; since the start if it never was. */
  unseenMs(): number;
}

interface Due {
  readonly since: number;
  /** `believed`: it may not be due. `again`: it was due after a refusal. */
  readonly refusal?: 'believed' | 'again';
}

export function createWaitingRescues({ now }: Pick<Timers, 'now'>): WaitingRescues {
  const due = new Map<bigint, Due>();
  let lookedAt = now();
  return {
    add(guardId) {
      const known = due.get(guardId);
      if (known === undefined) due.set(guardId, { since: now() });
      else if (known.refusal === 'believed') due.set(guardId, { ...known, refusal: 'again' });
    },
    refuse(guardId) {
      const known = due.get(guardId);
      if (known !== undefined && known.refusal === undefined) due.set(guardId, { ...known, refusal: 'believed' });
    },
    remove: (guardId) => void due.delete(guardId),
    keepOnly(guardIds) {
      const kept = new Set(guardIds);
      for (const id of due.keys()) if (!kept.has(id)) due.delete(id);
    },
    oldestMs() {
      const counting = [...due.values()].filter(({ refusal }) => refusal !== 'believed');
      return counting.length === 0 ? undefined : now() - Math.min(...counting.map(({ since }) => since));
    },
    looked() {
      lookedAt = now();
    },
    unseenMs: () => now() - lookedAt,
  };
}

/** Longer than a rescue takes when everything works: a block or two. */
const maxWaitMs = 10_000;
/** Many blocks, each of which has the loans read. */
const maxUnseenMs = 15_000;

/**
 * Not ready while a rescue that is due has not been made for more than ten seconds, or while loans have not been read for too
 * long: then nobody knows which rescues are due.
 * @param unseenMs what is too long. More than the time between two rounds.
 */
export const rescuesDependency = (waiting: WaitingRescues, unseenMs = maxUnseenMs): Dependency => ({
  name: 'rescues',
  needed: true,
  look: async () => {
    const waited = waiting.oldestMs();
    if (waited !== undefined && waited > maxWaitMs) throw late(`A rescue has waited ${inSeconds(waited)} s.`);
    const unseen = waiting.unseenMs();
    if (unseen > unseenMs) throw late(`The guarded loans have not been read for ${inSeconds(unseen)} s.`);
    return waited === undefined ? 'No rescue is waiting.' : `A rescue has been due for ${inSeconds(waited)} s.`;
  },
});

const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
const late = (message: string) => new BowlineError('timeout', message, { retryable: true });

/** @param blockPollMs 0: loans are read every `intervalSeconds` only. */
export const maxUnseenMsOf = (blockPollMs: number, intervalSeconds: number): number =>
  blockPollMs === 0 ? intervalSeconds * 1000 + 10_000 : maxUnseenMs + blockPollMs;
