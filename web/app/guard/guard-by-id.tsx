import { protocolAt } from '@bowline/core/domain/lending';
import { useConnection } from 'wagmi';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { useCover } from '../chain/coverage/use-covered.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { guardWords } from '../words/en/guard.ts';
import { timeOfDay } from '../words/times.ts';
import { GuardCard } from './guard-card.tsx';
import { LoanCard } from './loan-card.tsx';
import { Simulator } from './simulator.tsx';
import { useGuarded, useGuardedById } from './use-loan.ts';

/** One guard, whoever's it is, with its loan: read from the chain, so that it needs no wallet. */
export function GuardById({ id }: { readonly id: bigint }) {
  const { address } = useConnection();
  const { lending } = useSettings();
  const { data, isError, error, refetch } = useGuardedById(id);
  const now = useChainTime();
  const moment = useMoment();
  const cover = useCover(now, moment);
  if (data === undefined) {
    if (!isError) return <Skeleton label={guardWords.readingGuard(id)} />;
    return <ReadFailed what={guardWords.guard(id)} error={error} retry={() => void refetch()} />;
  }
  const { guard, loan } = data;
  const isOld = isReadingOld(guard, moment);
  const coverage = cover(guard, isOld ? undefined : loan);
  const active = guard.status === 'active' ? [{ guard, coverage }] : [];
  const asOf = loan && isReadingOld(loan, moment) ? timeOfDay(loan.readAt.wall) : undefined;
  // The values of another protocol are not known to be dollars.
  const isListed = protocolAt(lending, guard.adapter) !== undefined;
  const is = (each: string) => each.toLowerCase() === address?.toLowerCase();
  const isBorrower = is(guard.borrower);
  const isPartner = isBorrower || is(guard.funder);
  return (
    <>
      {isError && <ReadFailed what={guardWords.newestGuard(id)} error={error} retry={() => void refetch()} />}
      {isPartner && address ? (
        <Partner account={address} {...{ guard, loan, coverage, now }} isStale={isError || isOld} />
      ) : (
        <GuardCard {...{ guard, loan, coverage, now }} />
      )}
      {loan?.healthWad !== undefined && isListed && (
        <>
          <LoanCard {...{ loan, asOf, now }} guards={active} isOwn={isBorrower} />
          {!asOf && <Simulator loan={loan} guards={active.map((each) => each.guard)} />}
        </>
      )}
    </>
  );
}

/** For who can act on it: that takes all guards that share the approval. */
function Partner({ account, ...props }: React.ComponentProps<typeof GuardCard> & { readonly account: `0x${string}` }) {
  const { data } = useGuarded(account);
  const isStale = props.isStale || data?.guards.error !== undefined;
  return <GuardCard {...props} account={account} owned={data?.guards.data} isStale={isStale} />;
}
