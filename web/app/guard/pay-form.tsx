import { isNativeMarket } from '@bowline/core/domain/lending';
import type { PaymentKind } from '@bowline/core/domain/own-payments';
import { smallest } from '@bowline/core/domain/units';
import { type ReactNode, useState } from 'react';
import { useConnection } from 'wagmi';
import { isShown } from '../chain/proof.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { useFeeReserve } from '../chain/use-fee-reserve.ts';
import { useHeld } from '../chain/use-held.ts';
import { type Progress, useSteps } from '../chain/use-steps.ts';
import { AmountField } from '../parts/amount-field.tsx';
import { FormCard } from '../parts/form-card.tsx';
import { Notice } from '../parts/notice.tsx';
import { TransactionShown } from '../parts/transaction-shown.tsx';
import { WhatCanHappen } from '../parts/what-can-happen.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf, shortCost } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { paymentWords } from '../words/en/payment.ts';
import { formState } from '../words/form-state.ts';
import {
  amountToTarget,
  canRepayAll,
  payableMarkets,
  paymentSteps,
  paymentSummary,
  readPayment,
  spareBnb,
  textOf,
} from './payment.ts';
import { Found, MarketChoice } from './set-form.tsx';
import { usePlace } from './use-place.ts';
import { useTried } from './use-tried.ts';

interface Props {
  readonly loan: Loan;
  readonly kind: PaymentKind;
  /** The health that the initial amount restores. */
  readonly targetHealthWad: bigint;
  /** Whether the newest reading of the loan failed or is old. */
  readonly isStale: boolean;
  readonly close: () => void;
  /** Whether the form starts with the whole debt, as MAX does, if the wallet can repay it. */
  readonly isWhole?: boolean;
  /** The choice of what pays; absent where there is none. */
  readonly funding?: ReactNode;
}

/** A borrower's own repayment or deposit, at the protocol's own contract. */
export function PayForm({ loan, kind, targetHealthWad, isStale, close, isWhole = false, funding }: Props) {
  const { name } = loan.protocol;
  const title = kind === 'repay' ? paymentWords.repayTitle(name) : paymentWords.supplyTitle(name);
  const tx = useSteps(`${kind}-${name}`);
  const [markets] = useState(() => payableMarkets(loan, kind).map(({ market }) => market));
  const [chosen, setChosen] = useState(markets[0]);
  const market = loan.markets.find((each) => each.market === chosen);
  if (tx.isEarlier || tx.progress.state === 'done') {
    const isUnpaid = tx.progress.state === 'done' && !isPaid(tx.progress);
    if (isUnpaid) return <Notice kind="bad" title={paymentWords.notShown} />;
    const done = kind === 'repay' ? paymentWords.repaid : paymentWords.added;
    return <TransactionShown {...{ title, close, done, progress: tx.progress }} again={tx.reset} />;
  }
  if (market === undefined) return null;
  return (
    <Fields
      key={market.market}
      {...{ loan, kind, market, isStale, close, title, tx }}
      isWhole={isWhole && canRepayAll(loan, market, market.walletBalance)}
      begins={amountToTarget(loan, kind, market, targetHealthWad)}
    >
      {funding}
      <MarketChoice
        {...{ market, choose: setChosen }}
        // In the order of when the form opened: a payment does not reorder them.
        markets={markets.flatMap((each) => loan.markets.find((of) => of.market === each) ?? [])}
        label={kind === 'repay' ? paymentWords.debt : paymentWords.collateral}
      />
    </Fields>
  );
}

interface FieldsProps extends Omit<Props, 'targetHealthWad' | 'funding'> {
  readonly market: LoanMarket;
  readonly title: string;
  readonly tx: ReturnType<typeof useSteps>;
  /** Base units. */
  readonly begins: bigint;
  readonly children: ReactNode;
}

