import { formatUnits } from '@bowline/core/domain/units';
import type { Asset } from '../api/settings.ts';
import { AmountField } from '../parts/amount-field.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Folded } from '../parts/folded.tsx';
import { useSettings } from '../settings.tsx';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import type { FloorSource } from './floor-source.ts';
import { boughtOptions, type PlanForm, periods, type readPlanForm, slippages } from './plan-form.ts';

interface Props {
  readonly form: PlanForm;
  readonly set: (changes: Partial<PlanForm>) => void;
  readonly errors: ReturnType<typeof readPlanForm>['errors'];
  readonly pay: Asset | undefined;
  /** What the slippage is from. */
  readonly source: FloorSource;
  readonly held: bigint | undefined;
  /** Runs that MAX divides the balance by; undefined if their number is not known. */
  readonly runsLeft: bigint | undefined;
  /** Whether the tokens can be changed. */
  readonly isNew: boolean;
}

export function PlanFields({ form, set, errors, pay, source, held, runsLeft, isNew }: Props) {
  const settings = useSettings();
  const most = held !== undefined && runsLeft !== undefined && runsLeft > 0n ? held / runsLeft : 0n;
  return (
    <>
      <div className="form-part">
        {isNew && (
          <Choice
            label={planWords.buy}
            options={boughtOptions(settings.assets, form.buy)}
            value={form.buy}
            onChange={(buy) => set({ buy })}
          />
        )}
        <div className="two">
          <AmountField
            label={planWords.eachPays}
            value={form.amount}
            onChange={(amount) => set({ amount })}
            unit={pay?.symbol ?? ''}
            error={errors.amount}
            hint={planWords.eachPaysHint}
            pay={pay}
            held={held}
            max={pay && most > 0n ? formatUnits(most, pay.decimals) : undefined}
          />
          <Field
            label={planWords.number}
            value={form.runs}
            onChange={(runs) => set({ runs })}
            inputMode="numeric"
            unit={planWords.buys}
            error={errors.runs}
          />
        </div>
        <Choice
          label={planWords.howOften}
          options={periods(settings.chainId, form.period)}
          value={form.period}
          onChange={(period) => set({ period })}
        />
      </div>
      <Folded summary={partWords.moreOptions} isOpen={!isNew || source !== 'oracle'}>
        <div className="form-part">
          {source !== 'none' && (
            <Choice
              label={planWords.slippage}
              options={slippages(form.slippage)}
              value={form.slippage}
              onChange={(slippage) => set({ slippage })}
              hint={source === 'oracle' ? planWords.slippageHint : planWords.foreignSlippageHint}
            />
          )}
          <Field
            label={planWords.limit}
            value={form.limit}
            onChange={(limit) => set({ limit })}
            unit={planWords.limitUnit(pay?.symbol ?? '', form.buy)}
            error={errors.limit}
            hint={planWords.limitHint}
          />
          <label className="tick">
            <input
              type="checkbox"
              checked={form.hasSpareTime}
              onChange={(event) => set({ hasSpareTime: event.target.checked })}
            />
            <span>{planWords.spareTime}</span>
          </label>
        </div>
      </Folded>
    </>
  );
}
