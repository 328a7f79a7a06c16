import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// DP-76: what is promised is shown. A requirement is cited by a test, or by a program that shows it when it is run.

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');
const ids = [...read('docs/specs.md').matchAll(/^- \*\*([A-Z]{2}-\d+)\*\*/gm)].map(([, id = '']) => id);

/** What shows a requirement and is no test: commands of `npm run lab` that fail where the requirement does not hold. */
const programs = ['web/test/gallery.ts', 'lab/bench/web.ts', 'lab/day/day.ts'];

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\0');
const tests = files.filter((path) => /(\.test\.ts|\.t\.sol)$|^test\/tokens\/.*\.sol$/.test(path));
const proofs = files.filter((path) => /^test\/proofs\/.*\.sol$/.test(path));

/** One or several, as the cases below have them. */
function citedIn(text: string): string[] {
  const cited = [...text.matchAll(/\b([A-Z]{2})-(\d+)(?:(?: to |…)(?:\1-)?(\d+))?((?:(?:, | and )\d+\b)*)/g)];
  return cited.flatMap(([, kind, first, last = first, more = '']) => {
    const range = Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at);
    return [...range, ...more.matchAll(/\d+/g)].map((number) => `${kind}-${number}`);
  });
}

const cited = new Set([
  ...[...tests, ...programs].flatMap((path) => citedIn(read(path))),
  // One contract for each property that the model checker proves.
  ...proofs.flatMap((path) => [...read(path).matchAll(/^contract PF(\d+) /gm)].map(([, number]) => `PF-${number}`)),
]);

test('DP-76: every requirement has one number, and is cited by a test or by a program that shows it', () => {
  expect(ids.length).toBeGreaterThan(700);
  expect(ids).toEqual([...new Set(ids)]);
  expect(ids.filter((id) => !cited.has(id))).toEqual([]);
});

test('DP-76: nothing cites a requirement that there is not', () => {
  const kinds = new Set(ids.map((id) => id.slice(0, 2)));
  const known = new Set(ids);
  const wrong = tests.flatMap((path) =>
    citedIn(read(path))
      .filter((id) => kinds.has(id.slice(0, 2)) && !known.has(id))
      .map((id) => `${path}: ${id}`),
  );
  expect(wrong).toEqual([]);
});

test('DP-76: a program that shows a requirement is a command of the lab', () => {
  const commands = read('lab/main.ts');
  for (const path of programs) {
    expect(citedIn(read(path)), path).not.toEqual([]);
    expect(commands).toContain(`'${path.startsWith('lab/') ? path.slice('lab/'.length) : `../${path}`}'`);
  }
});

// Kinds that there are not: this file cites nothing by them.
test.each([
  ['XA-1: it works', ['XA-1']],
  ['XB-3, XA-24: both', ['XB-3', 'XA-24']],
  ['XC-61…63: three', ['XC-61', 'XC-62', 'XC-63']],
  ['XD-16 to XD-18', ['XD-16', 'XD-17', 'XD-18']],
  ['XE-5, 7 and 9', ['XE-5', 'XE-7', 'XE-9']],
  ['USD-1 or A-1', []],
])('%s cites %j', (text, wanted) => {
  expect(citedIn(text)).toEqual(wanted);
});
