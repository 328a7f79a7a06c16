import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { kept } from '../../lab/world/kept.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const kind = `kept-test-${process.pid}`;
const sources = [`.cache/${kind}-sources`];
const source = join(root, `.cache/${kind}-sources/One.sol`);

const clear = () => {
  for (const name of [kind, `${kind}-sources`]) rmSync(join(root, '.cache', name), { recursive: true, force: true });
};
beforeEach(() => {
  clear();
  mkdirSync(join(root, '.cache', `${kind}-sources`), { recursive: true });
  writeFileSync(source, 'contract One {}');
});
afterAll(clear);

const make = (content: string, setting = '') => kept(kind, sources, setting, async () => content);

test('is built once, and anew for other sources and another setting', async () => {
  const path = await make('first');
  expect(await make('second')).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(readFileSync(await make('third', 'setting'), 'utf8')).toBe('third');
  writeFileSync(source, 'contract One { uint256 two; }');
  expect(readFileSync(await make('fourth'), 'utf8')).toBe('fourth');
});

test('keeps nothing of a build that failed or whose sources changed meanwhile', async () => {
  await expect(kept(kind, sources, '', () => Promise.reject(new Error('no compiler')))).rejects.toThrow('no compiler');
  const changing = kept(kind, sources, '', async () => {
    writeFileSync(source, 'contract One { uint256 two; }');
    return 'half of each';
  });
  await expect(changing).rejects.toThrow('changed while it was built');
  expect(readFileSync(await make('whole'), 'utf8')).toBe('whole');
});

test('removes what nobody has built for a day', async () => {
  const [old, young] = [await make('old', 'one'), await make('young', 'two')];
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
  utimesSync(old, twoDaysAgo, twoDaysAgo);
  const path = await make('new', 'three');
  expect(readdirSync(join(root, '.cache', kind)).sort()).toEqual([young, path].map((each) => each.slice(-21)).sort());
});
