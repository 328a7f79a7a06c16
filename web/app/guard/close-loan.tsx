import { useEffect, useState } from 'react';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { Notice } from '../parts/notice.tsx';
import { guardWords } from '../words/en/guard.ts';
import { saleFormWords } from '../words/en/sale.ts';
import { Funding } from './new-guard.tsx';
import { PayForm } from './pay-form.tsx';
import { canRepayAll, payableMarkets, targetOf } from './payment.ts';
import { whyNotClosing } from './sale-form.ts';
import { SalePart } from './sale-part.tsx';
import type { SetProps } from './set-form.tsx';

interface Props extends SetProps {
  /** The loan with BNB itself as the payment token where the protocol takes it. */
  readonly paid: Loan;
  /** Collateral that could be sold; empty if none. */
  readonly sellable: readonly LoanMarket[];
}

/** Repays a debt at once: by default from the wallet if it holds enough, otherwise by selling collateral. */
export function CloseLoan({ paid, sellable, ...props }: Props) {
  const { loan, markets, close, isStale } = props;
  const [first] = payableMarkets(paid, 'repay');
  const canPay = first !== undefined && canRepayAll(paid, first, first.walletBalance);
  const [by, setBy] = useState<'wallet' | 'sale'>(canPay ? 'wallet' : 'sale');
  const funding = <Funding value={by} onChange={setBy} />;
  // The sale has closed the loan, and its card is gone too. A later loan must start without this form.
  const isSold = by === 'sale' && markets.length === 0;
  useEffect(() => {
    if (isSold) close();
  }, [isSold, close]);
  if (by === 'wallet') {
    return (
      <PayForm
        {...{ loan: paid, close, isStale, funding }}
        kind="repay"
        isWhole={canPay}
        targetHealthWad={targetOf([])}
      />
    );
  }
  if (isSold) return null;
  const repayByHand = (
    <div className="buttons">
      <button type="button" className="button" onClick={() => setBy('wallet')}>
        {guardWords.repay}
      </button>
      <a className="button" href={loan.protocol.url} target="_blank" rel="noreferrer">
        {guardWords.openProtocol(loan.protocol.name)}
      </a>
    </div>
  );
  const refusal = whyNotClosing(loan, sellable);
  if (refusal !== undefined) {
    return (
      <Notice kind="caution" title={saleFormWords.cannotClose} more={refusal}>
        {repayByHand}
      </Notice>
    );
  }
  return <SalePart {...props} {...{ funding }} isClosing collaterals={sellable} instead={repayByHand} />;
}
