import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { browser, local, web, withBrowser, withChain, withPage } from './world.ts';

// What a browser without a cache requests until a section is shown, and how many bytes it gets. Real chain, server and
// browser; no agent and no exchange. npm run lab -- bench:web measures how long it takes.

const others = ['ask', 'check', 'loans', 'plans', 'portfolio', 'trade'];
const MAX_SENT = 230_000;

withChain('first-load');
withPage();
withBrowser();

interface Asked {
  readonly path: string;
  /** Whether the HTML itself names it, so that the browser requests it in the first round. */
  readonly isNamed: boolean;
  /** Bytes with headers; undefined until it has arrived. */
  sent?: number;
}

/** Requests to the page's server until the section's own heading was shown. */
async function firstLoad(path: string): Promise<Asked[]> {
  const { page, complaints } = await openPage(browser, { url: 'about:blank', rpcUrl: local.url, size: 'phone' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const asked = new Map<string, Asked>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request, initiator }) => {
    if (!request.url.startsWith(web.url)) return;
    asked.set(requestId, { path: request.url.slice(web.url.length), isNamed: initiator.type === 'parser' });
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const found = asked.get(requestId);
    if (found) found.sent = encodedDataLength;
  });
  await page.goto(web.url + path);
  await page.locator('#main h1:not(.unseen), .hero-title').first().waitFor();
  const until = [...asked.values()];
  await page.context().close();
  expect(complaints.filter((line) => line.includes('Content Security Policy'))).toEqual([]);
  return until;
}

/** The worker judges evidence later. A section that may need it preloads it into the cache after its own code. */
const isWorker = ({ path }: Asked) => path.includes('judge-worker');
const isCode = ({ path }: Asked) => /\.(js|css)$/.test(path);

test.each(['home', ...others])(
  'WB-179: %s is shown after one round of requests, with 230 kB sent at most',
  async (section) => {
    const asked = (await firstLoad(`/${section}`)).filter((each) => !isWorker(each));
    expect(asked.filter((each) => isCode(each) && !each.isNamed).map((each) => each.path)).toEqual([]);
    expect(asked.filter((each) => each.path === '/config.json')).toMatchObject([{ isNamed: true }]);
    const sent = asked.reduce((sum, each) => sum + (each.sent ?? 0), 0);
    // Less would mean that nothing was counted.
    expect(sent).toBeGreaterThan(100_000);
    expect(sent).toBeLessThanOrEqual(MAX_SENT);
  },
);

test('the build writes a page for every section beside the first', () => {
  const pages = readdirSync(join(web.files, 'sections')).filter((name) => name.endsWith('.html'));
  expect(pages.sort()).toEqual(others.map((section) => `${section}.html`));
});

test('WB-321: the build says what the page is called, and where its icon is', async () => {
  const manifest = await fetch(`${web.url}/manifest.json`);
  const { name, description, iconPath } = (await manifest.json()) as Record<string, string>;
  expect([name, typeof description]).toEqual(['Bowline', 'string']);
  const icon = await fetch(`${web.url}/${iconPath}`);
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
});
