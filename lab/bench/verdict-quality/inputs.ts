import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

// Everything that the result depends on: the generator, the rules and limits that it imports, and the prices.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const entry = 'lab/bench/verdict-quality/tasks.ts';
const prices = 'lab/bench/prices';

/** Paths of the project's files that load when this one is loaded, itself first. Types are not loaded. */
export function loadedBy(path: string, read: (path: string) => string = readText): string[] {
  const found = [path];
  for (const each of found) {
    if (!each.endsWith('.ts')) continue;
    for (const [, name = ''] of read(each).matchAll(/^(?:import|export)\s+(?!type\s)[^;]*?from '([^']+)'/gms)) {
      const next = name.startsWith('@bowline/')
        ? `${name.replace('@bowline/', 'packages/')}.ts`
        : name.startsWith('.') && normalize(join(dirname(each), name)).replaceAll('\\', '/');
      if (next && !found.includes(next)) found.push(next);
    }
  }
  return found;
}

/** The same in every checkout of the same files. Comments and empty lines do not count. */
export function hashOfInputs(): string {
  const hash = createHash('sha256');
  for (const file of loadedBy(entry).toSorted()) hash.update(`${file}\n${codeOf(readText(file))}\n`);
  for (const file of readdirSync(join(root, prices)).toSorted()) {
    if (file.endsWith('.gz')) hash.update(file).update(readFileSync(join(root, prices, file)));
  }
  return hash.digest('hex');
}

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Drops empty lines and whole comment lines, as this project writes them. */
const codeOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s*((\/\/|\/\*\*?|\*\/?)(\s|$)|$)/.test(line))
    .join('\n');
