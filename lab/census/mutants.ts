import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { breaks } from '../../agent/test/sim/breaks.ts';

/**
 * One mistake in TypeScript. `find` occurs once in the product's code, in whichever file, so that a move does not break it.
 * `test` is the end of the path of the test file that finds the mistake, or should.
 */
const mutantSchema = z.strictObject({
  id: z.string(),
  wrong: z.string(),
  find: z.string(),
  replace: z.string(),
  test: z.string(),
});
export type Mutant = z.infer<typeof mutantSchema>;

export interface PlacedMutant extends Mutant {
  readonly file: string;
  readonly testFile: string;
}

const folder = new URL('mutants/', import.meta.url);
const PRODUCT = /^(?:agent\/src|packages\/[^/]+|web)\/(?!test\/|gallery\/).*\.tsx?$/;
const TEST = /\.test\.ts$/;

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

/** All mutants, and what is wrong with the lists and with the simulation's breaks. */
export function readCensus(root: string) {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '');
  const texts = paths.filter((path) => PRODUCT.test(path)).map((path) => [path, read(root, path)] as const);
  const tests = paths.filter((path) => TEST.test(path));

  const lists = globSync('*.json', { cwd: folder }).sort();
  const listed = lists.flatMap((name) => z.array(mutantSchema).parse(readJson(name)));
  const ids = listed.map(({ id }) => id);
  const problems = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id}: the id occurs twice`);

  const mutants = listed.flatMap((mutant) => {
    const { id, find, replace, test } = mutant;
    const holders = texts.flatMap(([path, text]) => Array(text.split(find).length - 1).fill(path));
    const testFiles = tests.filter((path) => path === test || path.endsWith(`/${test}`));
    const [file] = holders;
    const [testFile] = testFiles;
    if (file === undefined || holders.length > 1) problems.push(`${id}: "${find}" occurs ${holders.length} times`);
    else if (testFile === undefined || testFiles.length > 1)
      problems.push(`${id}: ${testFiles.length} tests are ${test}`);
    else if (find === replace) problems.push(`${id}: changes nothing`);
    else return [{ ...mutant, file, testFile }];
    return [];
  });
  for (const { file, find } of breaks.flatMap(({ edits }) => edits)) {
    if (read(root, file).split(find).length !== 2) problems.push(`sim/breaks.ts: "${find}" is not once in ${file}`);
  }
  return { mutants, problems };
}

const read = (root: string, path: string): string => {
  try {
    return readFileSync(`${root}/${path}`, 'utf8');
  } catch (error) {
    // Deleted, but not committed yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};
