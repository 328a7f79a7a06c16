import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const itself = 'test/tools/glossary.test.ts';
const texts = /\.(ts|tsx|js|mjs|sol|md|json|html|css)$|^\.env\.example$/;
// Recorded verdicts, and generated files.
const skipped = /^(test\/(corpus|vectors)|docs\/screens|package-lock\.json)/;

/** Every text file that is or may become part of a commit. */
const files = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .stdout.split('\0')
  .filter((path) => texts.test(path) && !skipped.test(path) && path !== itself)
  .flatMap((path) => {
    try {
      return [{ path, text: readFileSync(join(root, path), 'utf8') }];
    } catch {
      return []; // Deleted, but not committed yet.
    }
  });

const code = files
  .filter(({ path }) => /^(agent\/src|contracts|packages)\//.test(path) && !/\.test\.ts$/.test(path))
  .map(({ text }) => text)
  .join('\n');

const rows = [
  ...(readFileSync(join(root, 'docs/how-it-works.md'), 'utf8').split('## Glossary')[1] ?? '').matchAll(
    /^\| (?!word |---)([^|]+) \| [^|]+ \| ([^|]+) \|$/gm,
  ),
].map(([, word = '', names = '']) => [word, [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)] as const);

test('the glossary has each word once', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.map(([word]) => word)).toEqual([...new Set(rows.map(([word]) => word))]);
});

test.each(rows)('%s is used in the code', (_, names) => {
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !code.includes(name))).toEqual([]);
});

/** Words that the glossary replaced, and the lines that may still contain them: for Permit2, the names that its payers sign. */
const replaced: readonly (readonly [was: string, found: RegExp, allowed?: RegExp])[] = [
  [
    'witness: independent source',
    /\bwitness(es)?\b/i,
    /called a witness|\bwitness: |TokenPermissions\(|Witness\(address to|\{ Witness \}|'Witness'/,
  ],
  ['probe: lens', /probe/i],
  ['face: API', /\b[Ff]aces?\b|[a-z0-9]Face\b/, /@font-face/],
  ['most, least: max, min', /\b(MOST|LEAST)_|\b(most|least)[A-Z]\w/],
  ['guard that judges: verdict, checks', /\bguard (engine|judges|asks|finds|would buy)\b/i],
  [
    'policy of a loan: guard',
    /\bpolicy_?(id|count|unknown|(not_?)?active|expired|revoked|registered|cancelled)\b|unknown_policy|GuardPolicy|guard policy/i,
  ],
];

for (const [was, found, allowed] of replaced) {
  test(was, () => {
    const lines = files.flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, at) => ({ line, place: `${path}:${at + 1}` }))
        .filter(({ line }) => found.test(line) && !allowed?.test(line))
        .map(({ place, line }) => `${place}: ${line.trim().slice(0, 100)}`),
    );
    expect(lines).toEqual([]);
  });
}

test('in the contracts, and where guards are read and served, a policy is no guard', () => {
  const ofGuards = /^(contracts|abis|agent\/src\/(loops\/loan-guard|chain\/guard-reader))/;
  const lines = files
    .filter(({ path }) => ofGuards.test(path))
    .flatMap(({ path, text }) => text.split('\n').map((line) => `${path}: ${line.trim()}`))
    .filter((line) => /polic(y|ies)/i.test(line.replace(/GuardServingPolicy|serving policy/g, '')));
  expect(lines).toEqual([]);
});
