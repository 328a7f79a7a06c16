import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { breaks } from './breaks.ts';

const script = fileURLToPath(new URL('./broken.ts', import.meta.url));

test.each(breaks)('$invariant notices that $wrong', { tags: ['long'] }, ({ invariant }) => {
  const printed = execFileSync(process.execPath, [script, invariant], { encoding: 'utf8' });
  expect(printed.trim()).toMatch(/^(its story|seed \d+)$/);
});
