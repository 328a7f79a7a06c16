import type { CautionReason } from '@bowline/core/texts/cautions';

/** The page's languages, each by its own name. English is in the code; others are files, loaded when chosen. */
export const languages = { en: 'English', 'zh-CN': '简体中文' } as const;

export type Language = keyof typeof languages;

/** Formats of times: English with the day before the month. */
const locales = { en: 'en-GB', 'zh-CN': 'zh-CN' } as const;

/** The part of a translation that covers packages/core. The whole is a Translation (translation.ts). */
interface Core {
  readonly reasonTexts: Readonly<Record<string, string>>;
  readonly checkNames: Readonly<Record<string, string>>;
  readonly cautionTexts: Readonly<Record<CautionReason, string>>;
  readonly sentence: (clause: string) => string;
}

let spoken: Language = 'en';
let translation: Core | undefined;
const parts: { readonly name: string; readonly english: object; readonly shown: object }[] = [];

/**
 * Texts in the page's language. The object is the same in every language, so it can be imported at once. Read a text
 * when it is shown, never when a file is loaded.
 * @param name its key in a translation.
 */
export function said<Texts extends object>(name: string, english: Texts): Texts {
  const shown = { ...english };
  parts.push({ name, english, shown });
  fill(name, english, shown);
  return shown;
}

function fill(name: string, english: object, shown: object): void {
  const texts = translation as unknown as Readonly<Record<string, object>> | undefined;
  Object.assign(shown, texts?.[name] ?? english);
}

export const language = (): Language => spoken;

export const locale = (): string => locales[spoken];

/** The translation of reasons and checks; undefined in English. */
export const translated = (): Core | undefined => translation;

/** Switches every text to another language. What is already shown must be rendered again. */
export function speak(next: Language, texts: Core | undefined): void {
  spoken = next;
  translation = texts;
  for (const { name, english, shown } of parts) fill(name, english, shown);
}

/**
 * The language chosen before, or else the browser's first that the page has.
 * @param chosen the stored choice.
 * @param preferred the browser's languages, the most preferred first.
 */
export function languageOf(chosen: string | null, preferred: readonly string[]): Language {
  if (chosen !== null && isLanguage(chosen)) return chosen;
  for (const each of preferred) {
    const { language, script, region } = localeOf(each) ?? {};
    if (language === 'en') return 'en';
    // Simplified Chinese does not serve readers of Traditional Chinese.
    if (language === 'zh' && script === 'Hans' && region !== undefined) return 'zh-CN';
  }
  return 'en';
}

/** Undefined for an invalid language tag: a browser on a POSIX locale reports "en-US@posix". */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);
