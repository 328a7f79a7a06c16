import type { Locator, Page } from 'playwright-core';

/** The focus is lost if it stays on the body or on a hidden or disabled element for longer. A redraw takes less. */
const GRACE_MS = 400;
/** More Tab stops than any section has. */
const MAX_STOPS = 150;

type Role = 'button' | 'link' | 'textbox' | 'radio';

/** A user without a mouse: reaches everything by Tab, and notices a lost focus. */
export async function atKeyboard(page: Page) {
  // Records where the focus was each time that no usable element had it without a press of Tab.
  await page.addInitScript(`(${watchFocus})(${GRACE_MS})`);
  await page.reload();

  const press = (key: string) => page.keyboard.press(key);
  const tabbing = (is: boolean) => page.evaluate(`globalThis.isTabbing = ${is}`);

  const named = (role: Role, name: string | RegExp): Locator =>
    page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).first();

  /** Presses Tab until the element has the focus. */
  async function reach(found: Locator): Promise<void> {
    await found.waitFor();
    await page.evaluate('globalThis.focusIsBack()');
    await tabbing(true);
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      if ((await found.and(page.locator(':focus')).count()) > 0) {
        await tabbing(false);
        return;
      }
      await press('Tab');
    }
    throw new Error(`Tab does not reach ${found} in ${MAX_STOPS} steps.`);
  }

  return {
    reach,
    press,
    /** Waits until the button can be pressed. Enter opens links and presses buttons. */
    async enter(name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
      const found = named(role, name);
      await found.and(page.locator(':enabled, a')).waitFor();
      await reach(found);
      await press('Enter');
    },
    async type(label: string, text: string): Promise<void> {
      await reach(named('textbox', label));
      await press('Control+a');
      await page.keyboard.type(text);
    },
    /** Chooses one of a radio group. Tab reaches the group at its current choice. */
    async choose(from: string, to: string): Promise<void> {
      await reach(named('radio', from));
      const wanted = page.getByRole('radio', { name: to, exact: true });
      for (let stop = 0; !(await wanted.isChecked()); stop++) {
        if (stop > 10) throw new Error(`The arrows do not reach "${to}".`);
        await press('ArrowRight');
      }
    },
    /** Every loss of the focus so far, as the element that had it before. */
    lost: () => page.evaluate('globalThis.lostFocus') as Promise<string[]>,
  };
}

/** Runs in the page. A string, because this program has no DOM types. */
const watchFocus = `(grace) => {
  globalThis.lostFocus = [];
  globalThis.isTabbing = false;
  let before = '', since;
  const isHeld = () => {
    const active = document.activeElement;
    return active !== null && active !== document.body && active !== document.documentElement &&
      active.checkVisibility() && !active.matches(':disabled');
  };
  const lose = () => {
    globalThis.lostFocus.push(before);
    before = '';
  };
  // Before Tab is pressed: afterwards nobody could tell that it was gone.
  globalThis.focusIsBack = async () => {
    for (let waited = 0; before !== '' && !isHeld(); waited += 25) {
      if (waited > grace) return lose();
      await new Promise((done) => setTimeout(done, 25));
    }
  };
  const wordsOf = (element) => element.tagName.toLowerCase() + ' “' + (element.getAttribute('aria-label') || element.textContent).trim().slice(0, 60) + '”';
  setInterval(() => {
    const active = document.activeElement;
    if (isHeld()) {
      before = wordsOf(active);
      since = undefined;
    } else if (before === '' || globalThis.isTabbing) since = undefined;
    else if (since === undefined) since = performance.now();
    else if (performance.now() - since > grace) lose();
  }, 25);
}`;
