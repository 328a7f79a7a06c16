import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemsPath } from '@bowline/http/problem';
import { problemCodes } from '@bowline/http/problems';
import express from 'express';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { docsFiles } from '../docs/build.ts';
import groups from '../docs/pages.json' with { type: 'json' };
import { pageFiles } from '../server/files.ts';
import { browserHeaders } from '../server/headers.ts';
import { accessibilityProblems, launchBrowser, sizes } from './browser.ts';

// The documentation as static pages, and in a browser under the page's own policy.

const files = await docsFiles();
const pages = [...files]
  .filter(([path]) => path.endsWith('.html'))
  .map(([path, content]) => ({ path, html: `${content}` }));

const idsIn = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

test('every page of the documentation is in its sidebar, with a title of its own', () => {
  const written = readdirSync(fileURLToPath(new URL('../../docs', import.meta.url)), { recursive: true })
    .filter((name) => `${name}`.endsWith('.md'))
    .map((name) => `docs/${name}`);
  expect(written.filter((source) => !Object.values(groups).some((group) => source in group))).toEqual([]);
  const titles = pages.map(({ html }) => /<title>(.*)<\/title>/.exec(html)?.[1]);
  expect(new Set(titles).size).toBe(titles.length);
});

test.each(pages.map(({ path, html }) => [path, html]))(
  '%s needs nothing that the page’s policy forbids, and leads nowhere that is not',
  (path, html) => {
    expect(html).not.toMatch(/<script(?! type="module" src="[./a-z]+"><\/script>)|<style|<[^>]* (style|on[a-z]+)=/i);
    expect(idsIn(html)).toEqual([...new Set(idsIn(html))]);
    const targets = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target]) => target as string);
    const missing = targets.filter((target) => {
      if (/^https?:/.test(target)) return !html.includes(`<a href="${target}"`);
      if (target === '/') return false;
      const [file = '', anchor] = target.split('#');
      const resolved = posix.join(
        '/docs',
        file === '' ? path : posix.resolve('/', dirname(path), file.replace(/^\/docs\//, '/')),
      );
      const named = resolved.replace(/^\/docs\/?/, '') || 'index.html';
      return !files.has(named) || (anchor !== undefined && !idsIn(`${files.get(named)}`).includes(anchor));
    });
    expect(missing).toEqual([]);
  },
);

test('a link to a folder leads to its README', () => {
  const main = /<main.*<\/main>/s.exec(pages.find(({ path }) => path === 'index.html')?.html ?? '')?.[0] ?? '';
  const linked = [...main.matchAll(/<a href="([^"]*)"/g)].map(([, target]) => target);
  expect(linked).toEqual(expect.arrayContaining(['examples/index.html', 'packages/sdk/index.html', 'why/index.html']));
});

test('DP-69: the type of every problem leads to a section there', () => {
  const page = pages.find(({ path }) => `/docs/${path}` === problemsPath);
  expect(problemCodes.filter((code) => !idsIn(page?.html ?? '').includes(code))).toEqual([]);
});

let folder: string;
let server: Server;
let browser: Browser;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docs-'));
  for (const [path, content] of [...files, ['../index.html', '<!doctype html>app'] as const]) {
    mkdirSync(dirname(join(folder, 'docs', path)), { recursive: true });
    writeFileSync(join(folder, 'docs', path), content);
  }
  const app = express().use(browserHeaders({ rpcUrl: 'http://127.0.0.1:1' }, 0), ...pageFiles(folder));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true });
});

async function read(path: string, options: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: sizes.desktop, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  await page.goto(`${url}${path}`);
  await look(page);
  await context.close();
  expect(complaints).toEqual([]);
}

test('a visit that finds no page is told so with status 404, and a folder leads to its page', async () => {
  const visit = async (path: string, accept = 'text/html') => {
    const response = await fetch(url + path, { headers: { accept }, redirect: 'manual' });
    return [response.status, response.headers.get('location'), (await response.text()).match(/<h1>.*<\/h1>/)?.[0]];
  };
  const notFound = [404, null, '<h1>Page not found</h1>'];
  for (const path of ['/nothing', '/nothing.html', '/why/deep/nothing/']) expect(await visit(path)).toEqual(notFound);
  expect((await visit('/nothing.html', 'application/json'))[2]).toBeUndefined();
  expect((await visit('')).slice(0, 2)).toEqual([302, '/docs/']);
  expect((await visit('/why')).slice(0, 2)).toEqual([302, '/docs/why/']);
});

const looks = Object.entries(sizes).flatMap(([name, viewport]) =>
  (['light', 'dark'] as const).map((colorScheme) => [name, colorScheme, viewport] as const),
);
test.each(looks)('pages pass axe and fit at the size of a %s, %s', async (_name, colorScheme, viewport) => {
  for (const path of ['/', '/operations.html', '/reference/settings.html'])
    await read(path, { viewport, colorScheme }, async (page) => {
      expect(await accessibilityProblems(page)).toEqual([]);
      for (const width of [viewport.width, 320]) {
        await page.setViewportSize({ ...viewport, width });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
      await page.keyboard.press('/');
      await page.keyboard.type('revoke');
      await page.getByRole('dialog').getByRole('link').first().waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
});

test('a search finds sections by the keyboard alone, from any folder', async () => {
  await read('/why/page.html', {}, async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('how to stop');
    await page.getByRole('link', { name: 'How to stop' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/owners.html#how-to-stop`);
    await page.keyboard.press('/');
    await page.keyboard.type('zzzzzz');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('a block of code is copied as it stands', async () => {
  await read('/', {}, async (page) => {
    // The page's policy forbids reading the clipboard.
    await page.evaluate('navigator.clipboard.writeText = async (text) => void (globalThis.copied = text)');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('copied')).toBe('npm ci\nnpm start');
  });
});

test('without scripts every page is read, also on a phone', async () => {
  await read('/owners.html', { viewport: sizes.phone, javaScriptEnabled: false }, async (page) => {
    await page.getByRole('heading', { name: 'How to stop' }).waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual(['Pages']);
    await page.getByRole('button', { name: 'Pages' }).click();
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Limits' }).click();
    await page.waitForURL(`${url}/limits.html`);
  });
});
