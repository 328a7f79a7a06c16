import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityProblems, launchBrowser } from './browser.ts';
import { serveGallery } from './gallery/serve.ts';

// Lists that may grow without end, in the real page in a real browser, with the gallery's readings.

let server: Awaited<ReturnType<typeof serveGallery>>;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await build({
    configFile: fileURLToPath(new URL('../../lab/gallery/vite.config.ts', import.meta.url)),
    logLevel: 'error',
  });
  server = await serveGallery();
  browser = await launchBrowser();
  page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  await page.goto(server.url);
  await page.waitForFunction('globalThis.bowlineGallery !== undefined');
  await page.evaluate("bowlineGallery.show('plans', 'good')");
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a long history shows its first part, and all of it by the keyboard, going on at the first of the rest', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  await page.locator('main .title-row').waitFor();
  // "New plan" comes first in the document, as it does on the screen.
  const first = await page.evaluate("document.querySelector('main .title-row').nextElementSibling.className");
  expect(first).toContain('page-action');
  // In a list of plans, each history is folded.
  const summaries = page.locator('main summary').filter({ hasText: /^History$/ });
  await expect.poll(() => summaries.count()).toBe(2);
  expect(await page.getByRole('table', { name: /^History of plan/ }).count()).toBe(0);
  for (const summary of await summaries.all()) await summary.click();
  const history = page.getByRole('table', { name: 'History of plan 3' });
  const rows = history.getByRole('row');
  // The header counts as a row too.
  await expect.poll(() => rows.count()).toBe(1 + 5);
  const button = page.getByRole('button', { name: 'Show all 10 (History of plan 3)', exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.count()).toBe(1 + 10);
  expect(await button.count()).toBe(0);
  const focused = await page.evaluate('document.activeElement.textContent');
  expect(focused).toBe(await rows.nth(6).textContent());
  // The next Tab stop is in that row.
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('BUTTON');
  expect(await page.evaluate("document.activeElement.closest('tr').textContent")).toBe(await rows.nth(6).textContent());
  expect(await accessibilityProblems(page)).toEqual([]);
  // The other plan's list is independent.
  expect(await page.getByRole('table', { name: 'History of plan 7' }).getByRole('row').count()).toBe(1 + 5);
});
