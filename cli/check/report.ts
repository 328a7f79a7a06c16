import type { Finding } from '@bowline/chain/preflight';

/** What could not be looked at, and why. */
interface Unchecked {
  readonly check: string;
  readonly unchecked: string;
}

export type Line = Finding | Unchecked;

export interface Report {
  /** Prints a section, if it has lines. */
  show(title: string, lines: readonly Line[]): void;
  /** Prints the sum. @returns whether nothing is wrong. */
  conclude(): boolean;
}

/** A report on standard output, as it grows. */
export function openReport(): Report {
  const shown: Line[] = [];
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  return {
    show(title, lines) {
      shown.push(...lines);
      if (lines.length > 0) print(`${title}\n${linesOf(lines)}\n`);
    },
    conclude() {
      const wrong = shown.filter(isWrong);
      const unchecked = shown.filter((line) => 'unchecked' in line).length;
      const open = unchecked === 0 ? '' : ` ${unchecked} ${unchecked === 1 ? 'was' : 'were'} not looked at.`;
      const count = `${wrong.length} ${wrong.length === 1 ? 'line is' : 'lines are'} wrong.${open}`;
      print(
        wrong.length === 0
          ? `Nothing is wrong.${open}`
          : `${count} What will not work, and what to do:\n\n${remediesOf(wrong)}`,
      );
      return wrong.length === 0;
    },
  };
}

const isWrong = (line: Line): line is Finding => 'ok' in line && !line.ok;

/** Of the longest names, so that the sections stand in one line. */
const width = 22;

function linesOf(lines: readonly Line[]): string {
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
function remediesOf(missing: readonly Finding[]): string {
  // One node often lacks several things with the same effect.
  const effects = Map.groupBy(missing, ({ without }) => without);
  return [...effects]
    .map(([without, some]) =>
      [`  ${without}`, ...some.map(({ check, remedy }) => `    ${check}: ${remedy}`)].join('\n'),
    )
    .join('\n\n');
}
