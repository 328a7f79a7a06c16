import { readFileSync, writeFileSync } from 'node:fs';
import { figured } from './verdict-quality/figured.ts';
import { hashOfInputs } from './verdict-quality/inputs.ts';
import type { Result } from './verdict-quality/result.ts';
import { tables } from './verdict-quality/tables.ts';

// `npm run figures`: rewrites the tables of the pages below from the committed result of `npm run bench:verdict-quality`.
// With --check it writes nothing, and fails where a table differs, or the result is of other rules, limits or prices.

const pages = ['docs/verdict.md', 'docs/reference/verdict-quality.md'];
const root = new URL('../', import.meta.url);
const isCheck = process.argv.includes('--check');

const result: Result = JSON.parse(readFileSync(new URL('bench/verdict-quality/result.json', root), 'utf8'));
const made = tables(result);
const problems: string[] = [];
if (result.inputs !== hashOfInputs()) {
  problems.push(
    'bench/verdict-quality/result.json is of other rules, limits, prices or code: npm run bench:verdict-quality',
  );
}
const shown = new Set<string>();
for (const page of pages) {
  const present = readFileSync(new URL(page, root), 'utf8');
  const { text, names, unknown } = figured(present, made);
  for (const name of names) shown.add(name);
  problems.push(...unknown.map((name) => `${page} has a place for the table "${name}", which there is not`));
  if (text === present) continue;
  if (isCheck) problems.push(`${page} has other figures than bench/verdict-quality/result.json: npm run figures`);
  else writeFileSync(new URL(page, root), text);
}
problems.push(...Object.keys(made).flatMap((name) => (shown.has(name) ? [] : [`no page shows the table "${name}"`])));
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
