import { useEffect } from 'react';
import { useLocation } from 'wouter';

/** The first path of this visit. Undefined once the user has navigated. */
let first: string | undefined = location.pathname;
/** Whether the last navigation was the browser's back or forward, which restores the scroll position. */
let isBack = false;
addEventListener('popstate', () => {
  isBack = true;
});

/** Rendered after a section: once both are shown, focuses the heading so that screen readers announce it. */
export function Arrived() {
  const [path] = useLocation();
  useEffect(() => {
    if (path === first) return;
    first = undefined;
    focusOn(document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main'));
    if (!isBack) scrollTo(0, 0);
    isBack = false;
  }, [path]);
  return null;
}

/** Focuses an element, even one that the keyboard cannot reach. */
function focusOn(element: HTMLElement | null): void {
  if (element === null) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
