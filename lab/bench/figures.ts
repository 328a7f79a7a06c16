import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecorded, toMarkdown } from './record.ts';
import { figured } from './verdict-quality/figured.ts';
import { hashOfInputs } from './verdict-quality/inputs.ts';
import type { Committed } from './verdict-quality/result.ts';
import { tables } from './verdict-quality/tables.ts';

// `npm run lab -- figures`: rewrites the tables of the pages below from committed benchmark results: those of
// `npm run lab -- bench:verdict-quality`, and those in lab/bench/results, which a benchmark writes with --record. --check
// writes nothing, and fails if a table differs, or if the verdict quality is of other rules, limits or prices.

const pages = [
  'docs/reference/accuracy.md',
  'docs/reference/crashes.md',
  'docs/reference/verdict-quality.md',
  'docs/scale.md',
  'docs/verdict.md',
];
const root = new URL('../../', import.meta.url);
const isCheck = process.argv.includes('--check');

const result: Committed = JSON.parse(readFileSync(new URL('lab/bench/verdict-quality/result.json', root), 'utf8'));
const { command, revision, date } = result.made;
const source = `Measured by \`${command}\`: revision ${revision}, ${date}.`;
const made = { ...tables(result), source, ...recordedTables() };
const problems: string[] = [];
if (result.inputs !== hashOfInputs()) {
  problems.push(
    'lab/bench/verdict-quality/result.json is of other rules, limits, prices or code: npm run lab -- bench:verdict-quality',
  );
}
const shown = new Set<string>();
for (const page of pages) {
  const present = readFileSync(new URL(page, root), 'utf8');
  const { text, names, unknown } = figured(present, made);
  for (const name of names) shown.add(name);
  problems.push(...unknown.map((name) => `${page} has a place for the table "${name}", which there is not`));
  if (text === present) continue;
  if (isCheck) problems.push(`${page} has other figures than the committed results: npm run lab -- figures`);
  else writeFileSync(new URL(page, root), text);
}
problems.push(...Object.keys(made).flatMap((name) => (shown.has(name) ? [] : [`no page shows the table "${name}"`])));
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

function recordedTables(): Record<string, string> {
  const names = globSync('lab/bench/results/*.json', { cwd: fileURLToPath(root) }).map((file) =>
    basename(file, '.json'),
  );
  return Object.fromEntries(names.map((name) => [name, toMarkdown(readRecorded(name))]));
}
