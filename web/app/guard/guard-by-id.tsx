import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { withShares } from '@bowline/core/domain/guard-shares';
import { protocolAt } from '@bowline/core/domain/lending';
import { sameAddress } from '@bowline/core/domain/same-address';
import { useConnection } from 'wagmi';
import type { Moment } from '../api/age.ts';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import type { Coverage } from '../chain/coverage/coverage.ts';
import { asOfReadings, type Covered, useCover, useCovered } from '../chain/coverage/use-covered.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { GuardCard } from './guard-card.tsx';
import { LoanCard } from './loan-card.tsx';
import { useGuarded, useGuardedById } from './use-loan.ts';

/** Anyone's guard, with its loan: read from the chain, so it needs no wallet. */
export function GuardById({ id }: { readonly id: GuardKey }) {
  const { address } = useConnection();
  const { data, isError, error, refetch } = useGuardedById(id);
  const now = useChainTime();
  const moment = useMoment();
  const cover = useCover(now, moment);
  if (data === undefined) {
    if (!isError) return <Skeleton label={guardWords.readingGuard(id)} />;
    return <ReadFailed what={partWords.guard(id)} error={error} retry={() => void refetch()} />;
  }
  const { guard, loan } = data;
  const isOld = isReadingOld(guard, moment);
  const coverage = cover(guard, isOld ? undefined : loan);
  const asOf = asOfReadings(guard, loan, moment);
  const is = (each: string) => sameAddress(each, address);
  const shown = { guard, loan, coverage, asOf, now, isOwn: is(guard.borrower) };
  return (
    <>
      {isError && <ReadFailed what={guardWords.newestGuard(id)} error={error} retry={() => void refetch()} />}
      {address && (shown.isOwn || is(guard.funder)) ? (
        <Partner account={address} {...{ shown, moment }} isStale={isError || isOld} />
      ) : (
        <>
          <Shown {...shown} />
          {guard.status === 'active' && <p className="faint">{guardWords.sharingUnknown}</p>}
        </>
      )}
    </>
  );
}

type CardProps = Omit<React.ComponentProps<typeof GuardCard>, 'guard' | 'loan' | 'coverage'>;

interface ShownProps extends CardProps {
  readonly guard: Covered['guard'];
  readonly loan: Covered['loan'];
  readonly coverage: Coverage;
  /** Whether the loan belongs to the viewing account. */
  readonly isOwn: boolean;
}

function Shown({ isOwn, ...card }: ShownProps) {
  const { guard, loan, coverage, asOf, now } = card;
  const { lending } = useSettings();
  // Only this guard is read. If it has ended, another one may still guard the loan.
  const active = guard.status === 'active' ? [{ guard, coverage }] : undefined;
  // Values of an unlisted protocol may not be in dollars.
  const isListed = protocolAt(lending, guard) !== undefined;
  return (
    <>
      <GuardCard {...card} />
      {loan?.healthWad !== undefined && isListed && (
        <LoanCard {...{ loan, now, isOwn }} asOf={asOf?.loan} guards={active} />
      )}
    </>
  );
}

interface PartnerProps {
  readonly account: `0x${string}`;
  readonly shown: ShownProps;
  readonly moment: Moment;
  readonly isStale: boolean;
}

/** For an account that can act on the guard. Acting requires all guards that share its approval. */
function Partner({ account, shown, moment, isStale }: PartnerProps) {
  const { data } = useGuarded(account);
  const all = useCovered(data, shown.now, moment);
  const covered = [...(all?.own ?? []), ...(all?.funded ?? [])];
  // What the guard shares comes from the reading of all guards, the rest from its own, maybe newer, reading.
  const others = covered.filter(({ guard }) => guardKey(guard) !== guardKey(shown.guard));
  const coverage = withShares([shown, ...others], shown.now)[0]?.coverage ?? shown.coverage;
  return (
    <>
      <Shown
        {...{ ...shown, coverage, account, covered }}
        owned={data?.guards.data}
        isStale={isStale || data?.guards.error !== undefined || isReadingOld(data?.guards.data, moment)}
      />
      {all === undefined && <p className="faint">{guardWords.sharingUnknown}</p>}
    </>
  );
}
