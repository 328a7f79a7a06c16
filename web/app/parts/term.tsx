import { useId, useRef, useState } from 'react';
import { partWords } from '../words/en/parts.ts';
import { lazyPart } from './lazy-part.tsx';

const floatingTip = lazyPart(async () => (await import('./floating.tsx')).FloatingTip);

interface Props {
  readonly text: string;
  /** A label explains a term only at its start; otherwise a list of labels would repeat it. */
  readonly isLabel?: boolean;
}

/** A text in which each unfamiliar term can show its meaning in one sentence. */
export function Explained({ text, isLabel = false }: Props) {
  return partsOf(text, isLabel).map((part) => (isTerm(part) ? <Term key={part} word={part} /> : part));
}

/** The text, split around the first occurrence of each term. A longer term wins over those that it contains. */
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

/** Shows the meaning on hover, on focus and when pressed; shows nothing if its code does not load. */
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
