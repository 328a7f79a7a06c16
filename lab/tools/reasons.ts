// `npm run lab -- reasons`: generates files from the tables in docs/reasons.md, the single source. With --check it writes
// nothing, and a generated file that differs is an error. Both modes report tables that contradict the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checks as ours } from '../../packages/core/verdict/checks/index.ts';
import { type Checks, codeProblems } from './reasons/code.ts';
import { generated } from './reasons/generated.ts';
import { readTables, source } from './reasons/tables.ts';

/** The generated files of the checkout at `root`, those that differ, and the problems of the tables, one sentence each. */
export function inspectReasons(root: string, checks: Checks = ours) {
  const { tables, problems } = readTables(root);
  const files = generated(tables);
  const stale = files.flatMap(({ path, text, rows }) => {
    const present = readFileSync(join(root, path), 'utf8');
    if (present === text) return [];
    // Names the rows that only one side has, because "the file differs" alone would not.
    const names = [...present.matchAll(/^ {2}([a-z_]+):/gm)].map(([, name]) => name);
    const gone = names.filter((name) => !rows.some((row) => row.name === name));
    return [`${path} is out of date with ${source}${gone.map((name) => `; ${name} has no row`).join('')}`];
  });
  return { files, stale, problems: [...problems, ...codeProblems(root, tables, checks)] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(dirname(process.argv[1])));
  const isCheck = process.argv.includes('--check');
  const { files, stale, problems } = inspectReasons(root);
  const found = isCheck ? [...problems, ...stale] : problems;
  if (found.length > 0) {
    console.error(found.join('\n'));
    process.exitCode = 1;
  } else if (!isCheck) for (const { path, text } of files) writeFileSync(join(root, path), text);
}
