import { type RefObject, useId, useState } from 'react';
import { askWords } from '../words/en/ask.ts';
import { isComposing } from './composing.ts';

const MAX_CHARACTERS = 4_000;

interface Props {
  readonly isBusy: boolean;
  readonly ask: (prompt: string) => void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

export function AskForm({ isBusy, ask, field }: Props) {
  const [text, setText] = useState('');
  const id = useId();
  const prompt = text.trim();
  const send = () => {
    if (prompt === '' || isBusy) return;
    ask(prompt);
    setText('');
  };
  return (
    <form
      className="ask-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="field">
        <label htmlFor={id}>{askWords.question}</label>
        <div className="input">
          <textarea
            ref={field}
            id={id}
            rows={2}
            maxLength={MAX_CHARACTERS}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
              event.preventDefault();
              send();
            }}
          />
        </div>
      </div>
      <button type="submit" className="button primary" disabled={isBusy || prompt === ''}>
        {askWords.send}
      </button>
    </form>
  );
}
