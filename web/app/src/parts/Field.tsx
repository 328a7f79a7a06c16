import { type ReactNode, useId } from 'react';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly unit?: string;
  readonly hint?: ReactNode;
}

/** A number that is typed: as text, so that no digit is lost. */
export function Field({ label, value, onChange, unit, hint }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        />
        {unit !== undefined && <span className="unit">{unit}</span>}
      </div>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, shown: string])[];
}

export function Choice({ label, value, onChange, options }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map(([each, shown]) => (
            <option key={each} value={each}>
              {shown}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
