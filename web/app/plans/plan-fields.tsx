import { formatUnits } from '@bowline/core/domain/units';
import type { Asset } from '../api/settings.ts';
import { AmountField } from '../parts/amount-field.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Folded } from '../parts/folded.tsx';
import { useSettings } from '../settings.tsx';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import type { FloorSource } from './draft-plan.ts';
import {
  isOrderKind,
  isSaleKind,
  type PlanForm,
  periods,
  planKinds,
  type readPlanForm,
  slippages,
  spans,
  tokensOf,
  tradedOptions,
} from './plan-form.ts';

interface Props {
  readonly form: PlanForm;
  readonly set: (changes: Partial<PlanForm>) => void;
  readonly errors: ReturnType<typeof readPlanForm>['errors'];
  readonly pay: Asset | undefined;
  /** The source of the price that slippage is measured from. */
  readonly source: FloorSource;
  readonly held: bigint | undefined;
  /** Runs that MAX divides the balance by; undefined if their number is not known. */
  readonly runsLeft: bigint | undefined;
  /** Whether the kind and the tokens can be changed. */
  readonly isNew: boolean;
}

export function PlanFields({ form, set, errors, pay, source, held, runsLeft, isNew }: Props) {
  const settings = useSettings();
  const most = held !== undefined && runsLeft !== undefined && runsLeft > 0n ? held / runsLeft : 0n;
  const isOrder = isOrderKind(form.kind);
  const isSale = isSaleKind(form.kind);
  const noun = isSale ? 'sale' : 'buy';
  return (
    <>
      <div className="form-part">
        {isNew && (
          <>
            <Choice
              label={planWords.kind}
              options={planKinds.map((value) => ({ value, name: planWords.kinds[value] }))}
              value={form.kind}
              // Another kind may count the amount in another token and turn the direction of the price.
              onChange={(kind) => set({ kind, price: '', ...(isSaleKind(kind) !== isSale && { amount: '' }) })}
            />
            <Choice
              label={partWords.asset}
              options={tradedOptions(settings.assets, form.asset)}
              value={form.asset}
              onChange={(asset) => set({ asset })}
            />
          </>
        )}
        <div className="two">
          <AmountField
            label={isOrder ? planWords.amount : planWords.eachPays[noun]}
            value={form.amount}
            onChange={(amount) => set({ amount })}
            unit={pay?.symbol ?? ''}
            error={errors.amount}
            hint={isOrder ? undefined : planWords.eachPaysHint}
            pay={pay}
            held={held}
            max={pay && most > 0n ? formatUnits(most, pay.decimals) : undefined}
          />
          {isOrder ? (
            <PriceField {...{ form, set, errors }} />
          ) : (
            <Field
              label={planWords.number[noun]}
              value={form.runs}
              onChange={(runs) => set({ runs })}
              inputMode="numeric"
              error={errors.runs}
            />
          )}
        </div>
        {isOrder ? (
          <Choice
            label={planWords.validFor}
            options={spans(form.days)}
            value={form.days}
            onChange={(days) => set({ days })}
          />
        ) : (
          <Choice
            label={planWords.howOften}
            options={periods(settings.chainId, form.period)}
            value={form.period}
            onChange={(period) => set({ period })}
          />
        )}
      </div>
      <MoreFields {...{ form, set, errors, source, isNew }} />
    </>
  );
}

/** Fields that few people change; folded for a new plan. */
function MoreFields({ form, set, errors, source, isNew }: Pick<Props, 'form' | 'set' | 'errors' | 'source' | 'isNew'>) {
  return (
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
        {!isOrderKind(form.kind) && (
          <>
            <PriceField {...{ form, set, errors }} />
            <label className="tick">
              <input
                type="checkbox"
                checked={form.hasSpareTime}
                onChange={(event) => set({ hasSpareTime: event.target.checked })}
              />
              <span>{planWords.spareTime}</span>
            </label>
          </>
        )}
      </div>
    </Folded>
  );
}

function PriceField({ form, set, errors }: Pick<Props, 'form' | 'set' | 'errors'>) {
  const { assets } = useSettings();
  const { pay, buy } = tokensOf(assets, form);
  const quote = (isSaleKind(form.kind) ? buy : pay)?.symbol ?? '';
  return (
    <Field
      label={isOrderKind(form.kind) ? planWords.price : planWords.limit}
      value={form.price}
      onChange={(price) => set({ price })}
      unit={planWords.limitUnit(quote, form.asset)}
      error={errors.price}
      hint={planWords.priceHints[form.kind]}
    />
  );
}
