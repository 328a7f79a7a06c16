import { useEffect, useRef } from 'react';
import { isComposing } from '../parts/composing.ts';
import { askWords } from '../words/en/ask.ts';
import { Talk } from './talk.tsx';

/** The conversation beside any section. It leaves the section in view and in reach: it is no dialog that holds the focus. */
export function AskDrawer({ close }: { readonly close: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside
      id="ask-drawer"
      className="drawer"
      aria-labelledby="ask-title"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isComposing(event)) close();
      }}
    >
      <div className="card-head">
        <h2 id="ask-title" tabIndex={-1} ref={heading}>
          {askWords.title}
        </h2>
        <button type="button" className="button quiet" onClick={close}>
          {askWords.close}
        </button>
      </div>
      <p className="faint">{askWords.lead}</p>
      <Talk />
    </aside>
  );
}
