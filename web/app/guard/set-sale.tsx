import { guardContractAt } from '@bowline/core/domain/guard-key';
import { shortAddress } from '@bowline/core/domain/readable';
import { mulDivDown, mulDivUp, WAD } from '@bowline/core/domain/units';
import { useState } from 'react';
import type { Address, Hex } from 'viem';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { Folded } from '../parts/folded.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf } from '../words/amounts.ts';
import { fundingWords } from '../words/en/funding.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { saleFormWords } from '../words/en/sale.ts';
import { termsWith } from './guard-form.ts';
import {
  type blankSale,
  closingSale,
  closingSummary,
  poolFeesWith,
  readSaleForm,
  saleFormOf,
  saleSummary,
  savingsSummary,
  suggestedSale,
  suggestedSavings,
} from './sale-form.ts';
import { nextRescueCall, saleSteps, saleTermsOf } from './sale-steps.ts';
import { inputsOf, MarketChoice, SetForm, type SetProps } from './set-form.tsx';
import { sharedBy } from './shared-approval.ts';
import { SignConsent } from './sign-consent.tsx';
import { useDeposit } from './use-deposit.ts';

interface Props extends SetProps {
  /** Markets with a deposit above zero that could be sold. */
  readonly collaterals: readonly LoanMarket[];
  /** The funder's own account in the protocol, which holds the deposits. Absent: they are the borrower's. */
  readonly payer?: Loan | undefined;
}

/** A form for a guard that sells some of the loan's collateral, or of another account's deposit. */
export function SetSale({ markets, collaterals, payer, isExtending = false, funding, ...props }: Props) {
  const { borrower, funder, loan, owned, replaces, isClosing = false } = props;
  const { contracts } = useSettings();
  const now = useChainTime();
  const [chosen, setChosen] = useState<{ debt?: Hex; collateral?: Hex }>({});
  const [typed, setTyped] = useState<Partial<typeof blankSale>>({});
  const of = (all: readonly LoanMarket[], market: Hex | undefined) =>
    (all.find((each) => each.market === market) ?? all[0]) as LoanMarket;
  const [debt, collateral] = [of(markets, chosen.debt), of(collaterals, chosen.collateral)];
  const choose = (changes: typeof chosen) => {
    setChosen({ ...chosen, ...changes });
    const { capPerRescue: _, sellAtMost: __, ...others } = typed;
    setTyped(others);
  };
  const adapter = loan.protocol.collateralAdapter as Address;
  const spender = guardContractAt(contracts, 'collateral-0');
  const deposit = useDeposit(adapter, funder ?? borrower, collateral.market, spender);
  const approved = deposit && mulDivDown(deposit.allowance, deposit.rateWad, WAD);
  const own = replaces && saleFormOf(replaces, { debt, collateral }, approved, isExtending, now);
  const begun = isClosing
    ? closingSale(loan, { debt, collateral }, typed.costPercent)
    : payer
      ? suggestedSavings({ parts: [...(loan.parts ?? []), ...(payer.parts ?? [])] }, { debt, collateral })
      : suggestedSale(debt, collateral);
  const form = { ...(own ?? begun), ...typed };
  const set = (changes: Partial<typeof form>) => setTyped({ ...typed, ...changes });
  const { draft, errors, warnings } = readSaleForm(form, { debt, collateral }, loan, owned.guards, now ?? 0n, replaces);
  const { field } = inputsOf(form, set, errors);
  const context = now === undefined ? undefined : { borrower, funder, adapter, contracts, now, replaces };
  const steps = draft && deposit && context ? () => saleSteps(draft, { ...context, deposit }) : undefined;
  const receipts = draft && deposit && mulDivUp(draft.sellAtMost, WAD, deposit.rateWad);
  const paid = deposit && { token: deposit.receipt, symbol: guardWords.receipts, allowance: deposit.allowance };
  // If the amount equals the approval, exactly that is already approved.
  const total = draft?.sellAtMost === approved ? deposit?.allowance : receipts;
  const shared = paid && sharedBy(owned, paid, total, now, replaces);
  const summary = (of: NonNullable<typeof draft>, at: bigint) =>
    isClosing
      ? closingSummary(of, loan, markets.length > 1, at)
      : payer
        ? savingsSummary(of, loan, warnings, at, payer.healthWad !== undefined)
        : saleSummary(of, loan, warnings, at, replaces?.keeper);
  const said = wordsOf(props);
  return (
    <SetForm
      {...{ ...props, market: debt, spender, steps, errors, isSale: true }}
      {...said.form}
      {...(isClosing && { rescue: { call: (client) => nextRescueCall(client, contracts), owed: debt.debt } })}
      {...(funder && draft && context && { next: <SignConsent terms={saleTermsOf(draft, context)} /> })}
      signed={[form, debt.market, collateral.market, String(deposit?.allowance)]}
      waits={steps === undefined ? saleFormWords.reading : undefined}
      triggerHealthWad={draft?.triggerHealthWad}
      sentences={draft && now !== undefined ? summary(draft, now) : undefined}
    >
      <div className="form-part">
        {funding}
        {!isClosing && field('trigger', guardWords.triggerField, guardWords.healthUnit, said.hint)}
        {!isClosing && field('sellAtMost', said.most, collateral.symbol, saleFormWords.sellAtMostHint)}
        <MarketChoice
          {...{ market: collateral, markets: collaterals, label: said.sold }}
          choose={(market) => choose({ collateral: market })}
        />
      </div>
      <More {...{ form, set, errors, markets, debt, choose, replaces, now }} isOwn={payer === undefined} />
      {shared && (
        <Notice
          kind="caution"
          title={shared}
          more={guardWords.sharedMore(moneyOf(collateral).amount(approved ?? 0n))}
        />
      )}
    </SetForm>
  );
}

