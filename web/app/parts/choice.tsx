import { useId } from 'react';

interface Props<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly hint?: string | undefined;
}

/** A choice of one out of a few options, all of them visible. */
export function Choice<Value extends string>({ label, options, value, onChange, hint }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className="field">
      <legend className="legend">{label}</legend>
      <div className="choices">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.name}</span>
          </label>
        ))}
      </div>
      {hint && <p className="field-hint">{hint}</p>}
    </fieldset>
  );
}
