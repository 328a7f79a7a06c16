import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { complaintsOf, importsOfCheckout, walksIn } from '../../tools/walks.mjs';

const imports = new Map([
  ['agent/src/compose/a.ts', ['agent/src/chain/reader.ts']],
  ['agent/src/api/http.ts', ['agent/src/tools/call.ts', 'packages/http/problem.ts']],
  ['agent/src/tools/call.ts', ['packages/core/domain/units.ts']],
  ['agent/src/chain/reader.ts', ['agent/src/chain/client.ts']],
  ['agent/src/chain/client.ts', []],
  ['agent/src/chain/stray.ts', []],
]);
const files = [
  'agent/src/api/http.ts',
  'agent/src/tools/call.ts',
  'agent/src/chain/reader.ts',
  'agent/src/chain/client.ts',
];

test('a walk that is complete and connected has nothing wrong', () => {
  expect(complaintsOf({ name: 'w', max: 4, files }, imports)).toEqual([]);
});

test('a file that runs and is not listed is named', () => {
  expect(complaintsOf({ name: 'w', max: 4, files: files.slice(0, 3) }, imports)).toEqual([
    'w: agent/src/chain/reader.ts imports agent/src/chain/client.ts, which is not listed',
  ]);
});

test('a file that nothing leads to is named, as is one that there is not', () => {
  expect(
    complaintsOf({ name: 'w', max: 9, files: [...files, 'agent/src/chain/stray.ts', 'gone.ts'] }, imports),
  ).toEqual(['w: nothing on the walk imports agent/src/chain/stray.ts', 'w: gone.ts does not exist']);
});

test('a walk that is too long is named', () => {
  expect(complaintsOf({ name: 'w', max: 3, files }, imports)).toEqual(['w passes 4 files; at most 3 are allowed']);
});

test('walks are read from headings and links, each file once', () => {
  const text =
    '## Walks\n\n### A (at most 3 files)\n[a](../x/a.ts) [a](../x/a.ts) [b](../b.ts)\n\n### B (at most 1 files)\n\n## End\n[c](../c.ts)\n';
  expect(walksIn(text)).toEqual([
    { name: 'A', max: 3, files: ['x/a.ts', 'b.ts'] },
    { name: 'B', max: 1, files: [] },
  ]);
});

test('the walks of docs/architecture.md are those that the imports show', async () => {
  const page = fileURLToPath(new URL('../../docs/architecture.md', import.meta.url));
  const walks = walksIn(readFileSync(page, 'utf8'));
  expect(walks.map(({ max }) => max)).toEqual([30, 35, 18]);
  const found = await importsOfCheckout();
  expect(walks.flatMap((walk) => complaintsOf(walk, found))).toEqual([]);
});
