import type { Asset } from '@bowline/core/domain/assets';
import { isMisspelt } from './vocabulary.ts';

/** A question that is read by removing, step by step, what has been understood. */
export class Text {
  value: string;

  constructor(value: string) {
    this.value = value.normalize('NFKC').replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
  }

  lower(): void {
    this.value = this.value.toLowerCase().replace(/'s\b/g, '');
  }

  /** Removes characters that serve as marks from here on: @ for an asset, capitals for numbers. */
  clearMarks(): void {
    this.value = this.value.replaceAll('@', ' at ').replaceAll('&', ' and ').replaceAll('#', ' ').replaceAll('~', ' ');
  }

  /** Collapses white space. */
  tidy(): string {
    this.value = this.value.replace(/\s+/g, ' ').trim();
    return this.value;
  }

  has(pattern: RegExp): boolean {
    return pattern.test(this.value);
  }

  /** Removes the first match and leaves a word in its place; undefined if there is none. */
  take(pattern: RegExp, leave = ''): RegExpExecArray | undefined {
    const match = pattern.exec(this.value);
    if (match === null) return undefined;
    this.value = `${this.value.slice(0, match.index)} ${leave} ${this.value.slice(match.index + match[0].length)}`;
    return match;
  }
}

const escaped = (name: string): string => name.replace(/[^a-z0-9 ]/g, '\\$&').replaceAll(' ', '\\s+');

const names = ({ symbol, aliases }: Asset): string[] => [symbol.toLowerCase(), ...aliases];

/** A misspelt word that was read as an asset. */
export interface Correction {
  readonly word: string;
  readonly asset: Asset;
}

/** Takes the listed assets out of the text and leaves an @ for each: the first asset belongs to the first @. */
export function takeAssets(text: Text, assets: readonly Asset[]): { named: Asset[]; corrections: Correction[] } {
  const named: Asset[] = [];
  const corrections: Correction[] = [];
  const byName = new Map(assets.flatMap((asset) => names(asset).map((name) => [name, asset] as const)));
  // Longest first, so that no name hides another. "2eth" is an amount and a name; "bitcoin cash" is another asset. The
  // chain's own name is not an asset.
  text.value = text.value.replace(/\bbnb (?=(?:smart )?chain\b)/g, '');
  const all = [...byName.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  text.value = text.value.replace(
    new RegExp(`(?<![a-z])(${all.join('|')})s?(?![a-z0-9]|_)`, 'g'),
    (_, name: string) => {
      const asset = byName.get(name.replace(/\s+/g, ' '));
      if (asset) named.push(asset);
      return ' @ ';
    },
  );
  if (named.length > 0) return { named, corrections };
  // Correct misspellings only if no name is spelt correctly: a word close to a name is more often just a word.
  text.value = text.value.replace(/[a-z]{4,}/g, (word) => {
    const [asset, ...others] = assets.filter((candidate) => names(candidate).some((name) => isMisspelt(word, name)));
    if (asset === undefined || others.length > 0 || ordinary.has(word)) return word;
    named.push(asset);
    corrections.push({ word, asset });
    return ' @ ';
  });
  return { named, corrections };
}

// Common words one letter away from an asset's name.
const ordinary = new Set(['other', 'either', 'ether', 'bother', 'whether']);

const what =
  'buy|sell|trade|swap|invest|want|need|like|care|give|tell|show|quote|check|judge|execute|do|forecast|bother|worry|send|sign';
const theRest = '(?=[,;.!?]|\\b(?:but|just|only|instead|rather)\\b|$)';
const negated = [
  new RegExp(
    `(?:(?<=^|[,;.!?]\\s*)|\\b(?:i|we|and|but|please|so|just)\\s+)(?:do not|don't|dont|never)\\s+(?:${what})\\b[^,;.!?]*?${theRest}`,
    'g',
  ),
  new RegExp(`(?<=^|[,;.!?]\\s*)not\\s+(?:the|an?|its)\\s+[^,;.!?]*?${theRest}`, 'g'),
  /(?:(?<=^|[,;.!?]\s*)|\band\s+)(?:no|without)\s+(?:an?\s+)?(?:verdict|quote|swap|history|chart|check|price)s?\b/g,
];

/**
 * "Don't buy, just tell me the price" asks for the price alone. "Why not buy?" and "isn't it cheap?" negate nothing.
 */
export function takeNegated(text: Text): void {
  for (const pattern of negated) {
    // Keeps the asset it was about: "don't buy @, what does it cost?"
    text.value = text.value.replace(pattern, (clause) => ` not_that ${'@ '.repeat(clause.split('@').length - 1)}`);
  }
}
