import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { revisionAtStart, today } from '../bench/record.ts';
import { figured } from '../bench/verdict-quality/figured.ts';
import { type PathName, type Paths, pathNames } from './paths.ts';

const page = new URL('../../docs/reference/paths.md', import.meta.url);
/** The files of each path; their number is the path's ceiling. */
const recordFile = new URL('paths.json', import.meta.url);

export const readRecorded = (): Paths => JSON.parse(readFileSync(recordFile, 'utf8'));

/** A sentence for each path on which more files run than are recorded. */
export function excess(paths: Paths, recorded: Paths): string[] {
  return pathNames
    .filter((path) => paths[path].length > recorded[path].length)
    .map((path) => {
      const added = paths[path].filter((file) => !recorded[path].includes(file));
      return `${path}: ${paths[path].length} files run, and at most ${recorded[path].length} may. Not recorded: ${added.join(', ')}`;
    });
}

const markers: Readonly<Record<PathName, string>> = {
  question: 'agent/src/ask/by-rules.ts',
  verdict: 'agent/src/process/ticket-signer.ts',
  plan: 'agent/src/loops/executor/serve.ts',
  rescue: 'agent/src/loops/loan-guard/rescue.ts',
};

/** Paths that were not seen: their low counts would lower the ceilings for good. */
export const missed = (paths: Paths): PathName[] => pathNames.filter((path) => !paths[path].includes(markers[path]));

/** Writes the files of each path as data, and into their page. */
export function record(paths: Paths): void {
  const made = `\`npm run lab -- smoke --record\`: revision ${revisionAtStart}, ${today()}.`;
  const tables = Object.fromEntries(pathNames.map((path) => [path, `${tableOf(paths[path])}\n\n${made}`]));
  const { text, names } = figured(readFileSync(page, 'utf8'), tables);
  const missing = pathNames.filter((path) => !names.includes(path));
  if (missing.length > 0) throw new Error(`docs/reference/paths.md has no place for ${missing.join(', ')}.`);
  writeFileSync(page, text);
  writeFileSync(recordFile, `${JSON.stringify(paths, null, 2)}\n`);
}

/** One row per folder, sorted by name. */
export function tableOf(files: readonly string[]): string {
  const byFolder = Map.groupBy(files, (file) => dirname(file));
  const rows = [...byFolder].sort().map(([folder, all]) => {
    const names = all.map((file) => file.slice(folder.length + 1).replace(/\.tsx?$/, ''));
    return `| [${folder}](../../${folder}) | ${names.length} | ${names.join(', ')} |`;
  });
  return [`| ${files.length} files run | | |`, '| --- | --: | --- |', ...rows].join('\n');
}
