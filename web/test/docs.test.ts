import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemsPath } from '@bowline/http/problem';
import { problemCodes } from '@bowline/http/problems';
import { expect, test } from 'vitest';
import { docsFiles } from '../docs.ts';

// The documentation as static pages.

const files = docsFiles(fileURLToPath(new URL('../../', import.meta.url)), 'body {}');
const pages = files
  .filter(({ path }) => path.endsWith('.html'))
  .map(({ path, content }) => ({ path, html: `${content}` }));
const paths = new Set(files.map(({ path }) => path));

const idsIn = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

test('every page of the documentation is there, with a title of its own', () => {
  expect(pages.length).toBeGreaterThan(30);
  const titles = pages.map(({ html }) => /<title>(.*)<\/title>/.exec(html)?.[1]);
  expect(new Set(titles).size).toBe(titles.length);
});

test.each(pages.map(({ path, html }) => [path, html]))(
  '%s needs nothing that the page’s policy forbids',
  (path, html) => {
    expect(html).not.toMatch(/<script|<style|<[^>]* (style|on[a-z]+)=/i);
    const targets = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target]) => target as string);
    const missing = targets.filter((target) => {
      if (/^https?:/.test(target)) return !html.includes(`<a href="${target}"`);
      const [file = '', anchor] = target.split('#');
      const resolved = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file));
      if (target === '/') return false;
      const page = pages.find((each) => each.path === resolved);
      return !paths.has(resolved) || (anchor !== undefined && !idsIn(page?.html ?? '').includes(anchor));
    });
    expect(missing).toEqual([]);
  },
);

test('a link to a folder leads to its README', () => {
  const overview = pages.find(({ path }) => path === 'index.html')?.html ?? '';
  const linked = [...overview.matchAll(/<a href="([^"]*)"/g)].map(([, target]) => target);
  expect(linked).toEqual(expect.arrayContaining(['examples/index.html', 'packages/sdk/index.html', 'why/index.html']));
});

test('DP-69: the type of every problem leads to a section there', () => {
  const page = pages.find(({ path }) => `/docs/${path}` === problemsPath);
  expect(problemCodes.filter((code) => !idsIn(page?.html ?? '').includes(code))).toEqual([]);
});