/** The form of one market. */
function Fields({ loan, kind, market, isStale, close, title, tx, begins, isWhole = false, children }: FieldsProps) {
  const { chainId } = useSettings();
  const connection = useConnection();
  const [typed, setTyped] = useState({ text: textOf(begins, market), isWhole });
  const { data: wallet } = useHeld(loan.borrower, market.token);
  const isNative = isNativeMarket(loan.protocol, market.market);
  const reserve = useFeeReserve(isNative);
  const spare = wallet && reserve !== undefined ? spareBnb(wallet.native, reserve) : undefined;
  const isUnknown = isNative && spare === undefined;
  const held = isNative ? (spare ?? 0n) : (wallet?.held ?? market.walletBalance);
  const asked = { kind, market, ...typed };
  const read = readPayment(loan, asked, held);
  const { amount, after } = read;
  const error = isUnknown ? undefined : read.error;
  const { data: found, isError } = usePlace(loan, kind, market);
  const place = found?.place;
  const refusal = place?.refusal && paymentWords.refusals[place.refusal](loan.protocol.name);
  const steps =
    amount !== undefined && found && refusal === undefined
      ? () => paymentSteps(asked, amount, found.place, loan.borrower, found.allowance)
      : undefined;
  const key = steps && JSON.stringify([kind, market.market, typed, String(found?.allowance)]);
  const tried = useTried(key, loan.borrower, steps);
  const canPayWhole = kind === 'repay' && canRepayAll(loan, market, held);
  const max = textOf(kind === 'repay' ? smallest([market.debt, held]) : held, market);
  const payment = amount === undefined ? undefined : place?.pay(amount, typed.isWhole);
  const state = formState({
    ...{ action: actionOf(kind, isNative), pay: market },
    ...{ isSigning: tx.isBusy, isOtherNetwork: connection.chainId !== chainId, missing: error },
    waitsFor: place === undefined || isStale || isUnknown ? paymentWords.reading : undefined,
    ...{ needed: amount, held, fee: tried.data?.cost?.wei },
    native: wallet && wallet.native - (payment?.call.value ?? 0n),
    isRefused: refusal !== undefined || (!tried.isError && tried.data?.refused !== undefined),
  });
  return (
    <FormCard
      {...{ title, close, state, isBusy: tx.isBusy, progress: tx.progress }}
      spender={refusal === undefined && !isNative ? place?.spender : undefined}
      waits={undefined}
      submit={() => steps && void tx.run(steps())}
      beside={
        <>
          <WhatCanHappen
            sentences={
              amount !== undefined && payment ? paymentSummary(asked, loan, amount, after, payment) : undefined
            }
          />
          {refusal && (
            <Notice kind="bad" title={refusal}>
              <a className="button" href={loan.protocol.url} target="_blank" rel="noreferrer">
                {guardWords.openProtocol(loan.protocol.name)}
              </a>
            </Notice>
          )}
          {isError && !found && <Notice kind="caution" title={paymentWords.unread} />}
          {tried.data && !tried.isError && <Found {...tried.data} />}
          {steps && tried.isError && <p className="faint">{partWords.notTried}</p>}
        </>
      }
    >
      {children}
      <AmountField
        {...{ pay: market, error }}
        held={isNative ? wallet?.native : held}
        label={paymentWords.amount}
        value={typed.isWhole ? textOf(market.debt, market) : typed.text}
        onChange={(text) => setTyped({ text, isWhole: canPayWhole && text === max })}
        unit={market.symbol}
        max={max === '' ? undefined : max}
        hint={hintOf(kind, market, isNative ? reserve : undefined)}
      />
    </FormCard>
  );
}

/** @param reserve the BNB that MAX leaves; undefined for another token. */
function hintOf(kind: PaymentKind, market: LoanMarket, reserve: bigint | undefined): string {
  const { amount, cost } = moneyOf(market);
  const stands =
    kind === 'repay' ? paymentWords.owed(cost(market.debt)) : paymentWords.supplied(amount(market.supplied));
  return reserve === undefined ? stands : partWords.maxKeeps(shortCost(reserve, market.decimals), stands);
}

function actionOf(kind: PaymentKind, isNative: boolean): string {
  if (isNative) return kind === 'repay' ? guardWords.repay : guardWords.addCollateral;
  return kind === 'repay' ? paymentWords.repay : paymentWords.supply;
}

/** Venus reports some refusals by a code while the transaction succeeds, so only the receipt proves a payment. */
function isPaid({ steps, owner, receipts }: Progress & { readonly state: 'done' }): boolean {
  const proof = steps.at(-1)?.proof;
  // A payment made before the page was loaded has no receipt here.
  return proof === undefined || receipts.length === 0 || isShown(proof, owner, receipts);
}
