import { formatUnits } from 'viem';
import type { Asset } from '../api/settings.ts';
import { AmountField } from '../parts/amount-field.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { useSettings } from '../settings.tsx';
import { type PlanForm, periods, type readPlanForm, slippages } from './plan-form.ts';

interface Props {
  readonly form: PlanForm;
  readonly set: (changes: Partial<PlanForm>) => void;
  readonly errors: ReturnType<typeof readPlanForm>['errors'];
  readonly pay: Asset | undefined;
  readonly held: bigint | undefined;
  /** Runs that MAX divides the balance by; undefined if their number is not known. */
  readonly runsLeft: bigint | undefined;
  /** Whether the tokens can be changed. */
  readonly isNew: boolean;
}

export function PlanFields({ form, set, errors, pay, held, runsLeft, isNew }: Props) {
  const settings = useSettings();
  const most = held !== undefined && runsLeft !== undefined && runsLeft > 0n ? held / runsLeft : 0n;
  return (
    <>
      {isNew && (
        <Choice
          label="Buy"
          options={settings.assets.map(({ symbol }) => ({ value: symbol, name: symbol }))}
          value={form.buy}
          onChange={(buy) => set({ buy })}
        />
      )}
      <div className="two">
        <AmountField
          label="For each run pay"
          value={form.amount}
          onChange={(amount) => set({ amount })}
          unit={pay?.symbol ?? ''}
          error={errors.amount}
          hint="Each buy takes exactly this. MAX divides your balance among all buys."
          pay={pay}
          held={held}
          max={pay && most > 0n ? formatUnits(most, pay.decimals) : undefined}
        />
        <Field
          label="Number of runs"
          value={form.runs}
          onChange={(runs) => set({ runs })}
          inputMode="numeric"
          unit="buys"
          error={errors.runs}
        />
      </div>
      <Choice
        label="How often"
        options={periods(settings.chainId, form.period)}
        value={form.period}
        onChange={(period) => set({ period })}
      />
      <Choice
        label="Maximum slippage"
        options={slippages(form.slippage)}
        value={form.slippage}
        onChange={(slippage) => set({ slippage })}
        hint="How far below the oracle (Chainlink) price a buy may deliver, after fees and price impact."
      />
      <Field
        label="Limit price (optional)"
        value={form.limit}
        onChange={(limit) => set({ limit })}
        unit={`${pay?.symbol ?? ''} for 1 ${form.buy}`}
        error={errors.limit}
        hint="Never buy above this price."
      />
      <label className="tick">
        <input
          type="checkbox"
          checked={form.hasSpareTime}
          onChange={(event) => set({ hasSpareTime: event.target.checked })}
        />
        <span>Allow twice the time, to make up for skipped buys</span>
      </label>
    </>
  );
}