/** The form's words for a new guard, for closing a loan, and for an account other than the borrower. */
function wordsOf({ borrower, funder, isClosing }: Pick<SetProps, 'borrower' | 'funder' | 'isClosing'>) {
  const { title, lead, closeTitle, closeLead, close, closing, sell: sold, sellAtMost: most } = saleFormWords;
  const own = { sold, most, hint: saleFormWords.triggerHint };
  if (isClosing) {
    return { ...own, form: { place: 'close', title: closeTitle, lead: closeLead, says: [close, closing] as const } };
  }
  if (funder === undefined) return { ...own, form: { place: 'new-sale', title, lead } };
  const { approve, approved, deposit } = fundingWords;
  const of = { title: fundingWords.title(shortAddress(borrower)), lead: fundingWords.lead };
  const form = { ...of, place: `fund-sale-${borrower}`, says: [approve, approved] as const };
  return { form, sold: deposit, most: guardWords.total, hint: undefined };
}

interface MoreProps extends Pick<SetProps, 'markets'> {
  readonly form: typeof blankSale;
  readonly set: (changes: Partial<typeof blankSale>) => void;
  readonly errors: ReturnType<typeof readSaleForm>['errors'];
  readonly debt: LoanMarket;
  readonly choose: (changes: { readonly debt: Hex }) => void;
  readonly replaces: SetProps['replaces'] | undefined;
  readonly now: bigint | undefined;
  /** Whether the loan's own collateral pays. */
  readonly isOwn: boolean;
}

/** The rest of its terms. */
function More({ form, set, errors, markets, debt, choose, replaces, now, isOwn }: MoreProps) {
  const { field, choice } = inputsOf(form, set, errors);
  return (
    <Folded summary={partWords.moreOptions} isOpen={replaces !== undefined}>
      <div className="form-part">
        <MarketChoice
          {...{ market: debt, markets, label: guardWords.repayWith }}
          choose={(market) => choose({ debt: market })}
        />
        {isOwn &&
          form.goal !== 'close' &&
          choice('goal', saleFormWords.goal, [
            { value: 'restore', name: saleFormWords.restore },
            { value: 'unwind', name: saleFormWords.unwind },
          ])}
        <div className="two">
          {form.goal === 'restore' && field('target', guardWords.restoreTo, guardWords.healthUnit)}
          {field('costPercent', saleFormWords.cost, '%', saleFormWords.costHint)}
          {form.goal !== 'close' && field('capPerRescue', guardWords.maxPerRescue, debt.symbol)}
        </div>
        {choice('poolFee', saleFormWords.pool, poolFeesWith(form.poolFee))}
        {form.goal !== 'close' && choice('days', guardWords.duration, termsWith(replaces?.expiresAt, now), errors.days)}
      </div>
    </Folded>
  );
}
