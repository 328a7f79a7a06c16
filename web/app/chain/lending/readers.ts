import type { LendingReader } from './reader.ts';
import { venus } from './venus.ts';

const readers: readonly LendingReader[] = [venus];

/**
 * The reader of a protocol that the registry lists.
 * @throws if the page has none.
 */
export function readerOf({ name }: { readonly name: string }): LendingReader {
  const reader = readers.find((each) => each.name === name);
  if (reader === undefined) throw new Error(`the page cannot read ${name}`);
  return reader;
}
