import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { breaks } from './breaks.ts';

const script = fileURLToPath(new URL('./broken.ts', import.meta.url));
const edited = breaks.flatMap(({ edits }) => edits);

test.each(edited)('the break of $file is of its code as it is', ({ file, find }) => {
  expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
});

test.each(breaks)('$invariant notices that $wrong', { tags: ['long'] }, ({ invariant }) => {
  const printed = execFileSync(process.execPath, [script, invariant], { encoding: 'utf8' });
  expect(printed.trim()).toMatch(/^(its story|seed \d+)$/);
});
