import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { source, type Tables } from './tables.ts';

export type Checks = readonly { readonly id: string; readonly question: string }[];

/** Contradictions between the tables and the code of the checkout at `root`. */
export const codeProblems = (root: string, tables: Tables, checks: Checks): string[] => [
  ...checkProblems(tables, checks),
  ...reasonProblems(tables, checks),
  ...refusalProblems(root, tables),
];

/** Each check needs a row with its question. */
function checkProblems(tables: Tables, checks: Checks): string[] {
  const unknown = tables.checks
    .filter(({ name }) => !checks.some(({ id }) => id === name))
    .map(({ name }) => `${source}: no check is called ${name}`);
  const different = checks.flatMap(({ id, question }) => {
    const row = tables.checks.find(({ name }) => name === id);
    if (row === undefined) return [`${source}: the check ${id} has no row`];
    return row.question === question ? [] : [`${source}: the question of ${id} is "${question}"`];
  });
  return [...unknown, ...different];
}

/** A reason may name only existing checks. */
const reasonProblems = (tables: Tables, checks: Checks): string[] =>
  tables.reasons.flatMap(({ name, checks: named }) =>
    named
      .filter((id) => !checks.some((check) => check.id === id))
      .map((id) => `${source}: ${name} names ${id}, which is not a check`),
  );

/** A refusal must appear in the code as a quoted word or a contract error. */
function refusalProblems(root: string, { refusals }: Tables): string[] {
  const code = sources(root)
    .map((path) => read(root, path))
    .join('\n');
  const errors = filesIn(root, 'contracts', '.sol')
    .map((path) => read(root, path))
    .join('\n');
  return refusals
    .filter(({ name }) => {
      const error = name.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
      return !code.includes(`'${name}'`) && !errors.includes(`error ${error}(`);
    })
    .map(({ name }) => `${source}: no code refuses with ${name}`);
}

/** The shipped TypeScript, without generated files. */
const sources = (root: string): string[] =>
  ['agent/src', 'packages', 'web']
    .flatMap((folder) => [...filesIn(root, folder, '.ts'), ...filesIn(root, folder, '.tsx')])
    .filter((path) => !/\/(node_modules|dist|test|texts)\//.test(path));

const filesIn = (root: string, folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
