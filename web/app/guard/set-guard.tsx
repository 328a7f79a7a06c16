import { useState } from 'react';
import { type Address, encodeFunctionData, formatUnits, type Hex, zeroAddress } from 'viem';
import { useConnection } from 'wagmi';
import { loanGuardAbi } from '../../../abis/index.ts';
import { approveStep } from '../chain/approve.ts';
import type { OwnedGuards } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { WhatCanHappen } from '../parts/what-can-happen.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { blankGuard, cooldowns, readGuardForm, terms, watches } from './guard-form.ts';
import { HealthBar } from './health-bar.tsx';
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
}

export function SetGuard({ borrower, loan, markets, owned, isStale, close }: Props) {
  const settings = useSettings();
  const { contracts, chainId } = settings;
  const { protocol } = loan;
  const heading = `new-guard-${protocol.name}`;
  const connection = useConnection();
  const now = useChainTime();
  const [chosen, setChosen] = useState(markets[0]?.market as Hex);
  const market = (markets.find((each) => each.market === chosen) ?? markets[0]) as LoanMarket;
  const [form, setForm] = useState(() => suggested(market));
  const { progress, isBusy, run } = useSteps();
  const set = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const { draft, errors } = readGuardForm(form, market, loan.prices[market.market.toLowerCase()] ?? 0n);
  const isUnsure = mustWait(owned, isStale);

  async function sign() {
    if (draft === undefined || now === undefined || isUnsure) return;
    const register = {
      borrower,
      funder: borrower,
      adapter: protocol.adapter,
      market: market.market,
      keeper: zeroAddress,
      priceSource: draft.watchesChainlink ? contracts.priceSource : zeroAddress,
      triggerHealthWad: draft.triggerWad,
      targetHealthWad: draft.targetWad,
      capPerRescue: draft.capPerRescue,
      capPerDay: draft.capPerDay,
      minRepay: draft.minRepay,
      cooldownSeconds: Number(draft.cooldownSeconds),
      expiresAt: Number(now + draft.days * 86_400n),
    };
    await run([
      approveStep(
        `Approve ${exactAmount(draft.total, market.decimals)} ${market.symbol}`,
        market.token,
        contracts.loanGuard,
        draft.total,
      ),
      {
        label: 'Set the guard',
        to: contracts.loanGuard,
        data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'register', args: [register] }),
      },
    ]);
  }

  if (progress.state === 'done') {
    return (
      <section className="card" aria-label="New guard">
        <Signing progress={progress} done="Guard active." />
        <div className="buttons">
          <button type="button" className="button" onClick={close}>
            Close
          </button>
        </div>
      </section>
    );
  }
  const shared = sharedBy(owned, market, draft?.total);
  return (
    <section className="card" aria-labelledby={heading}>
      <div className="card-head">
        <h2 id={heading}>New guard</h2>
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
            options={markets.map((each) => ({ value: each.market, name: each.symbol }))}
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
              label="Most in one rescue"
              value={form.capPerRescue}
              onChange={(capPerRescue) => set({ capPerRescue })}
              unit={market.symbol}
              error={errors.capPerRescue}
            />
            <Field
              label="Most in a day"
              value={form.capPerDay}
              onChange={(capPerDay) => set({ capPerDay })}
              unit={market.symbol}
              error={errors.capPerDay}
            />
          </div>
          <Field
            label="Most in total"
            value={form.total}
            onChange={(total) => set({ total })}
            unit={market.symbol}
            error={errors.total}
            hint="This is what you approve: no guard can ever take more than it."
          />
          <Choice
            label="Cooldown after a rescue"
            options={chainId === 31_337 ? cooldowns : cooldowns.slice(1)}
            value={form.cooldown}
            onChange={(cooldown) => set({ cooldown })}
          />
          <Choice label="It holds for" options={terms} value={form.days} onChange={(days) => set({ days })} />
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
            {isBusy ? 'Signing …' : 'Approve and set'}
          </button>
          {isUnsure && (
            <p className="field-hint">
              Your loan and your guards could not all be read just now. A new approval could take from a guard, so it
              must wait.
            </p>
          )}
          <Signing progress={progress} done="Guard active." />
        </form>
        <div className="stack">
          {draft && loan.healthWad !== undefined && (
            <HealthBar healthWad={loan.healthWad} triggerWad={draft.triggerWad} targetWad={draft.targetWad} />
          )}
          <WhatCanHappen sentences={draft && now !== undefined ? guardSummary(draft, loan, now) : undefined} />
        </div>
      </div>
    </section>
  );
}

/** Default limits: two rescues of half the debt each. The user can change them. */
function suggested({ debt, decimals }: LoanMarket): typeof blankGuard {
  const unit = 10n ** BigInt(decimals);
  const half = (debt / 2n / unit + 1n) * unit;
  const text = (amount: bigint) => formatUnits(amount, decimals);
  return { ...blankGuard, capPerRescue: text(half), capPerDay: text(half), total: text(half * 2n) };
}
