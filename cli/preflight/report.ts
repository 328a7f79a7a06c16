import type { Finding } from '../../agent/src/chain/preflight.ts';

/** What could not be looked at, and why. */
interface Unchecked {
  readonly check: string;
  readonly unchecked: string;
}

export type Line = Finding | Unchecked;

export const isWrong = (line: Line): line is Finding => 'ok' in line && !line.ok;

/** What was found, one line each; then what is missing, with what will not work and what to do. */
export function reportOf(title: string, findings: readonly Finding[]): string {
  const missing = findings.filter(isWrong);
  const lines = `${title}\n\n${linesOf(findings, 'MISSING')}`;
  if (missing.length === 0) return `${lines}\n\nNothing is missing.\n`;
  const count = `${missing.length} of ${findings.length} ${missing.length === 1 ? 'is' : 'are'} missing`;
  return `${lines}\n\n${count}. What will not work, and what to do:\n\n${remediesOf(missing)}\n`;
}

/**
 * One line each.
 * @param wrong the word for what is not ok.
 * @param width of the names; by default that of the longest.
 */
export function linesOf(
  lines: readonly Line[],
  wrong: string,
  width = Math.max(...lines.map(({ check }) => check.length)),
): string {
  const textOf = (line: Line): readonly [mark: string, text: string] => {
    if ('unchecked' in line) return ['-', line.unchecked];
    return [line.ok ? 'ok' : wrong, line.found];
  };
  return lines
    .map((line) => {
      const [mark, text] = textOf(line);
      return `  ${mark.padEnd('MISSING'.length)}  ${line.check.padEnd(width)}  ${text}`;
    })
    .join('\n');
}

/** What will not work, each with the remedies. */
export function remediesOf(missing: readonly Finding[]): string {
  // One node often lacks several things with the same effect.
  const effects = Map.groupBy(missing, ({ without }) => without);
  return [...effects]
    .map(([without, some]) =>
      [`  ${without}`, ...some.map(({ check, remedy }) => `    ${check}: ${remedy}`)].join('\n'),
    )
    .join('\n\n');
}
