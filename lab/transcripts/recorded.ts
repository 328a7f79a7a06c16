import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { differences } from './compare.ts';
import type { Recording } from './record.ts';

const folder = new URL('recorded/', import.meta.url);

/** Replaces what is recorded. */
export function keep(recording: Recording): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of Object.entries(recording)) writeFileSync(new URL(`${name}.txt`, folder), text);
}

/** What differs from what is recorded: the file, the heading of the request, and its changed lines. */
export function changesIn(recording: Recording): string[] {
  const recorded = existsSync(folder) ? readdirSync(folder).map((name) => name.replace(/\.txt$/, '')) : [];
  const names = [...new Set([...recorded, ...Object.keys(recording)])].sort();
  return names.flatMap((name) => differences(name, recordedText(name), recording[name] ?? ''));
}

function recordedText(name: string): string {
  const file = new URL(`${name}.txt`, folder);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
