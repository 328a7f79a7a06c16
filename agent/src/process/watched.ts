import type { LoopState } from '@bowline/core/domain/readiness';
import type { OpenOperation } from '@bowline/core/domain/sending';
import type { LeftOutCounts } from '@bowline/core/domain/served';
import type { Vitals } from './vitals.ts';

/** The agent's state, as /ready and /metrics read it. */
export interface Watched {
  /** Version and commit; the commit is `unknown` if there is none. */
  readonly build: { readonly version: string; readonly revision: string };
  readonly vitals: Pick<Vitals, 'queuesSeen' | 'read'>;
  readonly loops: () => readonly LoopState[];
  readonly rescues: {
    count(): number;
    oldestMs(): number | undefined;
    unreadMs(): number;
    lateness(): { readonly rescues: number; readonly blocks: bigint; readonly maxBlocks: bigint };
  };
  /** Plans that were due in the executor's last round, and those neither run nor deferred nor left out on purpose. */
  readonly runs: () => { readonly due: number; readonly unserved: number };
  readonly open: () => readonly OpenOperation[];
  /** Whether a run was refused today because the day's gas is used up. */
  readonly isGasDayUsed: () => boolean;
  /** Whether another process has been seen to send with one of our keys. */
  readonly isKeyShared: () => boolean;
  /** The deployment record names other verdict signers, and the operator has accepted that. */
  readonly isVerdictKeyUnnamed: boolean;
  /** Plans and guards that this agent leaves out, by kind and reason. */
  readonly leftOut: () => LeftOutCounts;
  readonly isStopped: () => boolean;
  /** Gas that a rescue may need, what a payer may spend in a day, and the prices above which nothing is sent. */
  readonly bounds: {
    readonly rescueGas: bigint;
    readonly maxDayWei: bigint;
    readonly maxGasPriceWei: bigint;
    readonly rescueMaxGasPriceWei: bigint;
  };
  /** Absent without REDIS_URL. @returns redisMs since Redis last answered, and whether another process uses the same rescue key. */
  readonly workers?: () => { readonly count: number; readonly redisMs: number; readonly isKeyShared: boolean };
}
