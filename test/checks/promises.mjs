// A step of `npm run check`: each promise of docs/promises.md has one number and is cited by a test, and no file of the
// checkout cites a number that does not exist.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = 'docs/promises.md';
const TEST = /\.test\.ts$|^test\/.*\.sol$/;
const TEXT = /\.(ts|tsx|mjs|sol|md|json|yml)$/;

/** @param {string} path of a file, from the root of the checkout */
const read = (path) => readFileSync(join(root, path), 'utf8');

const promised = [...read(PAGE).matchAll(/^- \*\*([A-Z]{2}-\d+)\*\*/gm)].map(([, id = '']) => id);
const kinds = [...new Set(promised.map((id) => id.slice(0, 2)))].join('|');

/** @param {string} text @returns {string[]} the numbers that it cites, those of "LG-3 to LG-6" as well */
function citedIn(text) {
  return [...text.matchAll(new RegExp(`\\b(${kinds})-(\\d+)(?:(?: to |…)(?:\\1-)?(\\d+))?(?![\\w-])`, 'g'))].flatMap(
    ([, kind, first, last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${kind}-${Number(first) + at}`),
  );
}

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\0');
const files = listed.filter((path) => TEXT.test(path) && path !== 'package-lock.json' && existsSync(join(root, path)));
const cited = files.map((path) => ({ path, ids: citedIn(read(path)) }));
const proven = new Set(cited.filter(({ path }) => TEST.test(path)).flatMap(({ ids }) => ids));
const known = new Set(promised);

const problems = [
  ...promised.filter((id, at) => promised.indexOf(id) !== at).map((id) => `${id} is there twice`),
  ...promised.filter((id) => !proven.has(id)).map((id) => `${id} is cited by no test`),
  ...cited.flatMap(({ path, ids }) =>
    ids.filter((id) => !known.has(id)).map((id) => `${path} cites ${id}, which is no promise`),
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
