import { useEffect } from 'react';
import { useLocation } from 'wouter';

/** The first path of this visit: nobody has moved yet. Undefined once somebody has. */
let first: string | undefined = location.pathname;
/** Whether the last move was the browser's back or forward, which restores how far the page was scrolled. */
let isBack = false;
addEventListener('popstate', () => {
  isBack = true;
});

/** Rendered after a section: once both are shown, the heading gets the focus, so screen readers announce it. */
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

/** Focuses an element that nobody could reach with the keyboard. */
function focusOn(element: HTMLElement | null): void {
  if (element === null) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
