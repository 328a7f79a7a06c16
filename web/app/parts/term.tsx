import { useId, useRef, useState } from 'react';
import { partWords } from '../words/en/parts.ts';
import { lazyPart } from './lazy-part.tsx';

const floatingTip = lazyPart(async () => (await import('./floating.tsx')).FloatingTip);

interface Props {
  readonly text: string;
  /** A label has a term only at its start: a list of labels would repeat it. */
  readonly isLabel?: boolean;
}

/** A text in which each word that people cannot know says in one sentence what it means. */
export function Explained({ text, isLabel = false }: Props) {
  return partsOf(text, isLabel).map((part) => (isTerm(part) ? <Term key={part} word={part} /> : part));
}

/** The text, cut around the first of each such word. A longer one counts before those that it contains. */
function partsOf(text: string, isLabel: boolean): readonly string[] {
  const terms = partWords.terms.toSorted((a, b) => b.length - a.length);
  const said = new Set<string>();
  const parts: string[] = [''];
  for (const part of text.split(new RegExp(`${isLabel ? '^' : ''}(${terms.map(bounded).join('|')})`, 'i'))) {
    const isNew = isTerm(part) && !said.has(part.toLowerCase());
    if (isNew) parts.push(part, '');
    else parts[parts.length - 1] += part;
    said.add(part.toLowerCase());
  }
  return parts;
}

const isTerm = (part: string): boolean => partWords.terms.includes(part.toLowerCase());

/** English words end where letters end; Chinese has no spaces. */
const bounded = (term: string) => (/^[a-z]/.test(term) ? `\\b${term}\\b` : term);

/** Says what it means under the mouse, at the focus, and when pressed; nothing where its code does not arrive. */
function Term({ word }: { readonly word: string }) {
  const [isAsked, setAsked] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const id = useId();
  const isOpen = isAsked && isLoaded;
  const close = () => setAsked(false);
  const open = () => {
    setAsked(true);
    floatingTip.load().then(
      () => setLoaded(true),
      () => undefined,
    );
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same.
    <span className="term" ref={place} onMouseLeave={close}>
      <button
        type="button"
        aria-describedby={isOpen ? id : undefined}
        onMouseEnter={open}
        onFocus={open}
        onClick={open}
        onBlur={close}
      >
        {word}
      </button>
      {isOpen && <floatingTip.Part id={id} place={place} close={close} term={word.toLowerCase()} />}
    </span>
  );
}
