import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { lazyPart } from './lazy-part.tsx';

/** Floating elements are not part of the first load. */
export const floatingMenu = lazyPart(async () => (await import('./floating.tsx')).FloatingMenu);

interface Props {
  readonly title: ReactNode;
  readonly kind: 'primary' | 'quiet';
  readonly children: ReactNode;
}

/** A button that opens a menu next to it. Escape, a press elsewhere and navigation close it. */
export function Menu({ title, kind, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const [path] = useLocation();
  const search = useSearch();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is what closes it.
  useEffect(() => setOpen(false), [path, search]);
  return (
    <div className="menu" ref={place}>
      <button
        id={`${id}-button`}
        type="button"
        className={`button ${kind}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {title}
      </button>
      {isOpen && (
        <Suspense>
          <floatingMenu.Part id={id} place={place} close={() => setOpen(false)}>
            {children}
          </floatingMenu.Part>
        </Suspense>
      )}
    </div>
  );
}
