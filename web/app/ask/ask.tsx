import { shortAddress } from '@bowline/core/domain/readable';
import { useRef } from 'react';
import { Title } from '../parts/title.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { askWords } from '../words/en/ask.ts';
import { words } from '../words/en/frame.ts';
import { AskForm } from './ask-form.tsx';
import { useConversation } from './conversation.tsx';
import { Message } from './message.tsx';

/** Questions, answers and what can be asked next. */
export function Ask() {
  const { said, isBusy, ask } = useConversation();
  const { owner } = useOwner();
  const field = useRef<HTMLTextAreaElement>(null);
  const press = (prompt: string) => {
    ask(prompt);
    // The pressed button goes away, and the focus must not go with it.
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
