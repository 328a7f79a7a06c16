import { isAccountOf } from '@bowline/core/domain/lending';
import { collateralsOf } from '@bowline/core/domain/loan-prices';
import { useState } from 'react';
import type { Address } from 'viem';
import type { Moment } from '../api/age.ts';
import { isReadingOld } from '../api/freshness.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { areWhole, type OwnedGuards } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { useSettings } from '../settings.tsx';
import { guardWords } from '../words/en/guard.ts';
import { asOfTime } from '../words/times.ts';
import { LoanCard } from './loan-card.tsx';
import { SalePart } from './sale-part.tsx';
import { SetGuard } from './set-guard.tsx';
import { Simulator } from './simulator.tsx';

interface Props {
  readonly borrower: Address;
  /** As last read; undefined if it was never read. */
  readonly loan: (Loan & { readonly readAt: Moment }) | undefined;
  /** Of the newest reading; undefined if it succeeded. */
  readonly error: Error | undefined;
  /** The borrower's active guards in all protocols; undefined if they could not be read. */
  readonly guards: readonly Covered[] | undefined;
  /** What the account's approvals are shared by; undefined if never read. */
  readonly owned: OwnedGuards | undefined;
  /** Whether the newest reading of `owned` failed or is old. */
  readonly isStale: boolean;
  /** Whether the borrower's own wallet looks at it; no other may sign for it. */
  readonly isOwn: boolean;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
  readonly moment: Moment;
  readonly retry: () => void;
}

/** An account's loan in one protocol, and for its own wallet a form that guards it. */
export function OwnLoan({ borrower, loan, error, guards, owned, isStale, isOwn, now, moment, retry }: Props) {
  const [isSetting, setSetting] = useState(false);
  const [isSelling, setSelling] = useState(false);
  const { contracts } = useSettings();
  const ofLoan = guards?.filter(({ guard }) => loan !== undefined && isAccountOf(loan.protocol, guard));
  // While the account may have guards that were not found or not read, nobody knows that the loan has none.
  const areUnknown = ofLoan?.length === 0 && owned !== undefined && !areWhole(owned);
  const repayable = loan?.markets.filter(({ debt }) => debt > 0n) ?? [];
  const isLoanStale = error !== undefined || isReadingOld(loan, moment);
  const hasDebt = loan?.healthWad !== undefined;
  const canSell = contracts.collateralGuard !== undefined && loan?.protocol.collateralAdapter !== undefined;
  const sellable = canSell ? (collateralsOf(loan) ?? []).map(({ market }) => market) : [];
  // Buttons of several loans are told apart by eye alone otherwise.
  const whichLoan = loan && <span className="unseen">{guardWords.forLoan(loan.protocol.name)}</span>;
  return (
    <>
      {error && <ReadFailed what={loan ? guardWords.newestLoan : guardWords.theLoan} error={error} retry={retry} />}
      {loan && hasDebt && (
        <LoanCard
          loan={loan}
          guards={areUnknown ? undefined : ofLoan}
          asOf={isReadingOld(loan, moment) ? asOfTime(loan.readAt.wall) : undefined}
          now={now}
          isOwn={isOwn}
        />
      )}
      {loan && hasDebt && !isReadingOld(loan, moment) && (
        <Simulator loan={loan} guards={ofLoan?.map(({ guard }) => guard) ?? []} />
      )}
      {/* An isolated market without a loan is one of many. */}
      {loan && !hasDebt && loan.protocol.market === undefined && <NoLoan protocol={loan.protocol} />}
      {isOwn && loan && owned && repayable.length > 0 && isSetting && (
        <SetGuard
          borrower={borrower}
          loan={loan}
          markets={repayable}
          owned={owned}
          covered={guards}
          isStale={isStale || isLoanStale}
          close={() => setSetting(false)}
        />
      )}
      {isOwn && loan && owned && repayable.length > 0 && sellable.length > 0 && isSelling && (
        <SalePart
          {...{ borrower, loan, owned }}
          markets={repayable}
          collaterals={sellable}
          covered={guards}
          isStale={isStale || isLoanStale}
          close={() => setSelling(false)}
        />
      )}
      {isOwn && ofLoan && hasDebt && repayable.length > 0 && !isSetting && !isSelling && (
        <div className="buttons">
          <button
            type="button"
            // Where a guard exists, what mends it comes first.
            className={ofLoan.length === 0 ? 'button primary' : 'button quiet'}
            onClick={() => setSetting(true)}
          >
            {ofLoan.length === 0 ? guardWords.set : guardWords.setAnother}
            {whichLoan}
          </button>
          {sellable.length > 0 && (
            <button type="button" className="button quiet" onClick={() => setSelling(true)}>
              {guardWords.setSale}
              {whichLoan}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function NoLoan({ protocol }: Pick<Loan, 'protocol'>) {
  return (
    <div className="empty">
      <h2>{guardWords.noLoan}</h2>
      <p>{guardWords.noLoanMore(protocol.scope)}</p>
      <a className="button" href={protocol.url} target="_blank" rel="noreferrer">
        {guardWords.openProtocol(protocol.name)}
      </a>
    </div>
  );
}
