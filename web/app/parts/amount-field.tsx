import { shortAmount } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { Field } from './field.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly unit: string;
  readonly error: string | undefined;
  /** The token to pay with, and the wallet's balance of it; undefined while unknown. */
  readonly pay: { readonly symbol: string; readonly decimals: number } | undefined;
  readonly held: bigint | undefined;
  /** What the MAX button fills in; undefined if there is nothing to fill in. */
  readonly max: string | undefined;
  readonly hint?: string | undefined;
}

/** An amount to pay, with the balance under it and a button that fills in all of it. */
export function AmountField({ label, value, onChange, unit, error, pay, held, max, hint }: Props) {
  return (
    <div>
      <Field label={label} value={value} onChange={onChange} unit={unit} error={error} hint={hint} />
      {pay && held !== undefined && (
        <p className="field-hint spread">
          <span>
            {partWords.balance} <span className="number">{shortAmount(held, pay.decimals)}</span> {pay.symbol}
          </span>
          {max !== undefined && (
            <button type="button" className="button quiet small" onClick={() => onChange(max)}>
              {partWords.max}
              <span className="unseen"> {pay.symbol}</span>
            </button>
          )}
        </p>
      )}
    </div>
  );
}
