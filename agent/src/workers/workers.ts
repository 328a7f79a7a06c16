import { randomBytes } from 'node:crypto';
import { guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Guard, Plan } from '@bowline/core/domain/permissions';
import type { Timers } from '@bowline/core/domain/time';
import type { Turns } from '@bowline/core/domain/turns';
import { joinMembers, type Member, serves } from './members.ts';
import { beatOf, connectRedis } from './redis.ts';
import { bitsOf, rankOf } from './rendezvous.ts';
import { type Rounds, startRounds } from './rounds.ts';
import { createTurns } from './turns.ts';

/** This worker among those that serve the same contracts. */
export interface Workers {
  readonly rescues: Turns<{ readonly guard: Guard }>;
  readonly runs: Turns<{ readonly plan: Plan; readonly slotStart: bigint }>;
  /** Of these guards, the number for which this worker acts first. */
  firstOf(guards: readonly Guard[]): number;
  /** Live workers, this one included. */
  count(): number;
  /** Milliseconds since Redis last answered. */
  silentMs(): number;
  /** Another process uses the same rescue key. */
  isKeyShared(): boolean;
  /** From now on jobs begin the regular rounds. */
  begin(rounds: readonly Rounds[]): void;
  stop(): void;
}

interface WorkerOptions extends Omit<Member, 'instance'> {
  readonly url: string;
  /** The same for all workers of the same contracts. */
  readonly name: string;
  readonly isActive: () => boolean;
  readonly timers: Timers;
  readonly log: Log;
}

/** A rescue is mined within two or three blocks of half a second. /ready waits for ten seconds. */
const rescueHeadStartMs = 3_000;
/** A round judges its runs one by one, and a bundler has ten seconds for each. */
const runHeadStartMs = 60_000;
/** Of a plan's window: who comes last still has half of it. */
const windowShare = 4;

export function openWorkers({ url, name, isActive, timers, log, ...said }: WorkerOptions): Workers {
  const [id, keeper] = [said.id.toLowerCase(), said.keeper.toLowerCase()];
  const { runs, share } = said;
  const self: Member = { id, keeper, runs, ...(share && { share }), instance: randomBytes(8).toString('hex') };
  const redis = connectRedis(url, false, log);
  const members = joinMembers(self, beatOf(redis, `bowline:${name}`), { isActive, timers, log });
  let rounds: ReturnType<typeof startRounds> | undefined;

  const rank = (permission: number, serves: (other: Member) => boolean) =>
    rankOf(
      permission,
      id,
      members.others().flatMap((other) => (serves(other) ? [other.id] : [])),
    );
  const rankOfGuard = (guard: Guard) => rank(Number(BigInt.asUintN(32, guard.id)), (other) => serves(other, guard));
  return {
    rescues: createTurns(
      {
        occasion: ({ guard }) => `${guardKey(guard)}`,
        rank: ({ guard }) => rankOfGuard(guard),
        headStartMs: () => rescueHeadStartMs,
      },
      timers,
    ),
    runs: createTurns(
      {
        // After a deferral the plan is its worker's again.
        occasion: ({ plan, slotStart }) => `${plan.id} ${slotStart} ${plan.deferrals}`,
        // By owner: the plans of one owner spend the same funds and the same gas of a day, which one worker adds up.
        rank: ({ plan }) => rank(bitsOf(plan.owner), ({ runs }) => runs),
        headStartMs: ({ plan }) => Math.min(runHeadStartMs, (Number(plan.windowSeconds) * 1000) / windowShare),
      },
      timers,
    ),
    firstOf: (guards) => guards.filter((guard) => serves(self, guard) && rankOfGuard(guard) === 0).length,
    count: () => members.others().length + 1,
    silentMs: members.silentMs,
    isKeyShared: members.isKeyShared,
    begin(all) {
      rounds = startRounds(url, `rounds-${name}-${id}`, all, { timers, log });
    },
    stop() {
      members.stop();
      rounds?.stop();
      redis.disconnect();
    },
  };
}
