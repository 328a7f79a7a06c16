import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { dismissed } from './dismissed.ts';

interface Props {
  readonly title: ReactNode;
  readonly kind: 'primary' | 'quiet';
  readonly children: ReactNode;
}

/** A button that opens a menu below it. Escape, a press elsewhere and another address close it. */
export function Menu({ title, kind, children }: Props) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [path] = useLocation();
  const search = useSearch();
  useEffect(() => (menu.current === null ? undefined : dismissed(menu.current, document)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is what closes it.
  useEffect(() => {
    if (menu.current !== null) menu.current.open = false;
  }, [path, search]);
  return (
    <details className="menu" ref={menu}>
      <summary className={`button ${kind}`}>{title}</summary>
      <div className="menu-body">{children}</div>
    </details>
  );
}
