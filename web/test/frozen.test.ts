import type { Page } from 'playwright-core';
import { type Address, type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { borrow, capped, guardTerms } from '../../agent/test/loans.ts';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { planTerms } from '../../packages/chain/test/deployed-chain.ts';
import type { Settings } from '../app/api/settings.ts';
import { accessibilityProblems, connectWallet, openPage } from './browser.ts';
import { keepAlive } from './heartbeat.ts';
import { type NodeBetween, nodeBetween } from './node-between.ts';
import { servesAll } from './serves.ts';
import {
  book,
  browser,
  chain,
  contracts,
  local,
  node,
  readThrough,
  web,
  withBrowser,
  withChain,
  withPage,
} from './world.ts';

// Every section while the chain's node is stuck, shut, hanging or behind: no section still says that all is well, and
// each says how old its data is. Real chain, contracts and page; a node in between fails. The server's prices are fake.

/** Anvil's eighth account. The key is public. */
const key: Hex = '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356';
const user: Address = privateKeyToAddress(key);
const long = { tags: 'long', timeout: 300_000 };

/** How far the world's time is ahead of this machine's, which leaves the chain room for old blocks. */
const LATER_MS = 20 * 60_000;
/** Old blocks, one a second, which already contain everything that is shown. */
const OLD_BLOCKS = 300;

let newestOld: bigint;
let between: NodeBetween;
let stopBlocks: () => Promise<void>;

withChain('frozen', null);
withPage();
withBrowser();
beforeAll(async () => {
  between = await nodeBetween(node);
  readThrough(between.url);
  await give();
  await chain.mine({ blocks: OLD_BLOCKS, interval: 1 });
  newestOld = await chain.getBlockNumber();
  const { timestamp } = await chain.getBlock();
  const now = BigInt(Math.floor((Date.now() + LATER_MS) / 1_000));
  await chain.increaseTime({ seconds: Number(now - timestamp) });
  await chain.mine({ blocks: 1 });
  stopBlocks = keepAlive(chain, 1_000);
});
afterEach(() => between.behave({ kind: 'honest' }));
afterAll(async () => {
  await stopBlocks?.();
  await between?.stop();
});

/** A loan with a funded guard, and a funded plan. */
async function give(): Promise<void> {
  await borrow(chain, user, '9000', { ETH: '5' });
  const { timestamp } = await chain.getBlock();
  const expiresAt = Number(timestamp) + 40 * 86_400;
  const guard = guardTerms({ chain, book }, user, timestamp, { ...capped(5_000), expiresAt });
  await chain.send(user, contracts.loanGuard, { abi: loanGuardAbi, functionName: 'register', args: [guard] });
  const plan = {
    ...planTerms(book.own, user, Number(timestamp) + 7_200),
    ...{ amountPerRun: parseEther('25'), periodSeconds: 86_400, windowSeconds: 3_600, maxRuns: 4, expiresAt },
  };
  await chain.send(user, contracts.planRegistry, { abi: planRegistryAbi, functionName: 'create', args: [plan] });
  const approve = (spender: Address, amount: string) =>
    chain.send(user, tokens.USDT, { abi: erc20Abi, functionName: 'approve', args: [spender, parseEther(amount)] });
  await approve(contracts.loanGuard, '5000');
  await approve(contracts.planRegistry, '100');
  const enough = { abi: faucetAbi, functionName: 'allocateTo', args: [user, parseEther('9000')] } as const;
  await chain.send(user, tokens.USDT, enough);
}

/** @param fastMs how far the browser's clock is ahead of the world's. */
async function open(path: string, fastMs = 0): Promise<Page> {
  const { page } = await openPage(browser, { url: 'about:blank', rpcUrl: local.url, key });
  await page.clock.install({ time: Date.now() + LATER_MS + fastMs });
  const settings = (await (await fetch(`${web.url}/config.json`)).json()) as Settings;
  await page.route('**/api/quote', (route) => {
    const nowMs = Date.now() + LATER_MS;
    const time = new Date(nowMs).toISOString();
    const ok = { ok: true, reason: null };
    const serves = servesAll(settings, BigInt(Math.floor(nowMs / 1_000)));
    const assets = ['USDT', 'ETH', 'BTCB'].map((symbol) => {
      const nothing = { change_24h_percent: null, history: [], judged: null, unavailable: ['agent_unavailable'] };
      return { symbol, price_usd: '1', ...nothing };
    });
    return route.fulfill({ json: { time, sent_at: time, rescues: ok, buys: ok, serves, assets } });
  });
  await page.goto(web.url + path);
  await connectWallet(page);
  return page;
}

const dot = (page: Page) => page.locator('.network .dot').getAttribute('class');
const state = (page: Page) => page.getByRole('region', { name: 'Your status' }).textContent();
const badges = (page: Page) => page.locator('main .badge').allTextContents();
const foot = (page: Page) => page.locator('.ages').textContent();

/** Whether each section says that all is well; the other sections make no claim that could be false. */
const calm: Readonly<Record<string, (page: Page) => Promise<boolean>>> = {
  '/': async (page) => /funded .*Next trade .*no action needed/.test((await state(page)) ?? ''),
  '/loans': async (page) => (await badges(page)).includes('guarded'),
  '/plans': async (page) => (await badges(page)).includes('active'),
  '/portfolio': async (page) =>
    /\$/.test(
      (await page
        .locator('.hero-number:not(.old)')
        .textContent({ timeout: 100 })
        .catch(() => '')) ?? '',
    ),
};
const sections = [...Object.keys(calm), '/trade', '/ask', '/check', '/check/executor', '/check/ticket'];

async function expectCalm(page: Page, path: string): Promise<void> {
  await expect.poll(() => dot(page), { message: path }).toBe('dot good');
  const isCalm = calm[path];
  if (isCalm) await expect.poll(() => isCalm(page), { message: path }).toBe(true);
}

/** The chain's time at the foot of the page, in seconds of the day. */
async function readAt(page: Page): Promise<number> {
  const [, hours, minutes, seconds] = /chain (\d\d):(\d\d):(\d\d)/.exec((await foot(page)) ?? '') ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

const manners = [
  { name: 'stuck', notice: /has shown no new block since \d\d:\d\d/, tone: 'caution' },
  { name: 'shut', notice: /has not responded since \d\d:\d\d/, tone: 'bad' },
  { name: 'hanging', notice: /has not responded since \d\d:\d\d/, tone: 'bad' },
  { name: 'behind', notice: /the latest block is from \d\d:\d\d \S+, \d\d minutes old/, tone: 'caution' },
] as const;

test.for(manners)(
  'WB-201: while the node is $name no section keeps its calm, and all say how old they are',
  long,
  async ({ name, notice, tone }) => {
    const pages = await Promise.all(sections.map(async (path) => ({ path, page: await open(path) })));
    for (const { path, page } of pages) await expectCalm(page, path);
    // A form that was opened before must not be signable with a failing node.
    const form = await open('/plans');
    await form.getByRole('button', { name: 'New plan' }).click();
    await form.getByLabel('Amount per buy').fill('10');
    const blocks = (await chain.getBlockNumber()) - newestOld + 150n;
    const failedAt = secondsOf(Date.now() + LATER_MS);
    await between.behave(name === 'behind' ? { kind: name, blocks } : { kind: name });
    for (const { path, page } of [...pages, { path: '/plans', page: form }]) {
      await expect
        .poll(() => page.locator('.troubles').textContent(), { timeout: 60_000, message: path })
        .toMatch(notice);
      expect(await dot(page), path).toBe(`dot ${tone}`);
    }
    for (const { path, page } of pages) {
      const isCalm = calm[path];
      if (isCalm) await expect.poll(() => isCalm(page), { timeout: 60_000, message: path }).toBe(false);
      // The foot gives the time of the data, not of the request. The page sees a block up to six seconds late.
      if (await page.locator('.ages').count()) {
        const limit = name === 'behind' ? failedAt - 300 : failedAt + 8;
        await expect.poll(() => readAt(page), { message: path }).toBeLessThanOrEqual(limit);
      }
      expect(await accessibilityProblems(page), path).toEqual([]);
    }
    expect(await form.locator('main form button[type=submit]').isEnabled()).toBe(false);
    // A page opened now does not start by saying that all is well.
    if (name === 'behind') {
      const late = await open('/');
      await expect.poll(() => late.locator('.troubles').textContent()).toMatch(notice);
      // The agent's current statement does not match this chain's time, so it does not count as serving.
      await expect
        .poll(() => state(late))
        .toMatch(/^Health — loan status unknownNext trade — plan status unknownNeeds you 1 ?$/);
      expect(await late.getByText(/^This data is as of \d\d:\d\d/).count()).toBe(1);
    }
    await between.behave({ kind: 'honest' });
    for (const { path, page } of pages) await expectCalm(page, path);
  },
);

const secondsOf = (ms: number): number => {
  const date = new Date(ms);
  return date.getHours() * 3_600 + date.getMinutes() * 60 + date.getSeconds();
};

test('WB-201: a browser whose clock is wrong is told so, and what it shows keeps its word', long, async () => {
  // The server's clock agrees with the chain's, so the page says that the browser's clock is wrong.
  for (const [fastMs, words] of [
    [10 * 60_000, /This browser’s clock is 1?\d minutes fast/],
    [-10 * 60_000, /This browser’s clock is 1?\d minutes slow/],
  ] as const) {
    const page = await open('/', fastMs);
    await expect.poll(() => calm['/']?.(page)).toBe(true);
    await expect.poll(() => dot(page)).toBe('dot caution');
    await expect.poll(() => page.locator('.troubles').textContent()).toMatch(words);
    expect(await accessibilityProblems(page)).toEqual([]);
  }
});

test('an answer of the agent, and what the operator holds, have their time', long, async () => {
  const page = await open('/ask');
  const answer = { result: 'It is fair.', tools: [], tickets: [], choices: [], answered_by: 'embedded' };
  await page.route('**/api/agent', (route) => route.fulfill({ json: answer }));
  await page.locator('main textarea').fill('Is BTCB fair?');
  await page.keyboard.press('Enter');
  await page.getByText(/^\d\d:\d\d:\d\d \S+ · Answered by rules/).waitFor();
  await page.goto(`${web.url}/check/executor`);
  await page.getByText(/As of \d\d:\d\d:\d\d/).waitFor();
});
