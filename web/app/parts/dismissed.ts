/** What is used of an open menu, a `<details>`. */
interface Menu {
  open: boolean;
  contains(node: unknown): boolean;
  querySelector(selector: 'summary'): { focus(): void } | null;
}

/**
 * Closes a menu on Escape, which gives the focus back to its summary, and on a press elsewhere.
 * @param around hears of both: the document.
 * @returns ends it.
 */
export function dismissed(menu: Menu, around: EventTarget): () => void {
  const onKey = (event: Event) => {
    if (!menu.open || !('key' in event) || event.key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  };
  const onPress = (event: Event) => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
  };
  around.addEventListener('keydown', onKey);
  around.addEventListener('pointerdown', onPress);
  return () => {
    around.removeEventListener('keydown', onKey);
    around.removeEventListener('pointerdown', onPress);
  };
}
