import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { remembered } from '../../lab/tools/remembered.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bowline-passed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** How many times each subject is judged, in the order in which they are given. */
function judged(subjects: string[][], verdict?: string): number {
  let times = 0;
  for (const subject of subjects) {
    const judge = () => {
      times += 1;
      return verdict;
    };
    expect(remembered(join(folder, 'marks'), subject, judge)).toBe(verdict);
  }
  return times;
}

test('what has passed is not judged again', () => {
  expect(judged([['compiler', 'proof', 'source']])).toBe(1);
  expect(judged([['compiler', 'proof', 'source']])).toBe(0);
});

test('what has failed is judged every time, until it passes', () => {
  const subject = ['compiler', 'proof', 'source'];
  expect(judged([subject, subject], 'one assertion is not proved')).toBe(2);
  expect(judged([subject, subject])).toBe(1);
});

test.each([
  ['another compiler', ['other', 'proof', 'source']],
  ['another kind', ['compiler', 'mutant', 'source']],
  ['another source', ['compiler', 'proof', 'source ']],
  ['the same text cut elsewhere', ['compiler', 'proofsource']],
])('%s is judged anew', (_what, subject) => {
  judged([['compiler', 'proof', 'source']]);
  expect(judged([subject])).toBe(1);
});
