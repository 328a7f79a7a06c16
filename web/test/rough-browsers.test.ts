import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { accessibilityProblems } from './browser.ts';
import { browser, chain, contracts, web, withBrowser, withChain, withPage } from './world.ts';

// The page in a browser without storage, with code that does not arrive, in a low window, with wallets that announce
// anything, and with a server that sends impossible prices. Real chain, contracts, server and browser; no agent.

const demo = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

let page: Page;
let thrown: string[];

withChain('rough-browsers');
withPage();
withBrowser();

/** A new browser profile, with a script that runs before the page. */
async function open(script = '', [width, height] = [1280, 800], locale = 'en-GB'): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height }, locale, reducedMotion: 'reduce' });
  page = await context.newPage();
  thrown = [];
  page.on('pageerror', ({ message }) => thrown.push(message));
  await page.addInitScript(script);
}

const goto = (path = '/') => page.goto(web.url + path);
const header = () => page.getByRole('banner');
/** The header's menu of wallets. */
const openWallets = async () => {
  await header().locator('.menu > button').click();
  await header().locator('.menu-body').waitFor();
};
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

/** @param announced what wallets say of themselves (EIP-6963). */
const wallets = (announced: readonly object[]) => `
  for (const info of ${JSON.stringify(announced)}) {
    const provider = { request: async () => [], on() {}, removeListener() {} };
    const detail = Object.freeze({ info: { uuid: crypto.randomUUID?.() ?? String(Math.random()), ...info }, provider });
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    addEventListener('eip6963:requestProvider', announce);
  }`;
const eight = wallets(
  Array.from({ length: 8 }, (_, at) => ({ name: `Wallet ${at}`, rdns: `example.wallet${at}`, icon: 'data:,' })),
);

const storages: readonly [string, string][] = [
  [
    'is forbidden',
    `for (const kind of ['localStorage', 'sessionStorage'])
       Object.defineProperty(window, kind, { get() { throw new DOMException('Access is denied', 'SecurityError'); } });`,
  ],
  [
    'is absent, as in some web views',
    `for (const kind of ['localStorage', 'sessionStorage']) Object.defineProperty(window, kind, { get: () => null });`,
  ],
  ['is full', `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };`],
  [
    'can be had and not used',
    `for (const method of ['getItem', 'setItem', 'removeItem'])
       Storage.prototype[method] = () => { throw new DOMException('denied', 'SecurityError'); };`,
  ],
];

test.each(storages)('where storage %s, the page works, and its choices last for the visit', async (_, script) => {
  await open(script);
  await goto();
  await heading('Home').waitFor({ timeout: 10_000 });
  await openWallets();
  await header().getByRole('button', { name: 'Use the demo wallet' }).click();
  await header().getByText('Account').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Stop everything' }).click();
  await page.getByRole('button', { name: 'Stop everything' }).click();
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  await page.getByRole('button', { name: '简体中文' }).click();
  await heading('首页').waitFor();
  expect(thrown).toEqual([]);
});

