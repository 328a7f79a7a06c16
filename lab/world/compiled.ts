import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashOfFiles, kept } from './kept.ts';

// Contracts that a local chain needs are committed as compiled code, in compiled/, so that a start compiles nothing. Each file
// holds the hash of its sources; a stale file is not used. `npm run check` refuses a stale file, `npm run abis` rewrites it, and
// test/local/compiled.test.ts compiles them all again.

/** A compiled artifact, and what determines it. */
export interface Compilation<content> {
  /** Name of the file in compiled/. */
  readonly name: string;
  /** Files and folders of the checkout, from its root. */
  readonly sources: readonly string[];
  /** Runs the compiler. */
  build(): Promise<content>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Packages that contracts import, and the compiler. */
const packages = ['solc', '@openzeppelin/contracts', 'solady'];

const fileOf = (name: string) => new URL(`../../script/compiled/${name}.json`, import.meta.url);

/** The committed content if it matches these sources; otherwise compiles them now, once. */
export async function compiledOf<content>(compilation: Compilation<content>): Promise<content> {
  if (isCurrent(compilation)) return JSON.parse(readFileSync(fileOf(compilation.name), 'utf8')).content;
  const { name, sources, build } = compilation;
  return JSON.parse(readFileSync(await kept(name, sources, '', async () => JSON.stringify(await build())), 'utf8'));
}

/** Whether the committed file matches these sources. */
export function isCurrent({ name, sources }: Compilation<unknown>): boolean {
  const file = fileOf(name);
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).sources === hashOf(sources);
}

/** Compiles and writes the file to commit. */
export async function writeCompiled({ name, sources, build }: Compilation<unknown>): Promise<void> {
  const file = { sources: hashOf(sources), content: await build() };
  writeFileSync(fileOf(name), `${JSON.stringify(file, null, 1)}\n`);
}

function hashOf(sources: readonly string[]): string {
  const hash = hashOfFiles(sources);
  const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  for (const name of packages) hash.update(`${name}@${devDependencies[name]}\n`);
  return hash.digest('hex');
}
