/** Whether two different words are one edit apart (Damerau-Levenshtein): a letter extra, missing or wrong, or two swapped. */
export function distance1(word: string, other: string): boolean {
  if (word === other || Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(word.length, other.length) - start;
  while (end < most && word.at(-1 - end) === other.at(-1 - end)) end++;
  const [ours, theirs] = [word.slice(start, word.length - end), other.slice(start, other.length - end)];
  if (ours.length <= 1 && theirs.length <= 1) return true;
  return ours.length === 2 && theirs.length === 2 && ours[0] === theirs[1] && ours[1] === theirs[0];
}

export const hasSameLetters = (one: string, other: string): boolean =>
  [...one].toSorted().join('') === [...other].toSorted().join('');
