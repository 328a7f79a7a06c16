import { useState } from 'react';
import { type Address, type Hex, zeroAddress } from 'viem';
import { useConnection } from 'wagmi';
import { approveStep } from '../chain/approve.ts';
import type { Guard, OwnedGuards } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useSteps } from '../chain/use-steps.ts';
import { ActShown } from '../parts/act-shown.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { WhatCanHappen } from '../parts/what-can-happen.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortAmount, shortCost } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { cancelStep } from './cancel-step.ts';
import { cooldownsWith, endOf, formOf, readGuardForm, suggested, termsWith, watches } from './guard-form.ts';
import { HealthBar } from './health-bar.tsx';
import { registerStep } from './register-step.ts';
import { mustWait, sharedBy } from './shared-approval.ts';
import { guardSummary } from './summary.ts';
import { triggerHint } from './usual-gap.ts';

interface Props {
  readonly borrower: Address;
  readonly loan: Loan;
  /** Markets with debt. */
  readonly markets: readonly LoanMarket[];
  /** The guards that share the account's approvals. */
  readonly owned: OwnedGuards;
  /** Whether the newest reading of `owned` or `loan` failed or is old. */
  readonly isStale: boolean;
  readonly close: () => void;
  /** A guard of the borrower's that the new one takes the place of: terms never change, so an edit is another guard. */
  readonly replaces?: Guard;
  /** Whether that is to get a later end. */
  readonly isExtending?: boolean;
}

