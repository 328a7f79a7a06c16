import { randomBytes } from 'node:crypto';
import { guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Guard, Plan } from '@bowline/core/domain/permissions';
import type { Timers } from '@bowline/core/domain/time';
import { goneMs, joinMembers, type Member, serves } from './members.ts';
import { bitsOf, createTurns, rankOf } from './turns.ts';

export type Workers = ReturnType<typeof openWorkers>;

interface WorkerOptions extends Pick<Member, 'id' | 'keeper' | 'runs'> {
  /** How all workers of the same contracts learn about each other. */
  readonly beat: Parameters<typeof joinMembers>[1];
  /** Whether this worker is active. Nobody waits for an inactive one. */
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
/** Workers that read each guard's loan. */
const readers = 2;

/** This worker among those that serve the same contracts. */
export function openWorkers({ beat, isActive, isReading, timers, log, ...said }: WorkerOptions) {
  const [id, keeper] = [said.id.toLowerCase(), said.keeper.toLowerCase()];
  const self = { id, keeper, runs: said.runs, instance: randomBytes(8).toString('hex') };
  /** Whether the others know about this worker. Until they do, it comes last, because they count without it. */
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
        // After a deferral, the plan belongs to its first worker again.
        occasion: ({ plan, slotStart }) => `${plan.id} ${slotStart} ${plan.deferrals}`,
        // By owner: one owner's plans share the same funds and the same day's gas, which one worker adds up.
        rank: ({ plan }) => rank(bitsOf(plan.owner), ({ runs }) => runs),
        headStartMs: ({ plan }) => Math.min(runHeadStartMs, (Number(plan.windowSeconds) * 1000) / windowShare),
      },
      timers,
    ),
    /**
     * Whether this worker reads the guard's loan in turn, as the guard's first two workers do. While Redis is silent,
     * nobody learns that a worker has died, so every worker reads all loans.
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
