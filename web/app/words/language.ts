import type { Translation } from './translation.ts';

/** The page's languages, each by its own name. English is in the code; any other is a file that is loaded when chosen. */
export const languages = { en: 'English', 'zh-CN': '简体中文' } as const;

export type Language = keyof typeof languages;

/** Formats of times: English with the day before the month. */
const locales = { en: 'en-GB', 'zh-CN': 'zh-CN' } as const;

let spoken: Language = 'en';
let translation: Translation | undefined;
const parts: { readonly name: string; readonly english: object; readonly shown: object }[] = [];

/**
 * Texts in the page's language: the same object in each, so it can be imported at once. Read a text when it is shown, and
 * never when a file is loaded.
 * @param name its key in a translation.
 */
export function said<Texts extends object>(name: string, english: Texts): Texts {
  const shown = { ...english };
  parts.push({ name, english, shown });
  fill(name, english, shown);
  return shown;
}

function fill(name: string, english: object, shown: object): void {
  const texts = translation as Readonly<Record<string, object>> | undefined;
  Object.assign(shown, texts?.[name] ?? english);
}

export const language = (): Language => spoken;

export const locale = (): string => locales[spoken];

/** The translation of reasons and checks; undefined in English. */
export const translated = (): Translation | undefined => translation;

/** Has every text in another language from now on. What is shown already must be drawn again. */
export function speak(next: Language, texts: Translation | undefined): void {
  spoken = next;
  translation = texts;
  for (const { name, english, shown } of parts) fill(name, english, shown);
}
