import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const source = 'docs/reasons.md';

/** The content of the tables in docs/reasons.md; `words` is the text for people. */
export interface Tables {
  readonly reasons: readonly { number: string; name: string; checks: readonly string[]; words: string }[];
  readonly checks: readonly { name: string; words: string; question: string }[];
  readonly refusals: readonly { name: string; words: string }[];
}

/** The tables, and the problems of their form. */
export function readTables(root: string): { tables: Tables; problems: string[] } {
  const problems: string[] = [];
  const lines = readFileSync(join(root, source), 'utf8').split('\n');

  /** The rows of every table with these columns. */
  function rowsOf(...columns: string[]): string[][] {
    const rows = lines.flatMap((line, at) => {
      if (line !== `| ${columns.join(' | ')} |`) return [];
      const rest = lines.slice(at + 2);
      const end = rest.findIndex((row) => !row.startsWith('|'));
      return end < 0 ? rest : rest.slice(0, end);
    });
    if (rows.length === 0) problems.push(`${source} has no table of ${columns.join(', ')}`);
    return rows.map((row) => {
      const cells = row.split('|').map((cell) => cell.trim());
      if (cells.length !== columns.length + 2 || cells.slice(1, -1).includes(''))
        problems.push(`${source}: the row ${row} does not have ${columns.join(', ')}`);
      return columns.map((_, at) => cells[at + 1] ?? '');
    });
  }

  const tables: Tables = {
    reasons: rowsOf('number', 'reason', 'checks', 'in words', 'when').map(
      ([number = '', name = '', from = '', words = '']) => ({
        number,
        name,
        checks: from.split(', '),
        words,
      }),
    ),
    checks: rowsOf('check', 'name', 'question').map(([name = '', words = '', question = '']) => {
      return { name, words, question };
    }),
    refusals: rowsOf('refusal', 'in words').map(([name = '', words = '']) => ({ name, words })),
  };
  return { tables, problems: [...problems, ...wordingProblems(tables)] };
}

function wordingProblems({ reasons, checks, refusals }: Tables): string[] {
  const problems: string[] = [];
  for (const rows of [[...reasons, ...refusals], checks]) {
    for (const [at, { name, words }] of rows.entries()) {
      if (!/^[a-z]+(_[a-z]+)*$/.test(name)) problems.push(`${source}: ${name} is not lower_snake`);
      if (rows.findIndex((row) => row.name === name) !== at) problems.push(`${source} has ${name} twice`);
      if (/['’]|\.$/.test(words)) problems.push(`${source}: ${name} in words has an apostrophe or a full stop`);
    }
  }
  // Numbers must have no gap, so that a removed or reused number is noticed. After one gap every number is wrong.
  const at = reasons.findIndex(({ number }, index) => number !== `${index + 1}`);
  const wrong = reasons[at];
  if (wrong !== undefined) problems.push(`${source}: ${wrong.name} has number ${wrong.number} instead of ${at + 1}`);
  return problems;
}
