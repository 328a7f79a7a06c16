import type { Address } from 'viem';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import type { Loan } from '../chain/read-loan.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { ListGaps } from '../parts/list-gaps.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { coverageOf } from './coverage.ts';
import { GuardCard } from './guard-card.tsx';
import { OwnLoan } from './own-loan.tsx';
import { watchesChainlink } from './price-source.ts';
import { useGuards, useLoans } from './use-loan.ts';

export function Guard() {
  return (
    <>
      <div className="title-row">
        <div>
          <h1>Guard</h1>
          <p className="lead">
            When your loan’s health falls below the trigger, a guard repays as much as restores the target.
          </p>
        </div>
      </div>
      <NeedsWallet to="see your loan and guard it">
        {(borrower) => <OwnLoans key={borrower} borrower={borrower} />}
      </NeedsWallet>
    </>
  );
}

function OwnLoans({ borrower }: { readonly borrower: Address }) {
  const settings = useSettings();
  const loans = useLoans(borrower);
  const guards = useGuards(borrower);
  const now = useChainTime();
  const moment = useMoment();
  if (loans.some(({ isPending }) => isPending) || guards.isPending) return <Skeleton label="Reading your loan" />;
  const retry = () => void Promise.all([...loans.map(({ refetch }) => refetch()), guards.refetch()]);
  const covered = guards.data?.guards.map((guard) => {
    const isOf = ({ protocol }: Loan) => protocol.adapter.toLowerCase() === guard.adapter.toLowerCase();
    const loan = loans.find(({ data }) => data && isOf(data))?.data;
    // A reading half a minute old does not show that a rescue is possible now.
    const isKnown = !isReadingOld(loan, moment) && !isReadingOld(guards.data, moment);
    const coverage = coverageOf(guard, isKnown ? loan : undefined, now, watchesChainlink(guard, settings));
    return { guard, loan, coverage };
  });
  const active = covered?.filter(({ guard }) => guard.status === 'active');
  return (
    <>
      {guards.isError && (
        <ReadFailed
          what={guards.data ? 'The newest state of your guards' : 'Your guards'}
          error={guards.error}
          retry={retry}
        />
      )}
      {guards.data && <ListGaps owned={guards.data} noun="guard" retry={retry} />}
      {loans.map((loan, at) => (
        <OwnLoan
          key={settings.lending[at]?.name}
          borrower={borrower}
          loan={loan.data}
          error={loan.isError ? loan.error : undefined}
          guards={active}
          owned={guards.data}
          isStale={guards.isError || isReadingOld(guards.data, moment)}
          moment={moment}
          retry={retry}
        />
      ))}
      {covered?.map(({ guard, loan, coverage }) => (
        <GuardCard key={String(guard.id)} guard={guard} loan={loan} coverage={coverage} />
      ))}
    </>
  );
}
