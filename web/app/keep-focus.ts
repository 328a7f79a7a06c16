// A button that is disabled while its transaction is signed, or a card that disappears afterwards, loses the focus. The
// next Tab then starts at the top of the page, and a screen reader says nothing. This module restores the focus for all
// sections, so that none of them can forget to.

/** Landmarks that can hold the focus in place of an element inside them. */
const places = 'form, article, section, details, header, nav, main';

/**
 * Moves a focus that would be lost to the nearest remaining landmark around it, and back once its element can take it
 * again. A focus that the user has moved or dropped stays as it is.
 * @returns a function that stops it.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined;
  let around: readonly HTMLElement[] = [];
  /** The element that holds the focus in place of `last`. */
  let stand: HTMLElement | undefined;

  function remember({ target }: Event): void {
    if (!(target instanceof HTMLElement) || target === stand) return;
    stand = undefined;
    last = target;
    around = ancestorsOf(target);
  }

  function forget({ target, relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null) return;
    // Only later does it show whether the element was being removed or disabled.
    setTimeout(() => {
      const isDropped = target === last && last !== undefined && canHave(last) && document.activeElement !== last;
      if (isDropped || (target === stand && stand?.isConnected)) last = undefined;
    });
  }

  function look(): void {
    const active = document.activeElement;
    if (last === undefined || active === last) return;
    const isStanding = stand !== undefined && active === stand;
    if (!isStanding && active !== null && active !== document.body) return;
    if (canHave(last)) {
      if (stand !== undefined) last.focus({ preventScroll: true });
      return;
    }
    if (isStanding) return;
    stand = around.find((each) => each.isConnected && each.checkVisibility());
    if (stand === undefined) return;
    if (stand.tabIndex < 0) stand.tabIndex = -1;
    stand.focus({ preventScroll: true });
  }

  // The browser takes the focus from a disabled element only at the next frame.
  const lookSoon = () => requestAnimationFrame(() => setTimeout(look));
  const changes = new MutationObserver(lookSoon);
  changes.observe(document.body, {
    attributes: true,
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden'],
  });
  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', forget);
  return () => {
    changes.disconnect();
    document.removeEventListener('focusin', remember);
    document.removeEventListener('focusout', forget);
  };
}

const canHave = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility();

/** Nearest first. The body is not included. */
function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const found = element.parentElement?.closest<HTMLElement>(places);
  return found ? [found, ...ancestorsOf(found)] : [];
}
