// A button that is disabled while its transaction is signed, or a card that is gone after it, takes the focus with it: the next
// Tab then begins at the top of the page, and a screen reader says nothing. No section can forget this, because it is
// mended here for all of them.

/** Landmarks of the page that can hold the focus in place of what was in them. */
const places = 'form, article, section, details, header, nav, main';

/**
 * Puts a focus that would be lost on the nearest place around it that is left, and back once its element can have it
 * again. A focus that its owner has moved or dropped stays as it is.
 * @returns ends it.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined;
  let around: readonly HTMLElement[] = [];
  /** Where it was put in place of `last`. */
  let stand: HTMLElement | undefined;

  function remember({ target }: Event): void {
    if (!(target instanceof HTMLElement) || target === stand) return;
    stand = undefined;
    last = target;
    around = ancestorsOf(target);
  }

  function forget({ target, relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null) return;
    // Whether it is about to be removed or disabled shows after this.
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

  // The browser takes the focus from a disabled element only when it next draws.
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

/** The nearest first. The page's own body is not among them. */
function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const found = element.parentElement?.closest<HTMLElement>(places);
  return found ? [found, ...ancestorsOf(found)] : [];
}
