import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import groups from '../../web/docs/pages.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = Object.values(groups).flatMap((group) => Object.keys(group));

test.each(pages)('%s links to files that exist and names commands that exist', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link as string);
  const dead = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(page), link)));
  expect(dead).toEqual([]);

  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // A released section names what its release has. A line may break inside a command.
  const today = (page === 'CHANGELOG.md' ? text.replace(/^## \d[\s\S]*/m, '') : text).replaceAll(/\s+/g, ' ');
  const named = (pattern: RegExp) => [...today.matchAll(pattern)].map(([, name]) => name as string);
  expect(named(/npm run ([a-z][a-z:-]*)/g).filter((script) => !(script in scripts))).toEqual([]);
  expect(named(/npm run lab -- ([a-z][a-z:-]*)/g).filter((name) => !listed('lab/main.ts').has(name))).toEqual([]);
  expect(named(/npx bowline ([a-z][a-z-]*)/g).filter((name) => !listed('cli/main.ts').has(name))).toEqual([]);
});

/** The commands that a program lists when it is given none. */
const listings = new Map<string, Set<string>>();
function listed(program: string): Set<string> {
  const known = listings.get(program);
  if (known) return known;
  const { stderr } = spawnSync(process.execPath, [program], { cwd: root, encoding: 'utf8' });
  const names = new Set([...stderr.matchAll(/^ {2}([a-z][a-z:-]*) /gm)].map(([, name]) => name as string));
  listings.set(program, names);
  return names;
}

const said = (...words: readonly string[]): string =>
  execFileSync(process.execPath, ['lab/tools/docs.mjs', '--pages', ...words], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  });
const tried = (printed: string): string[] => /^tried: (.*)$/m.exec(printed)?.[1]?.split(', ') ?? [];

test('every page with commands is tried by `npm run lab -- docs`, or is named there with the reason why not', () => {
  expect(said()).toMatch(/^(not tried: \S+\.md: \S.*\n)*tried: .*\n$/);
  expect(tried(said('docs/owners.md', 'README.md'))).toEqual(['README.md', 'docs/owners.md']);
  expect(() => said('docs/limits.md')).toThrow('docs/limits.md is no page with commands');
});
