import { type ReactNode, useEffect, useRef, useState } from 'react';
import { words } from '../words/en/frame.ts';

interface Props<Item> {
  readonly items: readonly Item[];
  /** Total count, if `items` holds only the first of them until the rest is requested. */
  readonly total?: number | undefined;
  /** How many are shown at first. */
  readonly first: number;
  /** Selector of one item on the page. */
  readonly each: 'article' | 'li' | 'tbody > tr';
  /** The list's name for screen readers. */
  readonly name: string;
  /** Requests the rest of the items. */
  readonly readRest?: (() => void) | undefined;
  readonly children: (shown: readonly Item[]) => ReactNode;
}

/** The parts of the document and the list that are used: tests read this file without browser types. */
interface Focused {
  readonly activeElement: unknown;
  readonly body: unknown;
}
interface Shown {
  querySelectorAll(selector: string): Readonly<Record<number, { tabIndex: number; focus(): void }>>;
  contains(element: unknown): boolean;
}

/**
 * The first part of a list that may grow without limit, and a button that shows all of it. The focus then moves to the
 * first of the added items, so that reading continues there.
 */
export function LongList<Item>(props: Props<Item>) {
  const { items, total = items.length, first, each, name, readRest, children } = props;
  const [isAsked, setAsked] = useState(false);
  // It stays open when the data is refreshed.
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const isWhole = items.length >= total;
  if (isAsked && isWhole && !isOpen) setOpen(true);
  useEffect(() => {
    const { activeElement: active, body } = (globalThis as unknown as { readonly document: Focused }).document;
    const shown = list.current as unknown as Shown | null;
    const next = shown?.querySelectorAll(each)[first];
    // A user who moved elsewhere meanwhile keeps the focus there.
    if (!isOpen || next === undefined || (active !== body && !shown?.contains(active))) return;
    next.tabIndex = -1;
    next.focus();
  }, [isOpen, each, first]);
  return (
    <div className="long-list" ref={list}>
      {children(isOpen ? items : items.slice(0, first))}
      {!isOpen && total > first && (
        <div className="buttons">
          <button
            type="button"
            className="button quiet compact"
            aria-disabled={isAsked}
            onClick={() => {
              if (!isAsked && !isWhole) readRest?.();
              setAsked(true);
            }}
          >
            {isAsked ? words.lists.reading : words.lists.showAll(total)}
            <span className="unseen">{words.lists.of(name)}</span>
          </button>
        </div>
      )}
    </div>
  );
}
