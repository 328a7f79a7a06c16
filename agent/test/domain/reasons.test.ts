import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reasonCodes } from '../../src/domain/reasons.ts';

test('docs/reasons.md has every reason with its number, and no other', () => {
  const page = readFileSync(new URL('../../../docs/reasons.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+) \| (\w+) \|/gm)].map(([, number, reason]) => [reason, Number(number)]);
  expect(Object.fromEntries(rows)).toEqual(reasonCodes);
});

test('a number is used once', () => {
  const numbers = Object.values(reasonCodes);
  expect(new Set(numbers).size).toBe(numbers.length);
});
