import { shortAddress } from '@bowline/core/domain/readable';
import { type RefObject, useId, useRef, useState } from 'react';
import { Title } from '../parts/title.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { askWords } from '../words/en/ask.ts';
import { words } from '../words/en/frame.ts';
import { isComposing } from './composing.ts';
import { useConversation } from './conversation.tsx';
import { Message } from './message.tsx';

/** Questions, answers and suggested next questions. */
export function Ask() {
  const { said, isBusy, ask } = useConversation();
  const { owner } = useOwner();
  const field = useRef<HTMLTextAreaElement>(null);
  const press = (prompt: string) => {
    ask(prompt);
    // The pressed button disappears; the focus must not be lost with it.
    field.current?.focus();
  };
  return (
    <>
      <Title title={words.frame.sections.ask} lead={askWords.lead} />
      {said.length === 0 && (
        <section aria-label={askWords.examples} className="buttons">
          {(owner === undefined ? askWords.prompts : askWords.ownPrompts).map((example) => (
            <button key={example} type="button" className="button" onClick={() => press(example)}>
              {example}
            </button>
          ))}
        </section>
      )}
      <section className="chat stack" aria-label={askWords.conversation} aria-live="polite">
        {said.map((each, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a conversation only grows at its end
          <Message key={at} said={each} ask={at === said.length - 1 && !isBusy ? press : undefined} />
        ))}
        {isBusy && <p className="faint">{askWords.looking}</p>}
      </section>
      <AskForm isBusy={isBusy} ask={ask} field={field} />
      <p className="faint">
        {owner !== undefined && `${askWords.knows(shortAddress(owner))} `}
        {askWords.limit}
      </p>
    </>
  );
}

const MAX_CHARACTERS = 4_000;

interface FormProps {
  readonly isBusy: boolean;
  readonly ask: (prompt: string) => void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

function AskForm({ isBusy, ask, field }: FormProps) {
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
