import { browserStorage } from '../storage.ts';
import { type Language, languageOf, speak } from './language.ts';
import type { Translation } from './translation.ts';

// The page's language: the one chosen here before, or else the browser's first that the page has.

const KEY = 'bowline.language';

/** Sets the language of this visit. English is built in and needs no waiting. */
export function speakFirst(then: () => void): void {
  const first = languageOf(browserStorage.getItem(KEY), navigator.languages);
  if (first === 'en') then();
  // If the file fails to load, the page is in English.
  else void turnTo(first).then(then, then);
}

/** Loads a language and switches to it. @throws if its file could not be loaded: then nothing has changed. */
async function turnTo(next: Language): Promise<void> {
  const texts: Translation | undefined = next === 'en' ? undefined : await import('./zh-CN/zh-CN.ts');
  speak(next, texts);
  document.documentElement.lang = next;
}

const listeners = new Set<() => void>();

/** Calls after each change of the language. */
export const onLanguage = (listener: () => void): void => void listeners.add(listener);

/** Switches to another language for good in this browser. Nothing typed or in progress is lost. */
export async function choose(next: Language): Promise<void> {
  try {
    await turnTo(next);
  } catch {
    // The page's server does not answer: the page stays as it is.
    return;
  }
  browserStorage.setItem(KEY, next);
  for (const listener of listeners) listener();
}
