import type { LoopState } from '@bowline/core/domain/readiness';
import type { OpenOperation } from '@bowline/core/domain/sending';
import type { Lateness } from '../loops/loan-guard/waiting.ts';
import type { Reading, Vitals } from './vitals.ts';

/** What the agent does and holds, as /ready and /metrics ask for it. */
export interface Watched {
  readonly build: Reading['build'];
  readonly vitals: Pick<Vitals, 'lanesSeen' | 'read'>;
  readonly loops: () => readonly LoopState[];
  readonly rescues: { count(): number; oldestMs(): number | undefined; unreadMs(): number; lateness(): Lateness };
  readonly runs: () => Reading['runs'];
  readonly open: () => readonly OpenOperation[];
  /** Whether a run was refused today because the day's gas is used up. */
  readonly isGasDayUsed: () => boolean;
  /** Whether another process has been seen to send with one of our keys. */
  readonly isKeyShared: () => boolean;
  /** The deployment record names other verdict signers, and the operator has accepted that. */
  readonly isVerdictKeyUnnamed: boolean;
  /** What this agent leaves out. */
  readonly leftOut: () => Reading['leftOut'];
  readonly isStopped: () => boolean;
  readonly bounds: Reading['bounds'];
  /** Absent without REDIS_URL. */
  readonly workers?: () => NonNullable<Reading['workers']>;
}
