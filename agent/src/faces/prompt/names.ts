import type { Asset } from '../../domain/assets.ts';
import type { Text } from './text.ts';

const escaped = (name: string): string => name.replace(/[^a-z0-9 ]/g, '\\$&').replaceAll(' ', '\\s+');

const names = ({ symbol, aliases }: Asset): string[] => [symbol.toLowerCase(), ...aliases];

/** What an asset is called, as a regular expression without groups; longest first, so that no name hides another. */
export const nameOf = (asset: Asset): string =>
  names(asset)
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');

/** Takes the listed assets out of the text, in its order, and leaves an @ for each. */
export function takeAssets(text: Text, assets: readonly Asset[]): Asset[] {
  const found: { at: number; asset: Asset }[] = [];
  for (const asset of assets) {
    const pattern = new RegExp(`(?<![a-z0-9])(?:${nameOf(asset)})(?![a-z0-9])`, 'g');
    for (const { index } of text.value.matchAll(pattern)) found.push({ at: index, asset });
  }
  // Misspelt words are looked at only where nothing is spelt right: a word that is close to a name is more often a word.
  if (found.length === 0) {
    for (const { 0: word, index } of text.value.matchAll(/[a-z]{4,}/g)) {
      const asset = assets.find((candidate) => names(candidate).some((name) => isMisspelt(word, name)));
      if (asset && !ordinary.has(word)) found.push({ at: index, asset });
    }
    const close = new Set(found.map(({ at }) => at));
    text.value = text.value.replace(/[a-z]{4,}/g, (word, at: number) => (close.has(at) ? '@' : word));
  }
  for (const asset of assets) {
    text.value = text.value.replace(new RegExp(`(?<![a-z0-9])(?:${nameOf(asset)})(?![a-z0-9])`, 'g'), '@');
  }
  return found.toSorted((a, b) => a.at - b.at).map(({ asset }) => asset);
}

// Words one letter away from the names of assets that are common.
const ordinary = new Set(['other', 'either', 'ether', 'bother', 'whether']);

/** One letter too many, too few or wrong, or two that have changed places; of short words the last alone. */
function isMisspelt(word: string, name: string): boolean {
  if (word === name || Math.abs(word.length - name.length) > 1 || name.length < 4) return false;
  let start = 0;
  while (start < word.length && word[start] === name[start]) start++;
  let end = 0;
  while (end < Math.min(word.length, name.length) - start && word.at(-1 - end) === name.at(-1 - end)) end++;
  const [ours, theirs] = [word.slice(start, word.length - end), name.slice(start, name.length - end)];
  const swapped = ours.length === 2 && theirs.length === 2 && ours[0] === theirs[1] && ours[1] === theirs[0];
  return swapped || (name.length >= 5 && ours.length <= 1 && theirs.length <= 1);
}
