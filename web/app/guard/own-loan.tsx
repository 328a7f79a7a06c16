import { isAccountOf, isNativeMarket } from '@bowline/core/domain/lending';
import { collateralsOf } from '@bowline/core/domain/loan-prices';
import type { PaymentKind } from '@bowline/core/domain/own-payments';
import { descending } from '@bowline/core/domain/units';
import { useState } from 'react';
import type { Address } from 'viem';
import { useConnection } from 'wagmi';
import type { Moment } from '../api/age.ts';
import { isReadingOld } from '../api/freshness.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { areWhole, type OwnedGuards } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { useFeeReserve } from '../chain/use-fee-reserve.ts';
import { useNative } from '../chain/use-native.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { paymentWords } from '../words/en/payment.ts';
import { asOfTime } from '../words/times.ts';
import { ClosePart, FundPart, NewGuard, PayPart } from './form-parts.tsx';
import { LoanCard } from './loan-card.tsx';
import { amountToTarget, inBnb, isInDanger, payableMarkets, targetOf } from './payment.ts';

type Form = PaymentKind | 'guard' | 'close' | 'fund';

interface Props {
  readonly borrower: Address;
  /** As last read; undefined if it was never read. */
  readonly loan: (Loan & { readonly readAt: Moment }) | undefined;
  /** Error of the newest reading; undefined if it succeeded. */
  readonly error: Error | undefined;
  /** The borrower's active guards in all protocols; undefined if they could not be read. */
  readonly guards: readonly Covered[] | undefined;
  /** The guards that share the account's approvals; undefined if never read. */
  readonly owned: OwnedGuards | undefined;
  /** Whether the newest reading of `owned` failed or is old. */
  readonly isStale: boolean;
  /** Whether the viewing wallet is the borrower's own; no other may sign for the loan. */
  readonly isOwn: boolean;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
  readonly moment: Moment;
  readonly retry: () => void;
}

/** An account's loan in one protocol, and a form to guard it for the account's own wallet. */
export function OwnLoan({ borrower, loan, error, guards, owned, isStale, isOwn, now, moment, retry }: Props) {
  const [opened, setOpen] = useState<Form>();
  // The wallet may have switched accounts: the `fund` form is for others, the rest for the borrower.
  const open = (opened === 'fund') === isOwn ? undefined : opened;
  const close = () => setOpen(undefined);
  const { contracts } = useSettings();
  const { address } = useConnection();
  const ofLoan = guards?.filter(({ guard }) => loan !== undefined && isAccountOf(loan.protocol, guard));
  // While some guards may not have been found or read, the loan cannot be called unguarded.
  const areUnknown = ofLoan?.length === 0 && owned !== undefined && !areWhole(owned);
  const repayable = loan?.markets.filter(({ debt }) => debt > 0n) ?? [];
  const hasBnb = isOwn && loan?.markets.some(({ market }) => isNativeMarket(loan.protocol, market)) === true;
  const native = useNative(hasBnb ? borrower : undefined);
  const reserve = useFeeReserve(hasBnb);
  const paid = loan && inBnb(loan, native ?? 0n, reserve ?? 0n);
  const isLoanStale = error !== undefined || isReadingOld(loan, moment);
  const hasDebt = loan?.healthWad !== undefined;
  const canSell = contracts.collateralGuard !== undefined && loan?.protocol.collateralAdapter !== undefined;
  // The first, worth most, is proposed.
  const sellable = canSell
    ? (collateralsOf(loan) ?? [])
        .toSorted((a, b) => descending(a.market.supplied * a.part.priceWad, b.market.supplied * b.part.priceWad))
        .map(({ market }) => market)
    : [];
  const set = isOwn &&
    loan &&
    owned && {
      ...{ borrower, loan, owned, close, sellable, markets: repayable, covered: guards },
      isStale: isStale || isLoanStale,
    };
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
        >
          {isOwn && paid && open === undefined && <Actions {...{ loan: paid, setOpen }} guards={ofLoan} />}
          {!isOwn && address && open === undefined && (
            <div className="buttons">
              <button type="button" className="button" onClick={() => setOpen('fund')}>
                {guardWords.payForIt}
                <span className="unseen">{guardWords.forLoan(loan.protocol.name)}</span>
              </button>
            </div>
          )}
        </LoanCard>
      )}
      {/* Not for isolated markets: one without a loan is one of many. */}
      {loan && !hasDebt && loan.protocol.market === undefined && <NoLoan protocol={loan.protocol} />}
      {isOwn && paid && (open === 'repay' || open === 'supply') && (
        <PayPart
          {...{ loan: paid, close }}
          kind={open}
          targetHealthWad={targetOf(ofLoan ?? [])}
          isStale={isLoanStale}
        />
      )}
      {!isOwn && loan && address && open === 'fund' && (
        <FundPart key={address} {...{ loan, close }} funder={address} isStale={isLoanStale} />
      )}
      {set && repayable.length > 0 && open === 'guard' && <NewGuard {...set} />}
      {/* Stays open once nothing is owed, to say that the loan is repaid. */}
      {set && paid && open === 'close' && <ClosePart {...{ ...set, paid }} />}
    </>
  );
}

interface ActionsProps {
  readonly loan: Loan;
  /** Undefined if they could not be read; paying into the loan does not need them. */
  readonly guards: readonly Covered[] | undefined;
  readonly setOpen: (form: Form) => void;
}

/** The owner's actions on a loan. In danger, the first button is the one that helps at once. */
function Actions({ loan, guards, setOpen }: ActionsProps) {
  const isDanger = isInDanger(loan, guards ?? []);
  const [first] = payableMarkets(loan, 'repay');
  const amount = first && isDanger ? amountToTarget(loan, 'repay', first, targetOf(guards ?? [])) : 0n;
  const isGuarded = guards !== undefined && guards.length > 0;
  const guardLook = isGuarded ? ' quiet' : isDanger ? '' : ' primary';
  const button = (form: Form, name: string, look = '') => (
    <button type="button" className={`button${look}`} onClick={() => setOpen(form)}>
      {name}
      {/* Without this, only sight tells the buttons of several loans apart. */}
      <span className="unseen">{guardWords.forLoan(loan.protocol.name)}</span>
    </button>
  );
  return (
    <div className="buttons">
      {first &&
        button(
          'repay',
          amount > 0n ? paymentWords.repayStep(moneyOf(first).cost(amount)) : guardWords.repay,
          isDanger ? ' primary' : '',
        )}
      {payableMarkets(loan, 'supply').length > 0 && button('supply', guardWords.addCollateral)}
      {/* If a guard exists, fixing it takes precedence. */}
      {first && guards && button('guard', isGuarded ? guardWords.setAnother : guardWords.set, guardLook)}
      {first && guards && button('close', guardWords.closeNow, isDanger ? '' : ' quiet')}
    </div>
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
