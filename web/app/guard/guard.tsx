import { useState } from 'react';
import type { Address } from 'viem';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { ListGaps } from '../parts/list-gaps.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { timeOfDay } from '../words/times.ts';
import { coverageOf } from './coverage.ts';
import { GuardCard } from './guard-card.tsx';
import { LoanCard } from './loan-card.tsx';
import { watchesChainlink } from './price-source.ts';
import { SetGuard } from './set-guard.tsx';
import { useGuards, useLoan } from './use-loan.ts';

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
        {(borrower) => <OwnLoan key={borrower} borrower={borrower} />}
      </NeedsWallet>
    </>
  );
}

function OwnLoan({ borrower }: { readonly borrower: Address }) {
  const settings = useSettings();
  const loan = useLoan(borrower);
  const guards = useGuards(borrower);
  const now = useChainTime();
  const moment = useMoment();
  const [isSetting, setSetting] = useState(false);
  if (loan.isPending || guards.isPending) return <Skeleton label="Reading your loan" />;
  const retry = () => void Promise.all([loan.refetch(), guards.refetch()]);
  const isLoanOld = isReadingOld(loan.data, moment);
  // A reading half a minute old does not show that a rescue is possible now.
  const isKnown = !isLoanOld && !isReadingOld(guards.data, moment);
  const covered = guards.data?.guards.map((guard) => ({
    guard,
    coverage: coverageOf(guard, isKnown ? loan.data : undefined, now, watchesChainlink(guard, settings)),
  }));
  const active = covered?.filter(({ guard }) => guard.status === 'active');
  const repayable = loan.data?.markets.filter(({ debt }) => debt > 0n) ?? [];
  const hasDebt = loan.data?.healthWad !== undefined;
  return (
    <>
      {loan.isError && (
        <ReadFailed what={loan.data ? 'The newest state of your loan' : 'Your loan'} error={loan.error} retry={retry} />
      )}
      {guards.isError && (
        <ReadFailed
          what={guards.data ? 'The newest state of your guards' : 'Your guards'}
          error={guards.error}
          retry={retry}
        />
      )}
      {guards.data && <ListGaps owned={guards.data} noun="guard" retry={retry} />}
      {loan.data && hasDebt && (
        <LoanCard loan={loan.data} guards={active} asOf={isLoanOld ? timeOfDay(loan.data.readAt.wall) : undefined} />
      )}
      {loan.data && !hasDebt && (
        <div className="empty">
          <h2>No loan to guard</h2>
          <p>This account owes nothing in Venus’s core pool. Once it has borrowed there, its health is shown here.</p>
          <a className="button" href="https://app.venus.io/" target="_blank" rel="noreferrer">
            Open Venus
          </a>
        </div>
      )}
      {loan.data && active && repayable.length > 0 && isSetting && (
        <SetGuard
          borrower={borrower}
          loan={loan.data}
          markets={repayable}
          guards={active.map(({ guard }) => guard)}
          close={() => setSetting(false)}
        />
      )}
      {active && hasDebt && repayable.length > 0 && !isSetting && (
        <div className="buttons">
          <button type="button" className="button primary" onClick={() => setSetting(true)}>
            {active.length === 0 ? 'Set a guard' : 'Set another guard'}
          </button>
        </div>
      )}
      {covered?.map(({ guard, coverage }) => (
        <GuardCard key={String(guard.id)} guard={guard} loan={loan.data} coverage={coverage} />
      ))}
    </>
  );
}
