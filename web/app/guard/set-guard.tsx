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
import { exactAmount, shortAmount } from '../words/amounts.ts';
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
  const title = replaces ? `Edit guard ${replaces.id}` : 'New guard';
  const connection = useConnection();
  const now = useChainTime();
  const [chosen, setChosen] = useState(replaces?.market ?? (markets[0]?.market as Hex));
  const market = (markets.find((each) => each.market === chosen) ?? markets[0]) as LoanMarket;
  const [form, setForm] = useState(() => (replaces ? formOf(replaces, market, isExtending, now) : suggested(market)));
  const { progress, isBusy, isEarlier, run, reset } = useSteps(heading);
  const set = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const priceWad = loan.prices[market.market.toLowerCase()] ?? 0n;
  const { draft, errors } = readGuardForm(form, market, priceWad, replaces);
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
      `Approve ${exactAmount(draft.total, market.decimals)} ${market.symbol}`,
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

  const done = replaces ? `Guard active; guard ${replaces.id} cancelled.` : 'Guard active.';
  if (isEarlier || progress.state === 'done') return <ActShown {...{ title, progress, done, close }} again={reset} />;
  const others = { ...owned, guards: owned.guards.filter(({ id }) => id !== replaces?.id) };
  const shared = sharedBy(others, market, draft?.total);
  return (
    <section className="card" aria-labelledby={heading}>
      <div className="card-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" className="button quiet" onClick={close} disabled={isBusy}>
          Close
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
            label="Repay with"
            options={(replaces ? [market] : markets).map((each) => ({ value: each.market, name: each.symbol }))}
            value={market.market}
            onChange={(next) => {
              const found = markets.find((each) => each.market === next);
              setChosen(next);
              if (found) setForm(suggested(found));
            }}
            hint={`You owe ${shortAmount(market.debt, market.decimals)} ${market.symbol} and hold ${shortAmount(market.walletBalance, market.decimals)}.`}
          />
          <div className="two">
            <Field
              label="Trigger"
              value={form.trigger}
              onChange={(trigger) => set({ trigger })}
              unit="health"
              error={errors.trigger}
              hint={triggerHint(loan, settings)}
            />
            <Field
              label="Target"
              value={form.target}
              onChange={(target) => set({ target })}
              unit="health"
              error={errors.target}
              hint="A rescue brings health up to it."
            />
            <Field
              label="Max per rescue"
              value={form.capPerRescue}
              onChange={(capPerRescue) => set({ capPerRescue })}
              unit={market.symbol}
              error={errors.capPerRescue}
            />
            <Field
              label="Max per day"
              value={form.capPerDay}
              onChange={(capPerDay) => set({ capPerDay })}
              unit={market.symbol}
              error={errors.capPerDay}
            />
          </div>
          <Field
            label="Max in total"
            value={form.total}
            onChange={(total) => set({ total })}
            unit={market.symbol}
            error={errors.total}
            hint="This is what you approve: no guard can ever take more than it."
          />
          <Choice
            label="Cooldown after a rescue"
            options={cooldownsWith(form.cooldown, chainId === 31_337)}
            value={form.cooldown}
            onChange={(cooldown) => set({ cooldown })}
          />
          <Choice
            label="Duration"
            options={termsWith(replaces?.expiresAt, now)}
            value={form.days}
            onChange={(days) => set({ days })}
          />
          <Choice
            label="Prices that trigger it"
            options={watches(protocol.name)}
            value={form.watch}
            onChange={(watch) => set({ watch })}
            hint={`Chainlink’s prices can fall first, so a rescue can come before a liquidation. It can also come when ${protocol.name}’s prices never follow. Its cooldown does not hold back the next rescue by ${protocol.name}’s prices.`}
          />
          {shared && (
            <Notice kind="caution" title={shared}>
              <p>
                What you approve here replaces the {shortAmount(market.allowance, market.decimals)} {market.symbol} that
                you have approved; all guards that you pay for share it.
              </p>
            </Notice>
          )}
          <button
            type="submit"
            className="button primary wide"
            disabled={isBusy || draft === undefined || now === undefined || isUnsure || connection.chainId !== chainId}
          >
            {isBusy ? 'Signing …' : replaces ? 'Approve and replace' : 'Approve and set'}
          </button>
          {isUnsure && (
            <p className="field-hint">
              Your loan and your guards could not all be read just now. A new approval could take from a guard, so it
              must wait.
            </p>
          )}
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
