import { coverageOf } from '@bowline/core/domain/guard-cover';
import { withShares } from '@bowline/core/domain/guard-shares';
import { isAccountOf } from '@bowline/core/domain/lending';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Moment } from '../../api/age.ts';
import { isReadingOld, type Timed } from '../../api/freshness.ts';
import { useSettings } from '../../settings.tsx';
import { asOfTime } from '../../words/times.ts';
import type { LoansAndGuards } from '../read-guarded.ts';
import type { Guard } from '../read-guards.ts';
import type { Loan } from '../read-loan.ts';
import { whyUnwatched } from '../serving.ts';
import { useWatcher } from '../use-serving.ts';
import type { Coverage } from './coverage.ts';
import { watchesChainlink } from './price-source.ts';

/** When the shown values were read, in words; undefined if within the last half minute. */
export interface AsOf {
  readonly guard: string | undefined;
  readonly loan: string | undefined;
}

export interface Covered {
  readonly guard: Guard;
  /** Undefined if it could not be read. */
  readonly loan: Loan | undefined;
  readonly coverage: Coverage;
  readonly asOf?: AsOf;
  /** Set for a guard of the account's own loan that another account pays for. */
  readonly isPaidByOther?: true;
}

/** The guards of an account, and those that it pays for, each with what it could do now; undefined if never read. */
export function useCovered(
  reading: LoansAndGuards | undefined,
  now: bigint | undefined,
  moment: Moment,
): { readonly own: readonly Covered[]; readonly funded: readonly Covered[] } | undefined {
  const cover = useCover(now, moment);
  const guards = reading?.guards.data;
  if (reading === undefined || guards === undefined) return undefined;
  const loans: readonly Timed<Loan>[] = [...reading.loans.flatMap(({ data }) => data ?? []), ...reading.others];
  const covered = (guard: Guard): Covered => {
    const loan = loans.find(
      ({ protocol, borrower }) => isAccountOf(protocol, guard) && sameAddress(borrower, guard.borrower),
    );
    const coverage = cover(guard, isReadingOld(guards, moment) ? undefined : loan);
    const isPaidByOther = guards.guards.includes(guard) && !sameAddress(guard.funder, guard.borrower);
    return {
      ...{ guard, loan, coverage, asOf: asOfReadings(guards, loan, moment) },
      ...(isPaidByOther && { isPaidByOther }),
    };
  };
  const all = withShares([...guards.guards, ...guards.funded].map(covered), now);
  return { own: all.slice(0, guards.guards.length), funded: all.slice(guards.guards.length) };
}

/** When guard and loan were read, for readings that are old. */
export const asOfReadings = (
  guard: { readonly readAt: Moment },
  loan: { readonly readAt: Moment } | undefined,
  moment: Moment,
): AsOf => ({ guard: timeIfOld(guard, moment), loan: timeIfOld(loan, moment) });

const timeIfOld = (reading: { readonly readAt: Moment } | undefined, moment: Moment): string | undefined =>
  reading && isReadingOld(reading, moment) ? asOfTime(reading.readAt.wall, moment.wall) : undefined;

/** What a guard could do now, based on its loan if that is known. */
export function useCover(now: bigint | undefined, moment: Moment) {
  const settings = useSettings();
  const watcher = useWatcher(moment);
  return (guard: Guard, loan: Timed<Loan> | undefined): Coverage => {
    // A reading half a minute old does not show that a rescue is possible now.
    const known = isReadingOld(loan, moment) ? undefined : loan;
    const why = (repayUsdWad: bigint) => whyUnwatched(guard, watcher, repayUsdWad);
    return coverageOf(guard, known, now, watchesChainlink(guard, settings), why);
  };
}
