import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  ...[
    'README.md',
    'AUDIT.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'examples/README.md',
    'packages/sdk/README.md',
  ],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

test.each(pages)('%s links to files that exist and names commands that exist', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link as string);
  const dead = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(page), link)));
  expect(dead).toEqual([]);

  const anchors = [...text.matchAll(/\]\(([^)#\s]*)#([^)]*)\)/g)].filter(
    ([, link]) => !/^https?:/.test(link as string),
  );
  const missing = anchors.filter(([, link, anchor]) => {
    const target = link ? join(root, dirname(page), link) : join(root, page);
    return target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor as string);
  });
  expect(missing.map(([whole]) => whole)).toEqual([]);

  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = [...text.matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, script]) => script as string);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

test('every page with commands is tried by `npm run test:docs`, or is named there with the reason why not', () => {
  const said = execFileSync(process.execPath, ['tools/docs.mjs', '--pages'], { cwd: root, encoding: 'utf8' });
  expect(said).toMatch(/^(not tried: \S+\.md: \S.*\n)*$/);
});

/** As GitHub makes them of headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title as string);
  return headings.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
