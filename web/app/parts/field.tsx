import { type ReactNode, useId } from 'react';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly unit?: string;
  readonly hint?: ReactNode;
  /** Why the input is invalid; shown once the user has typed something. */
  readonly error?: string | undefined;
  readonly inputMode?: 'decimal' | 'numeric' | 'text';
}

/** A one-line input with its unit, hint and error. */
export function Field({ label, value, onChange, unit, hint, error, inputMode = 'decimal' }: Props) {
  const id = useId();
  const isWrong = error !== undefined && value !== '';
  return (
    <div className={isWrong ? 'field wrong' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <input
          id={id}
          value={value}
          inputMode={inputMode}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={isWrong}
          aria-describedby={`${id}-more`}
          onChange={(event) => onChange(event.target.value)}
        />
        {unit && <span className="unit">{unit}</span>}
      </div>
      <div id={`${id}-more`}>
        {isWrong ? <p className="field-error">{error}</p> : hint && <p className="field-hint">{hint}</p>}
      </div>
    </div>
  );
}