const broken: readonly [string, () => Promise<unknown>, string?][] = [
  ['its code does not arrive', () => page.route('**/assets/index-*.js', (route) => route.abort())],
  [
    'its code throws',
    () =>
      page.route('**/assets/index-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: 'throw 0' })),
  ],
  [
    'its first drawing throws',
    () => Promise.resolve(),
    `Object.defineProperty(document, 'title', { get: () => 'Bowline', set() { throw new Error('broken'); } });`,
  ],
];

test.each(broken)('where %s, a sentence says so, and how to stop everything', async (_, prepare, script) => {
  await open(script);
  await prepare();
  await goto();
  await page.getByText('Bowline has not started').waitFor({ timeout: 10_000 });
  const said = await page.locator('.not-started').textContent();
  expect(said).toContain('revokeAll()');
  expect(said).toContain(contracts.revocations);
  expect(said).toContain('Bowline 尚未启动');
  expect(await page.getByRole('link', { name: 'How to stop' }).getAttribute('href')).toBe(
    '/docs/owners.html#how-to-stop',
  );
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('a page that has started says nothing of the kind', async () => {
  await open();
  await goto();
  await heading('Home').waitFor();
  await sleep(4_000);
  expect(await page.getByText('Bowline has not started').isVisible()).toBe(false);
});

interface Reached {
  readonly name: string;
  readonly isSeen: boolean;
}

/** The elements that Tab reaches in an open menu, and whether each was visible when it had the focus. */
async function reached(menu: string): Promise<Reached[]> {
  await page.locator(`${menu} .menu-body:focus`).waitFor();
  const found: Reached[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const at = (await page.evaluate(`(() => {
      const focused = document.activeElement;
      if (!focused.closest(${JSON.stringify(`${menu} .menu-body`)})) return undefined;
      const { top, bottom, left, right } = focused.getBoundingClientRect();
      // Its corners, a few pixels in: whatever lies over them, or cuts them off, is another element.
      const points = [left + 6, right - 6].flatMap((x) => [top + 6, bottom - 6].map((y) => [x, y]));
      const isSeen = points.every(([x, y]) => focused.contains(document.elementFromPoint(x, y)));
      return { name: focused.textContent || focused.tagName, isSeen };
    })()`)) as Reached | undefined;
    if (at === undefined) return found;
    found.push(at);
  }
}

// 427×267 is 1280×800 at a zoom of 300 %.
test.each([
  [844, 390],
  [667, 375],
  [427, 267],
  [320, 256],
])('at %i×%i every entry of a menu can be reached, and is seen when it has the focus', async (width, height) => {
  await open(eight, [width, height]);
  await goto();
  await heading('Home').waitFor();
  await openWallets();
  const entries = await reached('header .menu');
  expect(entries.map(({ name }) => name.trim())).toEqual([
    ...Array.from({ length: 8 }, (_, at) => `Wallet ${at}`),
    'Use the demo wallet',
  ]);
  expect(entries.filter(({ isSeen }) => !isSeen)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await page.keyboard.press('Escape');
  // The same in a section that asks for a wallet.
  await goto('/loans');
  await heading('Loans').waitFor();
  await page.locator('main .menu > button').click();
  expect((await reached('main .menu')).filter(({ isSeen }) => !isSeen)).toEqual([]);
  // And in the menu of the account.
  await openWallets();
  await header().getByRole('button', { name: 'Use the demo wallet' }).click();
  await header().getByText('Account').waitFor({ state: 'attached' });
  await openWallets();
  const account = await reached('header .menu');
  expect(account.length).toBeGreaterThanOrEqual(2);
  expect(account.filter(({ isSeen }) => !isSeen)).toEqual([]);
});

test('a term says what it means at the focus and under the mouse, and nothing breaks where its code is missing', async () => {
  await open();
  await page.route('**/assets/floating-*.js', (route) => route.abort());
  await goto('/loans');
  const term = page.getByRole('button', { name: 'trigger', exact: true });
  const tip = page.getByRole('tooltip');
  await term.hover();
  await sleep(500);
  expect([await tip.count(), await heading('Loans').count()]).toEqual([0, 1]);
  await page.unroute('**/assets/floating-*.js');
  await page.mouse.move(0, 0);
  await term.hover();
  await tip.getByText('The health factor below which a guard may repay.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.mouse.move(0, 0);
  await tip.waitFor({ state: 'detached' });
  await term.focus();
  await tip.waitFor();
  expect(await tip.getAttribute('id')).toBe(await term.getAttribute('aria-describedby'));
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'detached' });
  expect(await term.and(page.locator(':focus')).count()).toBe(1);
  expect(thrown).toEqual([]);
});

const svg = (inside: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`,
  )}`;
const orange = svg('<rect width="9" height="9" fill="orange"/>');
const strangers = [
  { name: 'MetaMask', rdns: 'io.metamask', icon: orange },
  { name: 'meta  mask', rdns: 'evil.wallet', icon: orange },
  { name: 'M\u0435taM\u0430sk', rdns: 'evil.cyrillic', icon: orange },
  { name: `W${'w'.repeat(5_000)}`, rdns: 'example.long', icon: 'https://evil.example/icon.png' },
  {
    name: 'M\u202Eksamat\u202C\u0007\u200B\nsecond line',
    rdns: 'example.bidi',
    icon: svg('<script>alert(1)</script>'),
  },
  { name: 'Demo wallet', rdns: 'demo', icon: svg('<image href="http://evil.example/"/>') },
  { name: 'Use the d\u0435mo wallet', rdns: 'bowline-demo', icon: 'data:text/html,<script>alert(1)</script>' },
  { name: '使用演示钱包', rdns: 'evil.chinese', icon: `data:image/png;base64,${'A'.repeat(3_000_000)}` },
  { name: '\u3164\u200D\u2800', rdns: 'a\u202Eb', icon: {} },
  { name: 'Rabby', rdns: 'io.rabby', icon: `\n ${orange}` },
];

test.each([
  [1280, 800],
  [360, 640],
])('whatever wallets call themselves, each is one line of its own, at %i×%i', async (width, height) => {
  await open(wallets(strangers), [width, height]);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await goto();
  await heading('Home').waitFor();
  await openWallets();
  const buttons = header().locator('.menu-body button');
  const shown = await buttons.allInnerTexts();
  expect(shown.map((text) => text.slice(0, 80).replace(/(w{20})w+/, '$1…'))).toEqual([
    'MetaMask\nio.metamask',
    'meta mask\nevil.wallet',
    'M\u0435taM\u0430sk\nevil.cyrillic',
    `W${'w'.repeat(20)}…`,
    'Mksamat second line',
    // None of these is the demo wallet, and none is called that.
    'Unnamed wallet\nno identifier',
    'Unnamed wallet\nno identifier',
    'Unnamed wallet\nevil.chinese',
    'Unnamed wallet\nno identifier',
    'Rabby',
    'Use the demo wallet',
  ]);
  // Endless names are cut, and every name stays inside its button.
  expect(Math.max(...shown.map((text) => text.length))).toBeLessThanOrEqual(64);
  const isContained = (await page.evaluate(`[...document.querySelectorAll('header .menu-body button')].map((button) => {
    const outer = button.getBoundingClientRect();
    const parts = [...button.querySelectorAll('*')].map((part) => part.getBoundingClientRect());
    const isAround = parts.every(({ left, right }) => left >= outer.left - 1 && right <= outer.right + 1);
    return isAround && outer.left >= 0 && outer.right <= innerWidth && outer.height <= 72;
  })`)) as boolean[];
  expect(isContained).toEqual(shown.map(() => true));
  // Only pictures embedded in the announcement become icons: no script, no request, no megabytes.
  const icons = (await page.evaluate(
    `[...document.querySelectorAll('header .menu-body img')].map(({ src }) => src)`,
  )) as string[];
  expect(icons.filter((icon) => icon === orange)).toHaveLength(4);
  expect(icons.every((icon) => icon.length < 150_000)).toBe(true);
  expect(icons.filter((icon) => icon.startsWith('data:') && !icon.startsWith('data:image/'))).toEqual([]);
  expect(asked.filter((url) => url.includes('evil.example'))).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  // A stranger cannot imitate this: the demo wallet comes last, below its own line, with the page's own picture.
  const own = header().getByRole('group', { name: 'Demo wallet' });
  expect(await own.getByRole('button').allInnerTexts()).toEqual(['Use the demo wallet']);
  expect(await own.locator('img').getAttribute('src')).toMatch(/^\/assets\/icon-/);
  expect(await accessibilityProblems(page)).toEqual([]);
  await own.getByRole('button').click();
  await header()
    .getByText(`${demo.slice(0, 6)}…`)
    .waitFor();
});

/** The answer of a compromised server. */
const quoteOf = (change: (symbol: string) => object | null) => {
  const now = new Date().toISOString();
  const fair = { change_24h_percent: '1.5', history: [], judged: null, unavailable: [] };
  const assets = ['BTCB', 'ETH', 'USDT', 'WBNB'].map((symbol) => {
    const changed = change(symbol);
    return changed && { symbol, price_usd: '100', ...fair, ...changed };
  });
  return { time: now, sent_at: now, assets };
};

const digits = '9'.repeat(60);
const impossible: readonly [string, object, string][] = [
  ['a price below zero', { price_usd: '-100000' }, 'price_malformed'],
  ['a price of zero', { price_usd: '0' }, 'price_malformed'],
  ['a price of zero in decimals', { price_usd: '0.000' }, 'price_malformed'],
  ['a price of 60 digits', { price_usd: digits }, 'price_malformed'],
  ['a price of 60 decimals', { price_usd: `1.${digits}` }, 'price_malformed'],
  ['a price that is no number', { price_usd: 'NaN' }, 'price_malformed'],
  ['a price of another type', { price_usd: 100 }, 'price_malformed'],
  ['a change of 60 digits', { change_24h_percent: digits }, 'answer_malformed'],
  [
    'a past price below zero',
    {
      history: [
        [1_700_000_000, '-1'],
        [1_700_003_600, '1'],
      ],
    },
    'price_malformed',
  ],
  ['reasons of another type', { unavailable: 7 }, 'answer_malformed'],
];
const why: Record<string, string> = {
  price_malformed: 'No verdict: the page server sent a price that is not above zero, or that is far too long',
  answer_malformed: 'No verdict: the page server sent an answer that this page cannot read',
};

test('WB-12: an impossible price of the server’s takes only its own verdict, and no value is by it', async () => {
  for (const symbol of ['USDT', 'BTCB'] as const) {
    const before = await chain.readContract({
      ...{ address: tokens[symbol], abi: erc20Abi, functionName: 'balanceOf', args: [demo] },
    });
    const lacking = parseEther('10') - before;
    if (lacking > 0n)
      await chain.send(demo, tokens[symbol], { abi: faucetAbi, functionName: 'allocateTo', args: [demo, lacking] });
  }
  await open('', [1280, 1000]);
  let answer: object = quoteOf(() => ({}));
  await page.route('**/api/quote', (route) => route.fulfill({ json: answer }));
  const row = (symbol: string) => page.locator('li.asset').filter({ has: heading(symbol) });
  await goto(`/portfolio?address=${demo}`);
  await row('BTCB').getByText('$100.00 by the page’s server: differs by').waitFor();
  const worth = () => page.locator('.hero-number').textContent();
  const price = () => row('BTCB').locator('.number').first().textContent();
  await expect.poll(worth).toMatch(/^\$[\d,]+\.\d\d$/);
  const honest = [await worth(), await price()];
  for (const [name, change, reason] of impossible) {
    answer = quoteOf((symbol) => (symbol === 'BTCB' ? change : {}));
    await goto(`/portfolio?address=${demo}`);
    await row('BTCB')
      .getByText(why[reason] ?? '')
      .waitFor({ timeout: 5_000 });
    expect.soft(await row('BTCB').textContent(), name).not.toContain('by the page’s server');
    expect.soft(await row('USDT').textContent(), name).toContain('$100.00 by the page’s server');
    await expect.poll(async () => [await worth(), await price()], { message: name }).toEqual(honest);
    expect.soft(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(1280);
  }
  // An entry that is not even an asset changes nothing either.
  answer = quoteOf((symbol) => (symbol === 'BTCB' ? null : {}));
  await goto(`/portfolio?address=${demo}`);
  await row('USDT').getByText('$100.00 by the page’s server').waitFor();
  expect(await row('BTCB').textContent()).not.toContain('by the page’s server');
}, 60_000);

test('a section whose code did not arrive is shown when the line is back, without a press', async () => {
  await open();
  await goto();
  await heading('Home').waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Plans' }).click();
  await page.getByText('This section cannot be shown').waitFor();
  await page.getByText('The page keeps trying').waitFor();
  await sleep(7_000);
  await page.context().setOffline(false);
  await heading('Plans').waitFor({ timeout: 8_000 });
  expect(await page.getByText('cannot be shown').count()).toBe(0);
});

test('nor without the browser’s word that it is online again', async () => {
  await open(`addEventListener('online', (event) => event.stopImmediatePropagation(), true);`);
  await goto();
  await heading('Home').waitFor();
  await page.route('**/assets/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Portfolio' }).click();
  await page.getByText('This section cannot be shown').waitFor();
  await page.unroute('**/assets/**');
  await heading('Portfolio').waitFor({ timeout: 12_000 });
});

test('what could not be loaded ahead is loaded ahead later', async () => {
  await open();
  const loaded = new Set<string>();
  page.on('requestfinished', (request) => loaded.add(new URL(request.url()).pathname));
  await goto();
  await heading('Home').waitFor();
  await page.context().setOffline(true);
  await sleep(5_000);
  await page.context().setOffline(false);
  await expect
    .poll(() => [...loaded].filter((path) => /\/(plans|guard|check)-/.test(path)).length, { timeout: 15_000 })
    .toBe(3);
  await sleep(500);
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Loans' }).click();
  await heading('Loans').waitFor({ timeout: 3_000 });
}, 40_000);
