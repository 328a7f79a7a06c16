import type { HealthReader } from '@bowline/chain/readers';
import { guardKey } from '@bowline/core/domain/guard-key';
import type { Health } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { unservedOf } from '../loops/executor/plan.ts';
import type { LastReads } from '../loops/left-out.ts';
import { watchedGuards } from '../loops/loan-guard/plan.ts';
import type { Loop } from '../loops/runner.ts';
import type { Vitals } from '../process/vitals.ts';
import type { Watched } from '../process/watched.ts';
import { maxRescuePriceWei, rescueGasOf } from '../sending/calls.ts';
import { buildOf } from './build.ts';
import type { Parts } from './parts.ts';
import type { Readers } from './questions.ts';
import type { Workers } from './workers.ts';

/** The same readers; what they read is known to the vitals. */
export function noting(
  { plans, guards, ...readers }: Readers,
  vitals: Vitals,
  reads: LastReads,
  workers?: Workers,
): Readers {
  return {
    ...readers,
    plans: {
      ...plans,
      async plans() {
        const read = await plans.plans();
        vitals.crowdRead('plans', { read: read.plans.length, unread: read.unread });
        reads.plans = read;
        return read;
      },
    },
    guards: {
      ...guards,
      async guards() {
        const read = await guards.guards();
        const open = watchedGuards(read.guards, read.block.timestamp);
        const first = workers && { first: workers.firstOf(open) };
        vitals.crowdRead('guards', { read: read.guards.length, unread: read.unread, ...first });
        vitals.watchOnly(open.map(guardKey));
        reads.guards = read;
        return read;
      },
    },
  };
}

/** The same reader; what it reads is known to the vitals. */
export function notingHealths(loans: HealthReader, vitals: Vitals): HealthReader {
  const note = (guards: readonly Guard[], healths: readonly Health[]) =>
    vitals.healthsRead(guards.map(guardKey), healths);
  vitals.fallBy((factor) => loans.falling(factor));
  return {
    ...loans,
    async healths(guards) {
      const healths = await loans.healths(guards);
      note(guards, healths);
      return healths;
    },
    async watch(...asked) {
      const judged = await loans.watch(...asked);
      note(judged.guards, judged.healths);
      return judged;
    },
  };
}

/** What /ready and /metrics watch. @param loops filled when they start. */
export function watchedOf(parts: Parts, loops: readonly Loop[], isVerdictKeyUnnamed: boolean): Watched {
  const { config, chain, vitals, waiting, keeper, isStopped, workers, leftOut } = parts;
  const { gasBounds } = config;
  const states = () => loops.map((loop) => loop.state());
  return {
    build: buildOf(),
    vitals,
    loops: states,
    rescues: waiting,
    runs: () => {
      const last = states().find(({ name }) => name === 'executor')?.last ?? {};
      return { due: last.due ?? 0, unserved: unservedOf(last) };
    },
    open: keeper.open,
    isGasDayUsed: keeper.isGasDayUsed,
    isKeyShared: keeper.isKeyShared,
    isVerdictKeyUnnamed,
    leftOut: leftOut.counts,
    isStopped,
    ...(workers && {
      workers: () => ({
        count: workers.count(),
        redisMs: workers.silentMs(),
        isKeyShared: workers.isKeyShared(),
      }),
    }),
    bounds: {
      ...gasBounds,
      rescueGas: rescueGasOf(chain.book.own),
      rescueMaxGasPriceWei: maxRescuePriceWei(gasBounds),
    },
  };
}
