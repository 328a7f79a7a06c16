import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Everything that the result follows from: rules, limits, registry, prices, and the generator itself.

const root = fileURLToPath(new URL('../../', import.meta.url));

const patterns = [
  'packages/core/verdict/**/*.ts',
  'packages/core/domain/{assets,facts,readable,units,verdict}.ts',
  'packages/core/registry/{assets,feeds,limits}.json',
  'packages/core/registry/{asset,feed,fitted}*.ts',
  'agent/src/sources/propose.ts',
  'bench/prices/*.{gz,ts}',
  'bench/verdict-quality/**/*.ts',
];
/** They show the result, and do not make it. */
const shown = ['tables', 'figured', 'inputs'].map((name) => `bench/verdict-quality/${name}.ts`);

/** One hash of the files' names and bytes: the same in every checkout with the same files. */
export function hashOfInputs(): string {
  const files = globSync(patterns, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const hash = createHash('sha256');
  for (const file of files.filter((path) => !shown.includes(path)).toSorted()) {
    hash.update(`${file}\0`).update(
      createHash('sha256')
        .update(readFileSync(`${root}${file}`))
        .digest(),
    );
  }
  return hash.digest('hex');
}
