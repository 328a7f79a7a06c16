import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/** A benchmark's committed result: the table that `npm run lab -- figures` puts into a page. */
export interface Recorded {
  readonly command: string;
  /** Revision of the measured code; with a plus if something was not committed. */
  readonly revision: string;
  /** UTC, YYYY-MM-DD. */
  readonly date: string;
  readonly cores: number;
  /** One-minute load averages at the start and at the end, including the benchmark's own work. */
  readonly loads: readonly [start: number, end: number];
  readonly table: Table;
}

/** The first row is the header. */
export type Table = readonly (readonly (string | number)[])[];

const folder = new URL('results/', import.meta.url);
const begun = { revision: revision(), load: load() };
/** Revision of the running code when the process began; with a plus if something was not committed. */
export const revisionAtStart = begun.revision;

/**
 * Prints the result of `npm run lab -- bench:NAME`, and writes it with its options to `lab/bench/results`, if `--record` was asked for.
 * @param tableName the table's own name, if one benchmark has several.
 */
export function record(isAsked: boolean, name: string, table: Table, tableName = name): void {
  console.log(
    `${table.map((row) => row.join(' | ')).join('\n')}\nload ${begun.load} at the start and ${load()} at the end`,
  );
  if (!isAsked) return;
  const options = process.argv.slice(2).filter((word) => word !== '--record');
  const recorded: Recorded = {
    command: [`npm run lab -- bench:${name}`, ...options].join(' '),
    revision: begun.revision,
    date: today(),
    cores: availableParallelism(),
    loads: [begun.load, load()],
    table,
  };
  writeFileSync(new URL(`${tableName}.json`, folder), `${JSON.stringify(recorded, null, 2)}\n`);
}

export function readRecorded(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Recorded;
}

/** A Markdown table with a line below it that says how it was made. Numbers are aligned to the right. */
export function toMarkdown({ command, revision, date, cores, loads, table }: Recorded): string {
  const [header = [], ...rows] = table;
  const isNumeric = (column: number) => rows.every((row) => /^[\d,.]*( |$)/.test(String(row[column])));
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, column) => (isNumeric(column) ? '--:' : '---'));
  const [start, end] = loads;
  const where = `revision ${revision}, ${date}, ${cores} cores, load ${start} at the start and ${end} at the end`;
  const made = `\`${command}\`: ${where}.`;
  return [line(header), line(rule), ...rows.map(line), '', made].join('\n');
}

/** With thousands separators: 1,234 or 1.05. */
export function figure(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** UTC, YYYY-MM-DD. */
export const today = (): string => new Date().toISOString().slice(0, 10);

function load(): number {
  return Number(loadavg()[0]?.toFixed(1));
}

function revision(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+'}`;
}
