import { randomBytes } from 'node:crypto';
import { guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Guard, Plan } from '@bowline/core/domain/permissions';
import type { Timers } from '@bowline/core/domain/time';
import { goneMs, joinMembers, type Member, serves } from './members.ts';
import { bitsOf, rankOf } from './rendezvous.ts';
import { createTurns } from './turns.ts';

export type Workers = ReturnType<typeof openWorkers>;

interface WorkerOptions extends Pick<Member, 'id' | 'keeper' | 'runs'> {
  /** Through what all workers of the same contracts know of each other. */
  readonly beat: Parameters<typeof joinMembers>[1];
  /** Nobody waits for a worker that is not. */
  readonly isActive: () => boolean;
  /** Whether it reads loans now. */
  readonly isReading: () => boolean;
  readonly timers: Timers;
  readonly log: Log;
}

/** A rescue is mined within two or three blocks of half a second. /ready waits for ten seconds. */
const rescueHeadStartMs = 3_000;
/** A round judges its runs one by one, and a bundler has ten seconds for each. */
const runHeadStartMs = 60_000;
/** Share of a plan's window: the last worker still has half of it. */
const windowShare = 4;
/** Of each guard. */
const readers = 2;

/** This worker among those that serve the same contracts. */
export function openWorkers({ beat, isActive, isReading, timers, log, ...said }: WorkerOptions) {
  const [id, keeper] = [said.id.toLowerCase(), said.keeper.toLowerCase()];
  const self = { id, keeper, runs: said.runs, instance: randomBytes(8).toString('hex') };
  /** The others know of this worker. Until they do, it comes last: each of them counts without it. */
  let isTold = false;
  const say = () => {
    isTold = isActive();
    return isTold ? { ...self, reads: isReading() } : undefined;
  };
  const members = joinMembers(self, beat, { say, timers, log });

  const rank = (permission: number, serves: (other: Member) => boolean) => {
    const others = members.others().flatMap((other) => (serves(other) ? [other.id] : []));
    return isTold ? rankOf(permission, id, others) : others.length;
  };
  const rankOfGuard = (guard: Guard, among: (other: Member) => boolean = () => true) =>
    rank(Number(BigInt.asUintN(32, guard.id)), (other) => serves(other, guard) && among(other));
  return {
    rescues: createTurns<{ readonly guard: Guard }>(
      {
        occasion: ({ guard }) => `${guardKey(guard)}`,
        rank: ({ guard }) => rankOfGuard(guard),
        headStartMs: () => rescueHeadStartMs,
      },
      timers,
    ),
    runs: createTurns<{ readonly plan: Plan; readonly slotStart: bigint }>(
      {
        // After a deferral the plan is its worker's again.
        occasion: ({ plan, slotStart }) => `${plan.id} ${slotStart} ${plan.deferrals}`,
        // By owner: the plans of one owner spend the same funds and the same gas of a day, which one worker adds up.
        rank: ({ plan }) => rank(bitsOf(plan.owner), ({ runs }) => runs),
        headStartMs: ({ plan }) => Math.min(runHeadStartMs, (Number(plan.windowSeconds) * 1000) / windowShare),
      },
      timers,
    ),
    /**
     * Whether this worker reads the guard's loan in turn, as its first two do. While Redis is silent nobody learns that a worker
     * has died, and everybody reads all loans.
     */
    reads: (guard: Guard) => members.silentMs() > goneMs || rankOfGuard(guard, (other) => other.reads) < readers,
    /** Of these guards, the number for which this worker acts first. */
    firstOf: (guards: readonly Guard[]) =>
      guards.filter((guard) => serves({ keeper }, guard) && rankOfGuard(guard) === 0).length,
    /** Live workers, this one included. */
    count: () => members.others().length + 1,
    silentMs: members.silentMs,
    isKeyShared: members.isKeyShared,
    stop: members.stop,
  };
}
