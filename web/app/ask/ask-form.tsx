import { useState } from 'react';

const MAX_CHARACTERS = 4_000;

export function AskForm({ isBusy, ask }: { readonly isBusy: boolean; readonly ask: (prompt: string) => void }) {
  const [text, setText] = useState('');
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
        <label htmlFor="question">Your question</label>
        <div className="input">
          <textarea
            id="question"
            rows={2}
            maxLength={MAX_CHARACTERS}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey) return;
              event.preventDefault();
              send();
            }}
          />
        </div>
      </div>
      <button type="submit" className="button primary" disabled={isBusy || prompt === ''}>
        Ask
      </button>
    </form>
  );
}
