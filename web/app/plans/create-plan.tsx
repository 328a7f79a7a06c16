import { useState } from 'react';
import { type Address, parseUnits } from 'viem';
import { useConnection } from 'wagmi';
import { isAnswerOld } from '../api/freshness.ts';
import { useQuote } from '../api/quote.ts';
import { payTokenOf } from '../api/settings.ts';
import { useMoment } from '../api/use-moment.ts';
import { approveStep } from '../chain/approve.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Signing } from '../parts/signing.tsx';
import { WhatCanHappen } from '../parts/what-can-happen.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { keptForOthers, mustWait } from './committed.ts';
import { createCall, totalOf } from './draft-plan.ts';
import { blankPlan, periods, readPlanForm, slippages } from './plan-form.ts';
import { summaryOf } from './summary.ts';

interface Props {
  readonly owner: Address;
  readonly owned: OwnedPlans;
  /** Whether the newest reading of `owned` failed or is old. */
  readonly isStale: boolean;
  readonly close: () => void;
}

export function CreatePlan({ owner, owned, isStale, close }: Props) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const { data: quote } = useQuote();
  const now = useChainTime();
  const moment = useMoment();
  const [form, setForm] = useState(blankPlan);
  const { progress, isBusy, run } = useSteps('create-plan');
  const set = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });

  const { draft, errors } = readPlanForm(form, settings.assets);
  const pay = payTokenOf(settings.assets, form.buy);
  const isOld = quote !== undefined && isAnswerOld(quote, moment);
  const priceOf = (symbol: string) => {
    const price = !isOld && quote?.assets.find((asset) => asset.symbol === symbol)?.price_usd;
    return price ? parseUnits(price, 18) : undefined;
  };
  const summary =
    draft === undefined || now === undefined
      ? undefined
      : summaryOf(draft, now, { payUsdWad: priceOf(draft.pay.symbol), buyUsdWad: priceOf(draft.buy.symbol) });

  const isUnsure = mustWait(owned, pay?.address ?? '', isStale);

  async function sign() {
    if (draft === undefined || now === undefined || isUnsure) return;
    const { contracts } = settings;
    const token = draft.pay.address;
    const allowance = owned.allowances[token.toLowerCase()] ?? 0n;
    const kept = keptForOthers(owned.plans, token, allowance, now);
    const total = totalOf(draft);
    const label =
      `Approve ${exactAmount(total, draft.pay.decimals)} ${draft.pay.symbol}` +
      (kept > 0n ? `, and keep ${exactAmount(kept, draft.pay.decimals)} for your other plans` : '');
    const steps = [
      approveStep(label, token, contracts.planRegistry, kept + total),
      { label: 'Create the plan', ...createCall(draft, settings, owner, now) },
    ];
    await run(steps);
  }

  if (progress.state === 'done') {
    return (
      <section className="card" aria-label="New plan">
        <Signing progress={progress} done="Plan created." />
        <p>The agent will evaluate its first run in its next round. The run appears below once it is on chain.</p>
        <div className="buttons">
          <button type="button" className="button" onClick={close}>
            Close
          </button>
        </div>
      </section>
    );
  }
  return (
    <section className="card" aria-labelledby="new-plan">
      <div className="card-head">
        <h2 id="new-plan">New plan</h2>
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
            label="Buy"
            options={settings.assets.map(({ symbol }) => ({ value: symbol, name: symbol }))}
            value={form.buy}
            onChange={(buy) => set({ buy })}
          />
          <div className="two">
            <Field
              label="For each run pay"
              value={form.amount}
              onChange={(amount) => set({ amount })}
              unit={pay?.symbol ?? ''}
              error={errors.amount}
              hint="Each run takes exactly this."
            />
            <Field
              label="Number of runs"
              value={form.runs}
              onChange={(runs) => set({ runs })}
              inputMode="numeric"
              unit="runs"
              error={errors.runs}
            />
          </div>
          <Choice
            label="How often"
            options={periods(settings.chainId)}
            value={form.period}
            onChange={(period) => set({ period })}
          />
          <Choice
            label="Worst price"
            options={slippages}
            value={form.slippage}
            onChange={(slippage) => set({ slippage })}
            hint="How far below Chainlink’s prices a run may deliver, fees and price impact in it."
          />
          <Field
            label={`Limit price (optional)`}
            value={form.limit}
            onChange={(limit) => set({ limit })}
            unit={`${pay?.symbol ?? ''} for 1 ${form.buy}`}
            error={errors.limit}
            hint="Above it nothing is bought."
          />
          <label className="tick">
            <input
              type="checkbox"
              checked={form.hasSpareTime}
              onChange={(event) => set({ hasSpareTime: event.target.checked })}
            />
            <span>Double the plan’s duration so deferred runs can be made up</span>
          </label>
          <button
            type="submit"
            className="button primary wide"
            disabled={isBusy || draft === undefined || now === undefined || isUnsure || chainId !== settings.chainId}
          >
            {isBusy ? 'Signing …' : 'Approve and create'}
          </button>
          {isUnsure && (
            <p className="field-hint">
              Your plans could not all be read just now. A new approval could take from one of them, so it must wait.
            </p>
          )}
          <Signing progress={progress} done="Plan created." />
        </form>
        <WhatCanHappen sentences={summary} />
      </div>
    </section>
  );
}
