import { reasonOf } from '@bowline/core/domain/reasons';
import { inWords } from '@bowline/core/texts/words';
import type { Page } from 'playwright-core';
import { type Address, type Hex, pad, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { borrowNearTrigger, capped, guardTerms } from '../../agent/test/loans.ts';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { type TokenSymbol, tokens } from '../../lab/world/addresses.ts';
import { planTerms } from '../../packages/chain/test/deployed-chain.ts';
import { accessibilityProblems, connectWallet, openPage, type PageOptions } from './browser.ts';
import { statesAll } from './serves.ts';
import { book, browser, chain, contracts, local, web, withBrowser, withChain, withPage } from './world.ts';

// Home, Ask and the chart in a real browser, against real contracts, chain and server. No agent and no exchange run:
// the tests supply their answers where needed.

/** Anvil's sixth account has plans, a guard and a loan. Keys are public. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
const user = privateKeyToAddress(key);
const stranger: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const long = { tags: 'long', timeout: 90_000 };
const patience = { timeout: 20_000 };

withChain('home', 1);
withPage();
withBrowser();
beforeAll(async () => {
  await take('USDT', '50000');
  await borrowNearTrigger(chain, user);
});

const take = (symbol: TokenSymbol, amount: string) =>
  chain.send(user, tokens[symbol], { abi: faucetAbi, functionName: 'allocateTo', args: [user, parseEther(amount)] });
const approve = (spender: Address, amount: bigint, symbol: TokenSymbol = 'USDT') =>
  chain.send(user, tokens[symbol], { abi: erc20Abi, functionName: 'approve', args: [spender, amount] });

/** @returns the plan's number. */
async function createPlan(owner: Address, executor: Address, isOpen = false): Promise<bigint> {
  const { timestamp } = await chain.getBlock();
  const terms = {
    ...planTerms(book.own, owner, Number(timestamp) + (isOpen ? 0 : 3_600)),
    ...{ executor, amountPerRun: parseEther('25'), periodSeconds: 86_400, windowSeconds: 3_600, maxRuns: 4 },
    expiresAt: Number(timestamp) + 30 * 86_400,
  };
  await chain.send(owner, contracts.planRegistry, { abi: planRegistryAbi, functionName: 'create', args: [terms] });
  return chain.readContract({ address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'planCount' });
}

/** Records on chain, as the executor, that the plan was skipped. */
async function record(planId: bigint, executor: Address, reason: number): Promise<void> {
  const ticket = {
    ...{ tokenIn: tokens.USDT, tokenOut: tokens.BTCB, verdict: 1, maxPriceWad: 0n, maxAmountIn: 0n },
    ...{ issuedAt: 0n, expiresAt: 0n, evidenceHash: pad('0x01') },
  };
  const args = [planId, 1n, reason, ticket, '0x'] as const;
  await chain.impersonateAccount({ address: executor });
  await chain.setBalance({ address: executor, value: parseEther('1') });
  const call = { abi: planRegistryAbi, functionName: 'recordDeferral', args } as const;
  await chain.send(executor, contracts.planRegistry, call);
}

async function register(): Promise<void> {
  const { timestamp } = await chain.getBlock();
  const changes = { ...capped(20_000), expiresAt: Number(timestamp) + 90 * 86_400 };
  const terms = guardTerms({ chain, book }, user, timestamp, changes);
  await chain.send(user, contracts.loanGuard, { abi: loanGuardAbi, functionName: 'register', args: [terms] });
}

async function open(path: string, changes: Partial<PageOptions> = {}) {
  const found = await openPage(browser, { url: web.url + path, rpcUrl: local.url, key, ...changes });
  return found;
}

/** Supplies the server's price answers, with a working agent. */
const answerQuotes = (page: Page, assets: readonly object[] = []) =>
  statesAll(page, {
    url: web.url,
    blockTime: async () => (await chain.getBlock()).timestamp,
    answer: (time) => ({ time, sent_at: time, assets }),
  });

/** The status text of the connected account, or of one that is only viewed. */
const state = (page: Page) => page.getByRole('region', { name: /^(Your status|Status of 0x)/ }).textContent();
const needs = (page: Page) => page.getByRole('region', { name: 'Action needed' });
const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

test(
  'WB-76: Home says in three numbers what stands, and lists what needs its owner until it is mended',
  long,
  async () => {
    const { page, complaints } = await open('/');
    await answerQuotes(page);
    await connectWallet(page);
    await expect
      .poll(() => state(page), patience)
      .toMatch(/^Health 1\.1\d not guardedNext trade — no active planNeeds you 1 ?$/);
    await register();
    await createPlan(user, contracts.swapExecutor);
    await expect
      .poll(() => state(page), patience)
      .toMatch(/^Health 1\.1\d not fundedNext trade — next trade not fundedNeeds you 2 ?$/);
    expect(await needs(page).textContent()).toContain('Guard 1: approved 0 USDT of the');
    expect(await needs(page).textContent()).toContain('The next trades need 25 USDT; 0 USDT is approved.');
    await approve(contracts.loanGuard, parseEther('20000'));
    await approve(contracts.planRegistry, parseEther('100'));
    await expect
      .poll(() => state(page), patience)
      .toMatch(
        /^Health 1\.1\d funded until ETH alone falls to \$[\d,.]+Next trade [\d:]+( hours?)? \d\d:\d\d \S+Needs you 0 no action needed$/,
      );
    expect(await accessibilityProblems(page)).toEqual([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await overflow(page)).toBe(0);
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
    // Without the chain, the page calls nothing fine.
    await page.route(`${local.url}/**`, (route) => route.abort());
    await page.clock.install();
    await page.clock.fastForward(60_000);
    await expect.poll(() => state(page), patience).not.toContain('no action needed');
  },
);

test('without a wallet Home shows what was recorded last, and nothing that a stranger made up', long, async () => {
  // Only a contract may execute plans. A stranger's contract records whatever it likes about the stranger's own plan.
  const forger = contracts.revocations;
  await record(await createPlan(stranger, forger, true), forger, 1);
  const { page } = await open('/', { key });
  await page.getByText('Recent activity on this chain').waitFor();
  expect(await page.getByText('None in these blocks.').count()).toBe(3);
  const own = await createPlan(user, contracts.swapExecutor, true);
  await record(own, contracts.swapExecutor, 2);
  await record(await createPlan(stranger, forger, true), forger, 3);
  await page.reload();
  await page.getByText(`BTCB buy delayed or skipped: ${inWords(reasonOf(2) ?? '')}.`).waitFor();
  expect(await page.getByRole('link', { name: `Plan ${own}` }).getAttribute('href')).toBe(`/check/plan/${own}`);
  expect(await page.getByText('None in these blocks.').count()).toBe(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByLabel('View any address').first().fill(user);
  await page.getByRole('button', { name: 'View', exact: true }).first().click();
  await expect.poll(() => state(page), patience).toMatch(/^Health 1\.1/);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('Ask knows the address, offers choices, and keeps the conversation', long, async () => {
  const { page, complaints } = await open('/plans');
  await connectWallet(page);
  const asked: string[] = [];
  const { timestamp } = await chain.getBlock();
  await page.route('**/api/agent', async (route) => {
    asked.push((route.request().postDataJSON() as { prompt: string }).prompt);
    const ticket = {
      ...{ token_in: tokens.USDT, token_out: tokens.BTCB, verdict: 3, expires_at: String(timestamp + 600n) },
      ...{ max_price_wad: parseEther('97000').toString(), max_amount_in: parseEther('1000').toString() },
    };
    const choices = [{ label: 'Price of BTCB', prompt: 'What does BTCB cost?' }];
    const json = {
      result: 'An answer <b>in</b> words.',
      tools: ['check_asset'],
      tickets: [ticket],
      choices,
      answered_by: 'embedded',
    };
    await route.fulfill({ json });
  });
  const navigation = page.getByRole('navigation');
  await navigation.getByRole('link', { name: 'Ask' }).click();
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Is my loan safe?' }).click();
  await main.getByText('An answer <b>in</b> words.').waitFor();
  // The ticket carries no signature.
  await main.getByText('This ticket could not be checked. Don’t rely on it.').waitFor();
  expect(await main.getByText('Fair price').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  await main.getByRole('button', { name: 'Price of BTCB' }).click();
  await expect.poll(() => asked, patience).toEqual([`Is my loan safe? (${user})`, 'What does BTCB cost?']);
  await main.getByText('An answer').nth(1).waitFor();
  await navigation.getByRole('link', { name: 'Loans' }).click();
  await navigation.getByRole('link', { name: 'Ask' }).click();
  expect(await main.getByText('An answer').count()).toBe(2);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(page)).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
});

const finding = (check: string, limit: string, caution: string) => ({
  ...{ check, question: '', outcome: 'pass', reason: null, measured: '0', limit, caution_limit: caution },
  ...{ unit: 'bps', ages: {}, detail: '' },
});

test('the chart is loaded when asked for, with the fair band, and within the content policy', long, async () => {
  const { page, complaints } = await open('/portfolio');
  const { timestamp } = await chain.getBlock();
  const history = Array.from({ length: 24 }, (_, at) => [Number(timestamp) - (24 - at) * 3_600, String(97_000 + at)]);
  const judged = {
    ...{
      verdict: 'GO',
      reason: null,
      findings: [finding('all_in_cost', '200', '50')],
    },
    ...{ issued_at: String(timestamp), expires_at: String(timestamp + 600n) },
  };
  const quoted = { symbol: 'BTCB', price_usd: '100000', change_24h_percent: '0.1', history, judged, unavailable: [] };
  const files: string[] = [];
  page.on('request', (request) => files.push(request.url()));
  await answerQuotes(page, [quoted]);
  await page.reload();
  await page.getByRole('button', { name: 'Verdict on BTCB: Fair price GO. Its findings' }).waitFor();
  expect(files.filter((file) => /plot-.*\.js/.test(file))).toEqual([]);
  await page.getByRole('button', { name: 'Price chart of BTCB' }).click();
  await page.locator('.plot canvas').waitFor();
  await page.getByText('Fair band now: $99,500.00 to $100,500.00').waitFor();
  await page.getByText('24 hourly closes from the exchange').waitFor();
  await page.getByRole('radio', { name: '6 h' }).check({ force: true });
  await page.getByText('6 hourly closes from the exchange').waitFor();
  const closes = Array.from({ length: 365 }, (_, at) => [1_764_028_800 + at * 86_400, String(90_000 + at)]);
  await page.route('**/api/quote/BTCB', (route) => route.fulfill({ json: { symbol: 'BTCB', closes } }));
  await page.getByRole('radio', { name: '30 days' }).check({ force: true });
  await page.getByText('30 daily closes from the exchange').waitFor();
  await page.getByRole('radio', { name: '1 year' }).check({ force: true });
  await page.getByText('From $90,000.00 to $90,364.00, last $90,364.00.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(page)).toBe(0);
  expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
});

test('notifications are off until asked for, and then tell of funds that end', long, async () => {
  // Covers four buys of each of the two plans; the page reports fewer than three.
  await approve(contracts.planRegistry, parseEther('200'));
  const { page } = await open('/');
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(`
    globalThis.told = [];
    globalThis.asked = 0;
    globalThis.Notification = class {
      static permission = 'default';
      static requestPermission() { globalThis.asked++; this.permission = 'granted'; return Promise.resolve('granted'); }
      constructor(title, { body }) {
        if (globalThis.Notification.permission === 'granted') globalThis.told.push(title + ': ' + body);
      }
    };`);
  await answerQuotes(page);
  await page.reload();
  await connectWallet(page);
  await expect.poll(() => state(page), patience).toContain('no action needed');
  expect(await page.evaluate('globalThis.asked')).toBe(0);
  await page.getByRole('button', { name: 'Turn on notifications' }).click();
  await page.getByRole('button', { name: 'Turn off notifications' }).waitFor();
  await page.waitForTimeout(1_000);
  await approve(contracts.planRegistry, 0n);
  await expect
    .poll(() => page.evaluate('globalThis.told'), patience)
    .toEqual(['Funds are running low: The next trades need 50 USDT; 0 USDT is approved.']);
});

test('WB-36: an agent that is not seen is an action item, and the account’s menu closes', long, async () => {
  const { page } = await open('/');
  // No agent runs here, so the page’s server can say nothing about it.
  await connectWallet(page);
  await needs(page).getByText('The agent has not reported in the last 30 seconds that it trades').waitFor();
  expect(await state(page)).not.toContain('no action needed');
  const menu = page.locator('header .menu');
  const button = menu.locator('> button');
  const body = menu.locator('.menu-body');
  const unfold = async () => {
    await button.click();
    await body.waitFor();
  };
  const closed = () => body.waitFor({ state: 'detached' });
  await unfold();
  await page.getByRole('button', { name: 'Disconnect' }).focus();
  await page.keyboard.press('Escape');
  await closed();
  await expect.poll(() => button.and(page.locator(':focus')).count()).toBe(1);
  await unfold();
  await page.getByRole('heading', { name: 'Recent activity' }).click();
  await closed();
  await unfold();
  await button.click();
  await closed();
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
  await unfold();
  await page.goBack();
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
  await closed();
});
