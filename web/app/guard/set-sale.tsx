import { formatBps } from '@bowline/core/domain/units';
import { useState } from 'react';
import type { Address, Hex } from 'viem';
import { useConnection } from 'wagmi';
import type { OwnedGuards } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useHeld } from '../chain/use-held.ts';
import { useSteps } from '../chain/use-steps.ts';
import { ActShown } from '../parts/act-shown.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { Spender } from '../parts/spender.tsx';
import { WhatCanHappen } from '../parts/what-can-happen.tsx';
import { useSettings } from '../settings.tsx';
import { guardWords } from '../words/en/guard.ts';
import { saleFormWords } from '../words/en/sale.ts';
import { formState } from '../words/form-state.ts';
import { termsWith } from './guard-form.ts';
import { type blankSale, POOL_FEES, readSaleForm, saleSummary, suggestedSale } from './sale-form.ts';
import { saleSteps } from './sale-steps.ts';
import { mustWait } from './shared-approval.ts';
import { useDeposit } from './use-deposit.ts';
import { useTried } from './use-tried.ts';

interface Props {
  readonly borrower: Address;
  readonly loan: Loan;
  /** Markets with debt, and those with collateral that counts: neither is empty. */
  readonly debts: readonly LoanMarket[];
  readonly collaterals: readonly LoanMarket[];
  readonly owned: OwnedGuards;
  /** Whether the newest reading of `owned` or `loan` failed or is old. */
  readonly isStale: boolean;
  readonly close: () => void;
}

/** A form for a guard that sells some of the loan's collateral. */
export function SetSale({ borrower, loan, debts, collaterals, owned, isStale, close }: Props) {
  const form = useSaleForm(debts, collaterals);
  const act = useSaleAct({ borrower, loan, owned, isStale, ...form });
  const heading = `new-sale-${loan.protocol.name}`;
  if (act.isEarlier || act.progress.state === 'done') {
    return (
      <ActShown
        {...{ progress: act.progress, close }}
        done={guardWords.onChain}
        title={guardWords.setTitle}
        again={act.reset}
      />
    );
  }
  return (
    <section className="card" aria-labelledby={heading}>
      <div className="card-head">
        <div>
          <h2 id={heading}>{saleFormWords.title}</h2>
          <p className="faint">{saleFormWords.lead}</p>
        </div>
        <button type="button" className="button quiet" onClick={close} disabled={act.isBusy}>
          {guardWords.close}
        </button>
      </div>
      <form
        className="split"
        onSubmit={(event) => {
          event.preventDefault();
          act.sign();
        }}
      >
        <SaleFields {...form} {...{ debts, collaterals, errors: act.errors }} />
        <div className="stack">
          <WhatCanHappen sentences={act.sentences} />
          {act.refused && (
            <Notice kind="bad" title={guardWords.wouldRefuse}>
              <p>{act.refused}</p>
            </Notice>
          )}
        </div>
        <div className="form">
          <button type="submit" className="button primary wide" disabled={!act.state.isReady}>
            {act.state.label}
          </button>
          {act.isUnsure && <p className="field-hint">{guardWords.mustWait}</p>}
          {act.spender && <Spender address={act.spender} />}
          <Signing progress={act.progress} done={guardWords.onChain} />
        </div>
      </form>
    </section>
  );
}

/** The fields and the two markets that they are of. */
function useSaleForm(debts: readonly LoanMarket[], collaterals: readonly LoanMarket[]) {
  const of = (all: readonly LoanMarket[], chosen: Hex | undefined) =>
    (all.find(({ market }) => market === chosen) ?? all[0]) as LoanMarket;
  const [chosen, setChosen] = useState<{ debt?: Hex; collateral?: Hex }>({});
  const [debt, collateral] = [of(debts, chosen.debt), of(collaterals, chosen.collateral)];
  const [form, setForm] = useState(() => suggestedSale(debt, collateral));
  return {
    ...{ form, debt, collateral },
    set: (changes: Partial<typeof blankSale>) => setForm({ ...form, ...changes }),
    choose: (changes: { debt?: Hex; collateral?: Hex }) => {
      const next = { ...chosen, ...changes };
      setChosen(next);
      const { capPerRescue, sellAtMost } = suggestedSale(of(debts, next.debt), of(collaterals, next.collateral));
      setForm({ ...form, capPerRescue, sellAtMost });
    },
  };
}

type SaleForm = ReturnType<typeof useSaleForm>;

interface ActOptions extends SaleForm, Pick<Props, 'borrower' | 'loan' | 'owned' | 'isStale'> {}

