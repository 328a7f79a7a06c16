import { useEffect } from 'react';

/** After what React and the browser still do in the same turn: a browser takes the focus from a disabled button late. */
const SETTLES_MS = 50;

/**
 * Whoever uses the keyboard does not lose their place: when what has the focus goes away or is disabled, the focus moves
 * to what is left beside it, and never to the body.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** From what had the focus upwards; empty once a pointer has left it. */
    let trail: readonly Element[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: Event) => {
      trail = target instanceof Element ? [...upwards(target)] : [];
    };
    const forget = () => {
      trail = [];
    };
    const check = () => {
      const [last] = trail;
      if (last === undefined || document.activeElement !== document.body) return;
      if (last.isConnected && !last.matches(':disabled') && isShown(last)) return;
      for (const each of trail.slice(1)) {
        const next = each.isConnected ? placeIn(each) : undefined;
        if (next === undefined) continue;
        if (next.tabIndex < 0) next.tabIndex = -1;
        next.focus({ preventScroll: true });
        return;
      }
    };
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(check, SETTLES_MS);
    });
    const attributeFilter = ['disabled', 'hidden', 'open'];
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget, true);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget, true);
    };
  }, []);
}

function* upwards(element: Element): Generator<Element> {
  for (let each: Element | null = element; each !== null && each !== document.body; each = each.parentElement) {
    yield each;
  }
}

/** What of a part of the page takes the focus: a heading says where one is; without one, what can be pressed. */
const placeIn = (part: Element): HTMLElement | undefined =>
  ['h1, h2, h3', 'a[href], summary, button:enabled, input:enabled, textarea:enabled']
    .flatMap((places) => [...part.querySelectorAll<HTMLElement>(places)])
    .find(isShown);

const isShown = (element: Element): boolean => element.getClientRects().length > 0;
