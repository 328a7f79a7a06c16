import { lista } from './lista.ts';
import type { LendingReader, Protocol } from './reader.ts';
import { venus } from './venus.ts';

const readers: readonly LendingReader[] = [venus, lista];

/** The reader of a protocol, by its name in the registry. Undefined: only the protocol's adapter can be read. */
export const readerOf = ({ name, family = name }: Pick<Protocol, 'name' | 'family'>): LendingReader | undefined =>
  readers.find((each) => each.name === family);