/** What the form would sign, whether it can, and what becomes of it. */
function useSaleAct({ borrower, loan, owned, isStale, form, debt, collateral }: ActOptions) {
  const { contracts, chainId } = useSettings();
  const { collateralGuard, priceSource } = contracts;
  const { collateralAdapter: adapter } = loan.protocol;
  const connection = useConnection();
  const now = useChainTime();
  const deposit = useDeposit(adapter, borrower, collateral.market);
  const { progress, isBusy, isEarlier, run, reset } = useSteps(`new-sale-${loan.protocol.name}`);
  const { draft, errors, warnings } = readSaleForm(form, { debt, collateral }, loan, owned.guards, now ?? 0n);
  const isUnsure = mustWait(owned, isStale);
  const steps =
    draft && deposit && adapter && collateralGuard && now !== undefined
      ? () => saleSteps(draft, { borrower, adapter, collateralGuard, priceSource, deposit, now })
      : undefined;
  const key = steps && JSON.stringify([form, debt.market, collateral.market]);
  const tried = useTried(key, borrower, steps);
  const found = key !== undefined && !tried.isError ? tried.data : undefined;
  const { data: wallet } = useHeld(borrower, debt.token);
  const state = formState({
    ...{ act: guardWords.approveAndSet, isSigning: isBusy, isOtherNetwork: connection.chainId !== chainId },
    missing: Object.values(errors).find((error) => error !== undefined),
    waitsFor: steps === undefined || isUnsure ? saleFormWords.reading : undefined,
    ...{ pay: undefined, needed: undefined, held: undefined },
    ...{ fee: found?.cost?.wei, native: wallet?.native, isRefused: found?.refused !== undefined },
  });
  return {
    ...{ progress, isBusy, isEarlier, reset, errors, state, isUnsure, spender: collateralGuard },
    refused: found?.refused?.words,
    sentences: draft && saleSummary(draft, loan, warnings),
    sign: () => {
      if (state.isReady && steps) void run(steps());
    },
  };
}

interface FieldProps extends SaleForm, Pick<Props, 'debts' | 'collaterals'> {
  readonly errors: ReturnType<typeof readSaleForm>['errors'];
}

const optionsOf = (all: readonly LoanMarket[]) => all.map(({ market, symbol }) => ({ value: market, name: symbol }));

function SaleFields({ form, set, choose, debt, collateral, debts, collaterals, errors }: FieldProps) {
  return (
    <div className="form">
      <div className="form-part">
        <Choice
          label={saleFormWords.sell}
          options={optionsOf(collaterals)}
          value={collateral.market}
          onChange={(market) => choose({ collateral: market })}
        />
        <Choice
          label={guardWords.repayWith}
          options={optionsOf(debts)}
          value={debt.market}
          onChange={(market) => choose({ debt: market })}
        />
        <Choice
          label={saleFormWords.goal}
          options={[
            { value: 'restore', name: saleFormWords.restore },
            { value: 'unwind', name: saleFormWords.unwind },
          ]}
          value={form.goal}
          onChange={(goal) => set({ goal })}
        />
      </div>
      <div className="form-part">
        <SaleNumbers {...{ form, set, debt, collateral, errors }} />
        <Choice
          label={saleFormWords.pool}
          options={POOL_FEES.map((fee) => ({ value: fee, name: formatBps(BigInt(fee) / 100n) }))}
          value={form.poolFee}
          onChange={(poolFee) => set({ poolFee })}
        />
        <Choice
          label={guardWords.duration}
          options={termsWith(undefined, undefined)}
          value={form.days}
          onChange={(days) => set({ days })}
        />
      </div>
    </div>
  );
}

type NumberProps = Pick<FieldProps, 'form' | 'set' | 'debt' | 'collateral' | 'errors'>;

function SaleNumbers({ form, set, debt, collateral, errors }: NumberProps) {
  return (
    <div className="two">
      <Field
        label={guardWords.trigger}
        value={form.trigger}
        onChange={(trigger) => set({ trigger })}
        unit={guardWords.healthUnit}
        error={errors.trigger}
        hint={saleFormWords.triggerHint}
      />
      {form.goal === 'restore' && (
        <Field
          label={guardWords.targetColumn}
          value={form.target}
          onChange={(target) => set({ target })}
          unit={guardWords.healthUnit}
          error={errors.target}
          hint={guardWords.targetHint}
        />
      )}
      <Field
        label={saleFormWords.cost}
        value={form.costPercent}
        onChange={(costPercent) => set({ costPercent })}
        unit="%"
        error={errors.cost}
        hint={saleFormWords.costHint}
      />
      <Field
        label={guardWords.maxPerRescue}
        value={form.capPerRescue}
        onChange={(capPerRescue) => set({ capPerRescue })}
        unit={debt.symbol}
        error={errors.capPerRescue}
      />
      <Field
        label={saleFormWords.sellAtMost}
        value={form.sellAtMost}
        onChange={(sellAtMost) => set({ sellAtMost })}
        unit={collateral.symbol}
        error={errors.sellAtMost}
        hint={saleFormWords.sellAtMostHint}
      />
    </div>
  );
}
