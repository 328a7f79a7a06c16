import type { LendingReader } from './reader.ts';
import { venus } from './venus.ts';

const readers: readonly LendingReader[] = [venus];

/** The reader of a protocol by its name in the registry; undefined if there is none: then only its adapter tells. */
export const readerOf = ({ name }: { readonly name: string }): LendingReader | undefined =>
  readers.find((each) => each.name === name);
