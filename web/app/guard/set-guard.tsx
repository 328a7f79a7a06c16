import { formatUnits } from '@bowline/core/domain/units';
import { useState } from 'react';
import type { Address, Hex } from 'viem';
import { useConnection } from 'wagmi';
import { useIsApproving } from '../acts/use-acts.tsx';
import type { Covered } from '../chain/coverage/use-covered.ts';
import type { Guard, OwnedGuards } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useHeld } from '../chain/use-held.ts';
import { useSteps } from '../chain/use-steps.ts';
import { ActShown } from '../parts/act-shown.tsx';
import { AmountField } from '../parts/amount-field.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { Spender } from '../parts/spender.tsx';
import { WhatCanHappen } from '../parts/what-can-happen.tsx';
import { useSettings } from '../settings.tsx';
import { shortAmount, shortCost } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { guardWords } from '../words/en/guard.ts';
import { formState } from '../words/form-state.ts';
import { networkFee } from '../words/trade.ts';
import { cooldownsWith, formOf, readGuardForm, suggested, termsWith, watches } from './guard-form.ts';
import { GuardSet } from './guard-set.tsx';
import { guardSteps, registeredIn } from './guard-steps.ts';
import { HealthBar } from './health-bar.tsx';
import { mustWait, sharedBy } from './shared-approval.ts';
import { guardSummary } from './summary.ts';
import { useTried } from './use-tried.ts';
import { triggerHint } from './usual-gap.ts';

interface Props {
  readonly borrower: Address;
  readonly loan: Loan;
  /** Markets with debt. */
  readonly markets: readonly LoanMarket[];
  /** The guards that share the account's approvals. */
  readonly owned: OwnedGuards;
  /** The same with what each could do now. */
  readonly covered?: readonly Covered[] | undefined;
  /** Whether the newest reading of `owned` or `loan` failed or is old. */
  readonly isStale: boolean;
  readonly close: () => void;
  /** A guard of the borrower's that the new one takes the place of: terms never change, so an edit is another guard. */
  readonly replaces?: Guard;
  /** Whether that is to get a later end. */
  readonly isExtending?: boolean;
}

export function SetGuard(props: Props) {
  const { borrower, loan, markets, owned, covered = [], isStale, close, replaces, isExtending = false } = props;
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
  // It would replace this one, or this one that.
  const isOtherApproving = useIsApproving(contracts.loanGuard) && !isBusy;

  const { data: wallet } = useHeld(borrower, market.token);
  const steps =
    draft && now !== undefined
      ? () => guardSteps(draft, settings, { borrower, adapter: protocol.adapter, now, replaces })
      : undefined;
  const key = steps && JSON.stringify([form, market.market, String(market.allowance), replaces && String(replaces.id)]);
  const tried = useTried(key, borrower, steps);
  const found = key !== undefined && !tried.isError ? tried.data : undefined;
  const act = replaces ? guardWords.approveAndReplace : guardWords.approveAndSet;
  const state = formState({
    ...{ act, isSigning: isBusy, isOtherNetwork: connection.chainId !== chainId, pay: market },
    missing: Object.values(errors).find((error) => error !== undefined),
    waitsFor: now === undefined || isUnsure ? act : isOtherApproving ? words.signing.waitingForAct : undefined,
    // Whoever edits a guard may pay it later; a new one that cannot pay would only look like one.
    needed: replaces ? undefined : draft?.minRepay,
    held: wallet?.held,
    fee: found?.cost?.wei,
    native: wallet?.native,
    isRefused: found?.refused !== undefined,
  });

  const done = replaces ? guardWords.replaced(replaces.id) : guardWords.onChain;
  if (isEarlier || progress.state === 'done') {
    const isDone = progress.state === 'done';
    return (
      <ActShown {...{ progress, done, close }} title={isDone ? guardWords.setTitle : title} again={reset}>
        {isDone && (
          <GuardSet
            id={registeredIn(progress.receipts, contracts.loanGuard)}
            covered={covered}
            protocol={protocol.name}
            token={market}
          />
        )}
      </ActShown>
    );
  }
  const others = { ...owned, guards: owned.guards.filter(({ id }) => id !== replaces?.id) };
  const shared = sharedBy(others, market, draft?.total, now);
  return (
    <section className="card" aria-labelledby={heading}>
      <div className="card-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" className="button quiet" onClick={close} disabled={isBusy}>
          {guardWords.close}
        </button>
      </div>
      <form
        className="split"
        onSubmit={(event) => {
          event.preventDefault();
          if (state.isReady && steps) void run(steps());
        }}
      >
        <div className="form">
          <div className="form-part">
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
            <AmountField
              label={guardWords.total}
              value={form.total}
              onChange={(total) => set({ total })}
              unit={market.symbol}
              error={errors.total}
              pay={market}
              held={wallet?.held}
              max={wallet && wallet.held > 0n ? formatUnits(wallet.held, market.decimals) : undefined}
              hint={guardWords.totalHint}
            />
          </div>
          <div className="form-part">
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
          </div>
          {shared && (
            <Notice kind="caution" title={shared}>
              <p>{guardWords.sharedMore(`${shortAmount(market.allowance, market.decimals)} ${market.symbol}`)}</p>
            </Notice>
          )}
        </div>
        <div className="stack">
          {draft && loan.healthWad !== undefined && (
            <HealthBar
              healthWad={loan.healthWad}
              triggerHealthWad={draft.triggerHealthWad}
              targetHealthWad={draft.targetHealthWad}
              forcedMarkets={loan.forcedMarkets}
            />
          )}
          <WhatCanHappen
            sentences={draft && now !== undefined ? guardSummary(draft, loan, now, replaces?.keeper) : undefined}
          />
          {found?.refused && (
            <Notice kind="bad" title={guardWords.wouldRefuse}>
              <p>{found.refused.words}</p>
            </Notice>
          )}
          {found?.cost && <p className="faint">{guardWords.networkFee(networkFee(found.cost.wei, undefined))}</p>}
          {steps && tried.isError && <p className="faint">{guardWords.notTried}</p>}
        </div>
        <div className="form">
          <button type="submit" className="button primary wide" disabled={!state.isReady}>
            {state.label}
          </button>
          {isUnsure && <p className="field-hint">{guardWords.mustWait}</p>}
          {!isUnsure && isOtherApproving && <p className="field-hint">{guardWords.mustWaitForAct}</p>}
          <Spender address={contracts.loanGuard} />
          <Signing progress={progress} done={done} />
        </div>
      </form>
    </section>
  );
}