export function SetGuard({ borrower, loan, markets, owned, isStale, close, replaces, isExtending = false }: Props) {
  const settings = useSettings();
  const { contracts, chainId } = settings;
  const { protocol } = loan;
  const heading = replaces ? `edit-guard-${replaces.id}` : `new-guard-${protocol.name}`;
  const title = replaces ? guardWords.editTitle(replaces.id) : guardWords.newGuard;
  const connection = useConnection();
  const now = useChainTime();
  const [chosen, setChosen] = useState(replaces?.market ?? (markets[0]?.market as Hex));
  const market = (markets.find((each) => each.market === chosen) ?? markets[0]) as LoanMarket;
  const [form, setForm] = useState(() => (replaces ? formOf(replaces, market, isExtending, now) : suggested(market)));
  const { progress, isBusy, isEarlier, run, reset } = useSteps(heading);
  const set = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const priceWad = loan.prices[market.market.toLowerCase()] ?? 0n;
  const { draft, errors } = readGuardForm(form, market, priceWad, replaces, now);
  const isUnsure = mustWait(owned, isStale);

  async function sign() {
    if (draft === undefined || now === undefined || isUnsure) return;
    const register = {
      borrower,
      funder: borrower,
      adapter: protocol.adapter,
      market: market.market,
      keeper: replaces?.keeper ?? zeroAddress,
      priceSource: draft.watchesChainlink ? contracts.priceSource : zeroAddress,
      triggerHealthWad: draft.triggerWad,
      targetHealthWad: draft.targetWad,
      capPerRescue: draft.capPerRescue,
      capPerDay: draft.capPerDay,
      minRepay: draft.minRepay,
      cooldownSeconds: Number(draft.cooldownSeconds),
      expiresAt: Number(endOf(draft, now)),
    };
    const approve = approveStep(
      guardWords.approveStep(`${exactAmount(draft.total, market.decimals)} ${market.symbol}`),
      market.token,
      contracts.loanGuard,
      draft.total,
      // What other guards may take now.
      market.allowance < draft.total ? market.allowance : draft.total,
    );
    await run([
      ...(draft.total === market.allowance ? [] : [approve]),
      registerStep(contracts.loanGuard, register, market.token),
      // Last: the loan is never without a guard.
      ...(replaces ? [cancelStep(contracts.loanGuard, replaces.id)] : []),
    ]);
  }

  const done = replaces ? guardWords.replaced(replaces.id) : guardWords.active;
  if (isEarlier || progress.state === 'done') return <ActShown {...{ title, progress, done, close }} again={reset} />;
  const others = { ...owned, guards: owned.guards.filter(({ id }) => id !== replaces?.id) };
  const shared = sharedBy(others, market, draft?.total);
  return (
    <section className="card" aria-labelledby={heading}>
      <div className="card-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" className="button quiet" onClick={close} disabled={isBusy}>
          {guardWords.close}
        </button>
      </div>
      <div className="split">
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            void sign();
          }}
        >
          <Choice
            label={guardWords.repayWith}
            options={(replaces ? [market] : markets).map((each) => ({ value: each.market, name: each.symbol }))}
            value={market.market}
            onChange={(next) => {
              const found = markets.find((each) => each.market === next);
              setChosen(next);
              if (found) setForm(suggested(found));
            }}
            hint={guardWords.repayWithHint(
              `${shortCost(market.debt, market.decimals)} ${market.symbol}`,
              shortAmount(market.walletBalance, market.decimals),
            )}
          />
          <div className="two">
            <Field
              label={guardWords.trigger}
              value={form.trigger}
              onChange={(trigger) => set({ trigger })}
              unit={guardWords.healthUnit}
              error={errors.trigger}
              hint={triggerHint(loan, settings)}
            />
            <Field
              label={guardWords.targetColumn}
              value={form.target}
              onChange={(target) => set({ target })}
              unit={guardWords.healthUnit}
              error={errors.target}
              hint={guardWords.targetHint}
            />
            <Field
              label={guardWords.maxPerRescue}
              value={form.capPerRescue}
              onChange={(capPerRescue) => set({ capPerRescue })}
              unit={market.symbol}
              error={errors.capPerRescue}
            />
            <Field
              label={guardWords.maxPerDay}
              value={form.capPerDay}
              onChange={(capPerDay) => set({ capPerDay })}
              unit={market.symbol}
              error={errors.capPerDay}
            />
          </div>
          <Field
            label={guardWords.total}
            value={form.total}
            onChange={(total) => set({ total })}
            unit={market.symbol}
            error={errors.total}
            hint={guardWords.totalHint}
          />
          <Choice
            label={guardWords.cooldownAfter}
            options={cooldownsWith(form.cooldown, chainId === 31_337)}
            value={form.cooldown}
            onChange={(cooldown) => set({ cooldown })}
          />
          <Choice
            label={guardWords.duration}
            options={termsWith(replaces?.expiresAt, now)}
            value={form.days}
            onChange={(days) => set({ days })}
            hint={errors.days}
          />
          <Choice
            label={guardWords.pricesOf}
            options={watches(protocol.name)}
            value={form.watch}
            onChange={(watch) => set({ watch })}
            hint={guardWords.pricesHint(protocol.name)}
          />
          {shared && (
            <Notice kind="caution" title={shared}>
              <p>{guardWords.sharedMore(`${shortAmount(market.allowance, market.decimals)} ${market.symbol}`)}</p>
            </Notice>
          )}
          <button
            type="submit"
            className="button primary wide"
            disabled={isBusy || draft === undefined || now === undefined || isUnsure || connection.chainId !== chainId}
          >
            {isBusy ? guardWords.signing : replaces ? guardWords.approveAndReplace : guardWords.approveAndSet}
          </button>
          {isUnsure && <p className="field-hint">{guardWords.mustWait}</p>}
          <Signing progress={progress} done={done} />
        </form>
        <div className="stack">
          {draft && loan.healthWad !== undefined && (
            <HealthBar healthWad={loan.healthWad} triggerWad={draft.triggerWad} targetWad={draft.targetWad} />
          )}
          <WhatCanHappen
            sentences={draft && now !== undefined ? guardSummary(draft, loan, now, replaces?.keeper) : undefined}
          />
        </div>
      </div>
    </section>
  );
}
