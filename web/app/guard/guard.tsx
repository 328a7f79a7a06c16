import { useState } from 'react';
import type { Address } from 'viem';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { GuardCard } from './guard-card.tsx';
import { LoanCard } from './loan-card.tsx';
import { SetGuard } from './set-guard.tsx';
import { StopEverything } from './stop-everything.tsx';
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
  const loan = useLoan(borrower);
  const guards = useGuards(borrower);
  const [isSetting, setSetting] = useState(false);
  if (loan.isPending || guards.isPending) return <Skeleton label="Reading your loan" />;
  if (loan.data === undefined) return <ReadFailed what="Your loan" retry={() => void loan.refetch()} />;
  if (guards.data === undefined) return <ReadFailed what="Your guards" retry={() => void guards.refetch()} />;
  const hasDebt = loan.data.healthWad !== undefined;
  const repayable = loan.data.markets.filter(({ debt }) => debt > 0n);
  const active = guards.data.guards.filter(({ status }) => status === 'active');
  return (
    <>
      {(loan.isError || guards.isError) && (
        <ReadFailed what="The newest state of your loan" retry={() => void loan.refetch()} />
      )}
      {hasDebt ? (
        <LoanCard loan={loan.data} guards={active} />
      ) : (
        <div className="empty">
          <h2>No loan to guard</h2>
          <p>This account owes nothing in Venus’s core pool. Once it has borrowed there, its health is shown here.</p>
          <a className="button" href="https://app.venus.io/" target="_blank" rel="noreferrer">
            Open Venus
          </a>
        </div>
      )}
      {hasDebt && repayable.length > 0 && isSetting && (
        <SetGuard
          borrower={borrower}
          loan={loan.data}
          markets={repayable}
          guards={active}
          close={() => setSetting(false)}
        />
      )}
      {hasDebt && repayable.length > 0 && !isSetting && (
        <div className="buttons">
          <button type="button" className="button primary" onClick={() => setSetting(true)}>
            {active.length === 0 ? 'Set a guard' : 'Set another guard'}
          </button>
        </div>
      )}
      {guards.data.guards.map((guard) => (
        <GuardCard key={String(guard.id)} guard={guard} loan={loan.data} />
      ))}
      <StopEverything owner={borrower} loan={loan.data} guards={active} />
    </>
  );
}
