import type { GuardPolicy } from '../../domain/permissions.ts';
import type { Clock, GuardReader } from '../../domain/ports.ts';

/** What the loan guard keeps between two rounds. Nothing of it is missed after a restart. */
export interface Watch {
  /**
   * Reads all policies anew, and answers how many could not be read; those of them that were known stay as they were. Throws
   * `chain_unavailable`, and all stay.
   */
  list(): Promise<number>;
  /** Whether the last try to do so failed, and some time ago. */
  shouldList(): boolean;
  /** As they were when last read. `now`: the time of the block then, carried on by the clock. */
  known(): { readonly now: bigint; readonly policies: readonly GuardPolicy[] };
  /** Until the policies are read anew. */
  forget(policyId: bigint): void;
  /** For a while, or until the policies are read anew. */
  rest(policyId: bigint): void;
  rests(policyId: bigint): boolean;
}

/** Between two tries of what has failed, where no round of the interval comes before. */
export const restSeconds = 15n;

export function createWatch(reader: Pick<GuardReader, 'policies'>, clock: Clock): Watch {
  let policies: readonly GuardPolicy[] = [];
  let listed = { time: 0n, at: clock() };
  let triedAt: bigint | undefined = clock() - restSeconds;
  const restsUntil = new Map<bigint, bigint>();
  return {
    async list() {
      triedAt = clock();
      const { block, policies: read, unread } = await reader.policies();
      triedAt = undefined;
      const ids = new Set(read.map(({ id }) => id));
      policies = unread === 0 ? read : [...read, ...policies.filter(({ id }) => !ids.has(id))];
      listed = { time: block.timestamp, at: clock() };
      restsUntil.clear();
      return unread;
    },
    shouldList: () => triedAt !== undefined && clock() >= triedAt + restSeconds,
    known: () => ({ now: listed.time + clock() - listed.at, policies }),
    forget(policyId) {
      policies = policies.filter(({ id }) => id !== policyId);
    },
    rest: (policyId) => void restsUntil.set(policyId, clock() + restSeconds),
    rests: (policyId) => clock() < (restsUntil.get(policyId) ?? 0n),
  };
}
