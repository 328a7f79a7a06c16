import { useId } from 'react';

// A document that the user gives to the page: typed, pasted or as files.

interface TextProps {
  readonly label: string;
  readonly rows: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function DocumentText({ label, rows, value, onChange }: TextProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <textarea
          id={id}
          rows={rows}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
    </div>
  );
}

interface FilesProps {
  readonly label: string;
  readonly isMany?: boolean;
  readonly isOff?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

export function DocumentFiles({ label, isMany = false, isOff = false, onFiles }: FilesProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        multiple={isMany}
        disabled={isOff}
        onChange={({ target }) => onFiles([...(target.files ?? [])])}
        // Choosing the same file again must count as a change too.
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
