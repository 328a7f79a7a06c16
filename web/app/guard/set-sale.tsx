import { guardContractAt } from '@bowline/core/domain/guard-key';
import { mulDivDown, mulDivUp, WAD } from '@bowline/core/domain/units';
import { useState } from 'react';
import type { Address, Hex } from 'viem';
import type { LoanMarket } from '../chain/read-loan.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { Folded } from '../parts/folded.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf } from '../words/amounts.ts';
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
  suggestedSale,
} from './sale-form.ts';
import { nextRescueCall, saleSteps } from './sale-steps.ts';
import { inputsOf, MarketChoice, SetForm, type SetProps } from './set-form.tsx';
import { sharedBy } from './shared-approval.ts';
import { useDeposit } from './use-deposit.ts';

interface Props extends SetProps {
  /** Markets with collateral that counts: none is empty. */
  readonly collaterals: readonly LoanMarket[];
}

/** A form for a guard that sells some of the loan's collateral. */
export function SetSale({ markets, collaterals, isExtending = false, funding, ...props }: Props) {
  const { borrower, loan, owned, replaces, isClosing = false } = props;
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
  const deposit = useDeposit(adapter, borrower, collateral.market, spender);
  const approved = deposit && mulDivDown(deposit.allowance, deposit.rateWad, WAD);
  const own = replaces && saleFormOf(replaces, { debt, collateral }, approved, isExtending, now);
  const begun = isClosing
    ? closingSale(loan, { debt, collateral }, typed.costPercent)
    : suggestedSale(debt, collateral);
  const form = { ...(own ?? begun), ...typed };
  const set = (changes: Partial<typeof form>) => setTyped({ ...typed, ...changes });
  const { draft, errors, warnings } = readSaleForm(form, { debt, collateral }, loan, owned.guards, now ?? 0n, replaces);
  const { field } = inputsOf(form, set, errors);
  const steps =
    draft && deposit && now !== undefined
      ? () => saleSteps(draft, { borrower, adapter, contracts, deposit, now, replaces })
      : undefined;
  const receipts = draft && deposit && mulDivUp(draft.sellAtMost, WAD, deposit.rateWad);
  const paid = deposit && { token: deposit.receipt, symbol: guardWords.receipts, allowance: deposit.allowance };
  // If the amount equals the approval, exactly that is already approved.
  const total = draft?.sellAtMost === approved ? deposit?.allowance : receipts;
  const shared = paid && sharedBy(owned, paid, total, now, replaces);
  const summary = (of: NonNullable<typeof draft>, at: bigint) =>
    isClosing
      ? closingSummary(of, loan, markets.length > 1, at)
      : saleSummary(of, loan, warnings, at, replaces?.keeper);
  return (
    <SetForm
      {...{ ...props, market: debt, spender, steps, errors, place: isClosing ? 'close' : 'new-sale' }}
      title={isClosing ? saleFormWords.closeTitle : saleFormWords.title}
      lead={isClosing ? saleFormWords.closeLead : saleFormWords.lead}
      {...(isClosing && {
        says: [saleFormWords.act, saleFormWords.closing] as const,
        rescue: { call: (client) => nextRescueCall(client, contracts), owed: debt.debt },
      })}
      signed={[form, debt.market, collateral.market, String(deposit?.allowance)]}
      waits={steps === undefined ? saleFormWords.reading : undefined}
      triggerHealthWad={draft?.triggerHealthWad}
      sentences={draft && now !== undefined ? summary(draft, now) : undefined}
    >
      <div className="form-part">
        {funding}
        {!isClosing && field('trigger', guardWords.triggerField, guardWords.healthUnit, saleFormWords.triggerHint)}
        {!isClosing && field('sellAtMost', saleFormWords.sellAtMost, collateral.symbol, saleFormWords.sellAtMostHint)}
        <MarketChoice
          {...{ market: collateral, markets: collaterals, label: saleFormWords.sell }}
          choose={(market) => choose({ collateral: market })}
        />
      </div>
      <More {...{ form, set, errors, markets, debt, choose, replaces, now }} />
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

interface MoreProps extends Pick<SetProps, 'markets'> {
  readonly form: typeof blankSale;
  readonly set: (changes: Partial<typeof blankSale>) => void;
  readonly errors: ReturnType<typeof readSaleForm>['errors'];
  readonly debt: LoanMarket;
  readonly choose: (changes: { readonly debt: Hex }) => void;
  readonly replaces: SetProps['replaces'] | undefined;
  readonly now: bigint | undefined;
}

/** The rest of its terms. */
function More({ form, set, errors, markets, debt, choose, replaces, now }: MoreProps) {
  const { field, choice } = inputsOf(form, set, errors);
  return (
    <Folded summary={partWords.moreOptions} isOpen={replaces !== undefined}>
      <div className="form-part">
        <MarketChoice
          {...{ market: debt, markets, label: guardWords.repayWith }}
          choose={(market) => choose({ debt: market })}
        />
        {form.goal !== 'close' &&
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
