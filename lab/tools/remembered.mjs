import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Judges only what has not passed before. Caches passes only: failures are judged again every time.
 * @param {string} folder of the marks, one empty file for each pass
 * @param {readonly string[]} subject everything that the verdict depends on; any other text is another subject
 * @param {() => string | undefined} judge what is wrong, in words; undefined when nothing is
 * @returns {string | undefined} the same
 */
export function remembered(folder, subject, judge) {
  const mark = join(folder, createHash('sha256').update(JSON.stringify(subject)).digest('hex'));
  if (existsSync(mark)) return undefined;
  const problem = judge();
  if (problem === undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(mark, '');
  }
  return problem;
}
