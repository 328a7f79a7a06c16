import type { Finding } from '@bowline/chain/preflight';

/** What could not be looked at, and why. */
interface Unchecked {
  readonly check: string;
  readonly unchecked: string;
}

export type Line = Finding | Unchecked;

export const isWrong = (line: Line): line is Finding => 'ok' in line && !line.ok;

/** One line each; `width` is that of the names. */
export function linesOf(lines: readonly Line[], width: number): string {
  const textOf = (line: Line): readonly [mark: string, text: string] => {
    if ('unchecked' in line) return ['-', line.unchecked];
    return [line.ok ? 'ok' : 'WRONG', line.found];
  };
  return lines
    .map((line) => {
      const [mark, text] = textOf(line);
      return `  ${mark.padEnd('WRONG'.length)}  ${line.check.padEnd(width)}  ${text}`;
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
