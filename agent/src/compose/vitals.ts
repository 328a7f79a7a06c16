import type { HealthReader } from '@bowline/chain/readers';
import { guardKey } from '@bowline/core/domain/guard-key';
import type { Health } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import type { LastReads } from '../loops/left-out.ts';
import { watchedGuards } from '../loops/loan-guard/plan.ts';
import type { Vitals } from '../process/vitals.ts';
import type { Readers } from './questions.ts';
import type { Workers } from './workers.ts';

/** The same readers; the vitals record what they read. */
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

/** The same reader; the vitals record what it reads. */
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
