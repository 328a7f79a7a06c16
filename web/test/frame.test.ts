import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bscChainId } from '@bowline/core/domain/chains';
import type { Page, Route } from 'playwright-core';
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  http,
  parseEther,
  toFunctionSelector,
} from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loanGuardAbi, permissionsLensAbi, planRegistryAbi, revocationsAbi } from '../../abis/index.ts';
import { borrowNearTrigger, capped, guardTerms } from '../../agent/test/loans.ts';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { type TokenSymbol, tokens } from '../../lab/world/addresses.ts';
import { localChainId } from '../../lab/world/fork.ts';
import { planTerms } from '../../packages/chain/test/deployed-chain.ts';
import { makeGuards, makePlans, stranger } from '../../packages/chain/test/many-plans.ts';
import { accessibilityProblems, connectWallet, openPage, type PageOptions, sizes } from './browser.ts';
import { atKeyboard } from './keyboard.ts';
import { statesAll } from './serves.ts';
import { book, browser, chain, contracts, folder, local, web, withBrowser, withChain, withPage } from './world.ts';

// What the page shows and still offers when others crowd the contracts, parts of the chain cannot be read, or a
// permission is worthless. Real chain, contracts, server and browser; no agent and no exchange, which the page must
// work without.

/** Anvil's sixth account has a plan, a guard and a loan; its seventh has nothing. Keys are public. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
const newcomer: Hex = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e';
const user = privateKeyToAddress(key);
const sections = ['home', 'portfolio', 'plans', 'loans', 'trade', 'ask'];
const revokeAll = encodeFunctionData({ abi: revocationsAbi, functionName: 'revokeAll' });

withChain('frame');
withPage();
withBrowser();
beforeAll(async () => {
  await take('USDT', '50000');
  await borrowNearTrigger(chain, user);
  await createPlan();
});

const take = (symbol: TokenSymbol, amount: string, to: Address = user) =>
  chain.send(user, tokens[symbol], { abi: faucetAbi, functionName: 'allocateTo', args: [to, parseEther(amount)] });

const approve = (spender: Address, amount: bigint, symbol: TokenSymbol = 'USDT') =>
  chain.send(user, tokens[symbol], { abi: erc20Abi, functionName: 'approve', args: [spender, amount] });

const allowed = (spender: Hex): Promise<bigint> =>
  chain.readContract({ address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args: [user, spender] });

const epochOf = (owner: Address): Promise<bigint> =>
  chain.readContract({ address: contracts.revocations, abi: revocationsAbi, functionName: 'epochOf', args: [owner] });

async function createPlan(): Promise<void> {
  const { timestamp } = await chain.getBlock();
  const terms = { ...planTerms(book.own, user, Number(timestamp)), amountPerRun: parseEther('25'), maxRuns: 4 };
  await chain.send(user, contracts.planRegistry, { abi: planRegistryAbi, functionName: 'create', args: [terms] });
  await approve(contracts.planRegistry, parseEther('100'));
}

/** @returns the guard's number. */
async function register(changes: object = {}): Promise<bigint> {
  const contract = { address: contracts.loanGuard, abi: loanGuardAbi } as const;
  const { timestamp } = await chain.getBlock();
  const args = [guardTerms({ chain, book }, user, timestamp, { ...capped(20_000), ...changes })] as const;
  await chain.send(user, contracts.loanGuard, { abi: loanGuardAbi, functionName: 'register', args });
  return chain.readContract({ ...contract, functionName: 'guardCount' });
}

async function open(section: string, changes: Partial<PageOptions> = {}) {
  const options = { url: `${web.url}/${section}`, rpcUrl: local.url, key, ...changes };
  const found = await openPage(browser, options);
  if (found.wallet === undefined) throw new Error('no wallet');
  return { ...found, wallet: found.wallet };
}

/** Answers the page's node requests instead of the node: a call's result, or none. Undefined forwards the request. */
async function intercept(page: Page, answer: (body: string) => 'silent' | 'refused' | Hex | undefined): Promise<void> {
  await page.route(`${local.url}/**`, async (route: Route) => {
    const body = route.request().postData() ?? '';
    const found = answer(body);
    if (found === undefined) return route.fallback();
    if (found === 'silent') return route.abort();
    const { id } = JSON.parse(body) as { id: number };
    const said = found === 'refused' ? { error: { code: -32_000, message: 'execution reverted' } } : { result: found };
    return route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: { jsonrpc: '2.0', id, ...said },
    });
  });
}

const readLoan = toFunctionSelector('accrueAndRead(address,bytes32)').slice(2);
const readAllowance = toFunctionSelector('allowance(address,address)').slice(2);

/** The calldata that reads one plan, without 0x. */
const planCall = (id: bigint): string =>
  encodeFunctionData({ abi: planRegistryAbi, functionName: 'plan', args: [id] }).slice(2);

/** The same for one guard. */
const guardCall = (id: bigint): string =>
  encodeFunctionData({ abi: loanGuardAbi, functionName: 'guard', args: [id] }).slice(2);

/** The calldata, without 0x, that searches the user's plans from that number on. It omits where the search ends. */
const searchFrom = (from: bigint): string =>
  encodeFunctionData({
    abi: permissionsLensAbi,
    functionName: 'plansOf',
    args: [contracts.planRegistry, user, from, 0n],
  }).slice(2, -64);

const go = (page: Page, section: string) => page.evaluate(`history.pushState(null, '', '/${section}')`);
/** Every section has its own title, but not every one is in the navigation. */
const shown = (page: Page, section: string) =>
  expect.poll(() => page.title()).toMatch(new RegExp(`^${section}\\b`, 'i'));
const stopButton = (page: Page) => page.getByRole('button', { name: 'Stop everything' });

test('WB-13: 200 plans and 60 guards of strangers leave Plans, Guard and the stop button working', async () => {
  const stage = { url: local.url, chain, book: book, stop: async () => {} };
  await makePlans(stage, stranger(1), 200);
  await makeGuards(stage, stranger(2), 60);
  const { page } = await open('plans');
  await connectWallet(page);
  await page.getByRole('article', { name: /BTCB for 25 USDT/ }).waitFor({ timeout: 10_000 });
  expect(await page.getByText(/could not (be )?read/i).count()).toBe(0);
  expect(await stopButton(page).isEnabled()).toBe(true);
  await go(page, 'loans');
  await page.getByTestId('health').waitFor({ timeout: 10_000 });
  expect(await page.getByText(/could not (be )?read/i).count()).toBe(0);
});

test('WB-13: a part that was not searched takes nothing from the rest, and no approval is asked for meanwhile', async () => {
  const { page } = await open('plans');
  const half = encodeFunctionResult({ abi: permissionsLensAbi, functionName: 'plansOf', result: [[1n], 101n] });
  await intercept(page, (body) => {
    if (body.includes(searchFrom(1n))) return half;
    return body.includes(searchFrom(101n)) ? 'refused' : undefined;
  });
  await connectWallet(page);
  await page.getByRole('article', { name: /BTCB for 25 USDT/ }).waitFor({ timeout: 10_000 });
  const notice = page.getByRole('alert');
  await notice.getByText('101 of 201 plans could not be searched').waitFor();
  expect(await notice.textContent()).toContain('Some of them may be yours');
  expect(await notice.textContent()).not.toContain('did not respond');
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Amount per buy').fill('50');
  await page.getByLabel('Number of buys').fill('3');
  const sign = page.locator('form button.wide');
  const waits = page.getByText('A new approval could leave one of them short');
  await waits.waitFor();
  expect(await sign.isDisabled()).toBe(true);
  await page.unroute(`${local.url}/**`);
  await waits.waitFor({ state: 'detached', timeout: 15_000 });
  expect(await notice.count()).toBe(0);
  expect(await sign.isEnabled()).toBe(true);

  // The plans shown are from the last reading: an approval based on them could leave one of them short.
  await intercept(page, (body) => (body.includes(planCall(1n)) ? 'refused' : undefined));
  await notice.getByText('The latest state of your plans could not be read').waitFor({ timeout: 15_000 });
  await waits.waitFor();
  expect(await sign.isDisabled()).toBe(true);
});

test('WB-13: while the guards that share an approval are not known, none is asked for', async () => {
  const id = await register();
  const { page } = await open('loans');
  await connectWallet(page);
  await page.getByRole('button', { name: 'Set another guard' }).click();
  const sign = page.getByRole('button', { name: 'Approve and set' });
  await page.getByText('You already have a guard that repays USDT').waitFor();
  expect(await sign.isEnabled()).toBe(true);
  await intercept(page, (body) => (body.includes(guardCall(id)) ? 'refused' : undefined));
  const waits = page.getByText('A new approval could leave a guard short');
  await waits.waitFor({ timeout: 15_000 });
  expect(await sign.isDisabled()).toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.unroute(`${local.url}/**`);
  await waits.waitFor({ state: 'detached', timeout: 15_000 });
  expect(await sign.isEnabled()).toBe(true);
  await chain.send(user, contracts.loanGuard, { abi: loanGuardAbi, functionName: 'cancel', args: [id] });
});

test('WB-13: plans that cannot be read at first are told of, and then shown', async () => {
  const { page } = await open('plans');
  await intercept(page, (body) => (body.includes(planCall(1n)) ? 'refused' : undefined));
  await connectWallet(page);
  const notice = page.getByRole('alert');
  await notice.getByText('Your plans could not be read').waitFor();
  await page.unroute(`${local.url}/**`);
  await page.getByRole('article', { name: /BTCB for 25 USDT/ }).waitFor({ timeout: 15_000 });
  expect(await notice.count()).toBe(0);
});

test('WB-14: every section leads to the documentation, and its stop button begins with revokeAll', async () => {
  const { page, wallet } = await open('portfolio', { key: newcomer });
  await connectWallet(page);
  for (const [at, section] of sections.entries()) {
    await go(page, section);
    await shown(page, section);
    const documentation = page.getByRole('contentinfo').getByRole('link', { name: 'Documentation' });
    expect(await documentation.getAttribute('href'), section).toBe('/docs/');
    await stopButton(page).click();
    await page.getByText('One signature ends every plan').waitFor();
    expect(wallet.sent, section).toHaveLength(at);
    await stopButton(page).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    expect(wallet.sent[at], section).toEqual({ to: contracts.revocations, data: revokeAll });
  }
});

test.each([
  ['no reading at all', () => 'silent' as const],
  ['Venus refusing', (body: string) => (body.includes(readLoan) ? ('refused' as const) : undefined)],
  ['plans refusing', (body: string) => (body.includes(planCall(1n).slice(0, 8)) ? ('refused' as const) : undefined)],
])('WB-14: with %s there is one stop button in every section, and it works', async (_, answer) => {
  const { page, wallet } = await open('portfolio');
  await intercept(page, answer);
  await connectWallet(page);
  for (const section of sections) {
    await go(page, section);
    await shown(page, section);
    expect(await stopButton(page).count(), section).toBe(1);
    expect(await stopButton(page).isEnabled(), section).toBe(true);
  }
  const before = await epochOf(user);
  await stopButton(page).click();
  await stopButton(page).click();
  await expect.poll(() => wallet.sent, { timeout: 10_000 }).toEqual([{ to: contracts.revocations, data: revokeAll }]);
  await expect.poll(() => epochOf(user), { timeout: 10_000 }).toBeGreaterThan(before);
});

test('WB-14: what is still approved is named and taken back, and nothing is called stopped before that', async () => {
  await approve(contracts.loanGuard, parseEther('7'));
  await approve(contracts.swapExecutor, parseEther('9'));
  const { page, wallet, complaints } = await open('ask');
  await connectWallet(page);
  await stopButton(page).click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await stopButton(page).click();
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  const list = page.getByRole('listitem');
  await list.getByText('100 USDT, to plans').waitFor();
  await list.getByText('7 USDT, to guards').waitFor();
  await list.getByText('9 USDT, to the executor').waitFor();
  expect(await page.getByText('Everything is stopped').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  const { isRevoked } = await chain.readContract({
    ...{ address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'plan', args: [1n] },
  } as const);
  expect(isRevoked).toBe(true);

  await page.getByRole('button', { name: 'Revoke 3 approvals' }).click();
  await page.getByText('Everything is stopped, and nothing is approved to this page’s contracts any more').waitFor();
  expect(wallet.sent.map(({ to }) => to.toLowerCase())).toEqual(
    [contracts.revocations, tokens.USDT, tokens.USDT, tokens.USDT].map((each) => each.toLowerCase()),
  );
  for (const spender of [contracts.planRegistry, contracts.loanGuard, contracts.swapExecutor]) {
    expect(await allowed(spender)).toBe(0n);
  }
  expect(complaints).toEqual([]);
});

test('WB-14: what is approved is shown, and taken back, without another revokeAll', async () => {
  await approve(contracts.planRegistry, parseEther('3'));
  const { page, wallet } = await open('portfolio');
  await connectWallet(page);
  await stopButton(page).click();
  await page.getByRole('listitem').getByText('3 USDT, to plans').waitFor();
  await page.getByText('These approvals are active').waitFor();
  await page.getByRole('button', { name: 'Revoke 1 approval' }).click();
  await page.getByText('Nothing is approved to this page’s contracts').waitFor();
  expect(await page.getByText('Everything is stopped').count()).toBe(0);
  expect(await allowed(contracts.planRegistry)).toBe(0n);
  expect(wallet.sent.map(({ to }) => to.toLowerCase())).toEqual([tokens.USDT.toLowerCase()]);
});

test('WB-7: when the plan is declined after its approval, the approval is named, and where it is taken back', async () => {
  const { page, wallet } = await open('plans');
  await connectWallet(page);
  wallet.instead = (asked) => (asked.to.toLowerCase() === contracts.planRegistry.toLowerCase() ? undefined : asked);
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Amount per buy').fill('50');
  await page.getByLabel('Number of buys').fill('3');
  await page.getByRole('button', { name: 'Approve and create' }).click();
  const notice = page.getByText(/^Earlier steps went through: Approve 150 USDT/);
  await notice.waitFor();
  expect(await notice.textContent()).toContain('“Stop everything”, at the top of the page');
});

test('WB-14: an approval that cannot be read is named as such', async () => {
  const { page } = await open('portfolio', { key: newcomer });
  const usdc = tokens.USDC.slice(2).toLowerCase();
  await intercept(page, (body) => (body.includes(readAllowance) && body.includes(usdc) ? 'refused' : undefined));
  await connectWallet(page);
  await stopButton(page).click();
  await stopButton(page).click();
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  await page.getByText('Approvals of USDC are unknown').waitFor();
  expect(await page.getByText('Everything is stopped').count()).toBe(0);
  await page.unroute(`${local.url}/**`);
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('Everything is stopped').waitFor();
});

test('sections have paths, titles and headings with the focus, and back leads there', async () => {
  const { page, complaints } = await open('plans');
  expect(page.url()).toBe(`${web.url}/plans`);
  await connectWallet(page);
  const isFocused = (name: string) =>
    expect.poll(() => page.evaluate('document.activeElement?.textContent'), { timeout: 20_000 }).toBe(name);
  // An earlier test stopped the plan, so it is folded away.
  await page.getByText(/^Ended \(\d+\)$/).click();
  await page.getByRole('link', { name: 'Plan 1', exact: true }).click();
  await isFocused('Plans');
  expect(page.url()).toBe(`${web.url}/plans/1`);
  expect(await page.title()).toBe('Plans 1 · Bowline');
  expect(await page.getByRole('article').count()).toBe(1);
  await page.getByRole('navigation').getByRole('link', { name: 'Loans' }).click();
  await isFocused('Loans');
  await page.goBack();
  await isFocused('Plans');
  expect(page.url()).toBe(`${web.url}/plans/1`);
  await page.reload();
  await page.getByRole('article', { name: /BTCB for 25 USDT/ }).waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
  await go(page, 'ask');
  await isFocused('Ask');
  expect(page.url()).toBe(`${web.url}/ask`);
  await page.goto(`${web.url}/plans/x`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
});

test('WB-22: what was asked of the wallet is told in every section, does not hold up the stop, and survives a reload', async () => {
  await take('USDT', '1000', privateKeyToAddress(newcomer));
  const { page, wallet } = await open('plans', { key: newcomer });
  await connectWallet(page);
  const tray = page.locator('details.tray');
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Amount per buy').fill('50');
  await page.getByLabel('Number of buys').fill('3');
  let letSign = () => {};
  wallet.holds = new Promise((resolve) => {
    letSign = resolve;
  });
  await page.getByRole('button', { name: 'Approve and create' }).click();
  await tray.getByText('1 of 2, Approve 150 USDT: waiting for your wallet').waitFor();
  // The words come first, then the wallet's window.
  await expect.poll(() => wallet.methods, { timeout: 20_000 }).toContain('eth_sendTransaction');
  await go(page, 'portfolio');
  await tray.getByText('1 of 2, Approve 150 USDT: waiting for your wallet').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  // The wallet never answers that one.
  wallet.holds = undefined as never;
  await stopButton(page).click();
  await stopButton(page).click();
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  expect(wallet.sent).toEqual([{ to: contracts.revocations, data: revokeAll }]);

  // Now it does, and the next step opens its window beside words, in another section.
  await chain.setAutomine(false);
  try {
    letSign();
    await tray.getByText('1 of 2, Approve 150 USDT: sent, not confirmed yet').waitFor();
    await page.reload();
    await tray.getByText('1 of 2, Approve 150 USDT: sent, not confirmed yet').waitFor();
    await chain.mine({ blocks: 1 });
    await tray.getByText('2 of 2, Create the plan: not requested').waitFor();
    await tray.locator('summary').click();
    await tray.getByText('The previous step was confirmed').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await tray.getByText(/^Transaction 0x/).count()).toBe(2);
    await page.getByRole('button', { name: 'Clear list' }).click();
    expect(await tray.count()).toBe(0);
  } finally {
    await chain.setAutomine(true);
  }
  expect(wallet.sent).toHaveLength(2);
});

test('WB-22: a form whose wallet does not answer is let go, and what is signed later is told, with no further step', async () => {
  await take('USDT', '1000', privateKeyToAddress(newcomer));
  const { page, wallet } = await open('plans', { key: newcomer });
  await connectWallet(page);
  await page.clock.install();
  const main = page.getByRole('main');
  const tray = page.locator('details.tray');
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Amount per buy').fill('50');
  await page.getByLabel('Number of buys').fill('3');
  let letSign = () => {};
  wallet.holds = new Promise((resolve) => {
    letSign = resolve;
  });
  const create = main.getByRole('button', { name: 'Approve and create' });
  await create.click();
  await expect.poll(() => wallet.methods, { timeout: 20_000 }).toContain('eth_sendTransaction');
  const letGo = main.getByRole('button', { name: 'Stop waiting' });
  expect(await letGo.count()).toBe(0);
  await page.clock.fastForward(61_000);
  expect(await accessibilityProblems(page)).toEqual([]);
  await letGo.click();
  await tray.getByText('1 of 2, Approve 150 USDT: status unknown').waitFor();
  await expect.poll(() => create.isEnabled(), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
  letSign();
  await tray.getByText('2 of 2, Create the plan: not requested').waitFor();
  expect(wallet.sent).toHaveLength(1);
});

test('WB-22: a stop that the wallet does not answer can be asked for again', async () => {
  const { page, wallet } = await open('ask', { key: newcomer });
  await connectWallet(page);
  await page.clock.install();
  let letSign = () => {};
  wallet.holds = new Promise((resolve) => {
    letSign = resolve;
  });
  await stopButton(page).click();
  await stopButton(page).click();
  const again = page.getByRole('button', { name: 'Ask the wallet again' });
  expect(await again.count()).toBe(0);
  await page.getByText('sign in your wallet …').waitFor();
  await page.clock.fastForward(5_000);
  wallet.holds = undefined as never;
  await again.click();
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  expect(wallet.sent).toEqual([{ to: contracts.revocations, data: revokeAll }]);
  letSign();
});

test('WB-109, WB-11: by keyboard alone: approvals are taken back as one, and everything is stopped', async () => {
  const of = privateKeyToAddress(newcomer);
  for (const spender of [contracts.planRegistry, contracts.loanGuard]) {
    const args = [spender, parseEther('4')] as const;
    await chain.send(of, tokens.USDT, { abi: erc20Abi, functionName: 'approve', args });
  }
  const { page, wallet } = await open('portfolio', { key: newcomer });
  wallet.batching = { says: 'supported' };
  const keys = await atKeyboard(page);
  await keys.enter('Connect wallet');
  await keys.enter('Stop everything');
  await keys.enter('Revoke 2 approvals');
  await page.getByText('Nothing is approved to this page’s contracts').waitFor();
  expect([wallet.sent, wallet.lists.map((calls) => calls.length)]).toEqual([[], [2]]);
  for (const spender of [contracts.planRegistry, contracts.loanGuard]) {
    const allowance = { address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args: [of, spender] } as const;
    expect(await chain.readContract(allowance)).toBe(0n);
  }
  const before = await epochOf(of);
  await keys.enter('Stop everything');
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  expect(
    await page
      .locator('.stop-panel')
      .getByText(/^Transaction 0x/)
      .count(),
  ).toBe(1);
  expect(await epochOf(of)).toBeGreaterThan(before);
  expect(await keys.lost()).toEqual([]);
});

test('every section says that the chain does not answer, and since when', { tags: 'long' }, async () => {
  const { page } = await open('portfolio');
  await connectWallet(page);
  await page.locator('.network .dot.good').waitFor();
  await page.getByText(/Updated: chain \d\d:\d\d:\d\d/).waitFor();
  await intercept(page, () => 'silent');
  for (const section of sections) {
    await go(page, section);
    await page.getByText(/Local BNB Chain has not responded since \d\d:\d\d/).waitFor();
    await page.locator('.network .dot.bad').waitFor();
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.unroute(`${local.url}/**`);
  await page.getByText('Local BNB Chain has not responded').waitFor({ state: 'detached' });
  await page.locator('.network .dot.good').waitFor();
});

test('a wallet on another network is told so in every section', async () => {
  const { page, wallet } = await open('portfolio');
  wallet.chainId = 56;
  await connectWallet(page);
  for (const section of sections) {
    await go(page, section);
    await shown(page, section);
    expect(await page.getByText('Your wallet is on another network').count(), section).toBe(1);
  }
});

// AG-209
test('an address with a wrong checksum is not looked at, and the page says why, in the field and of a link', async () => {
  const { page } = await open('portfolio', { key: newcomer });
  const digits = user.slice(2);
  const letter = [...digits].findIndex((each) => /[a-f]/i.test(each));
  const swapped =
    digits[letter] === digits[letter]?.toLowerCase() ? digits[letter]?.toUpperCase() : digits[letter]?.toLowerCase();
  const mistyped = `0x${digits.slice(0, letter)}${swapped}${digits.slice(letter + 1)}`;
  const field = page.getByLabel('View any address');
  const view = page.getByRole('button', { name: 'View', exact: true });
  for (const [text, why] of [
    [mistyped, 'The checksum of this address is wrong: a letter may be mistyped.'],
    [user.slice(0, -1), 'An address is 0x and 40 hexadecimal digits.'],
  ] as const) {
    await field.fill(text);
    await page.getByText(why).waitFor();
    expect(await view.isDisabled()).toBe(true);
    await field.press('Enter');
    expect(page.url()).not.toContain('address=');
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const text of [user.toLowerCase(), `0X${digits.toUpperCase()}`]) {
    await field.fill(text);
    await view.click();
    await page.getByText('Viewing an address (read-only)').waitFor();
    expect(page.url()).toBe(`${web.url}/portfolio?address=${user}`);
    await page.getByRole('button', { name: 'Stop viewing' }).click();
  }
  await page.goto(`${web.url}/plans?address=${mistyped}`);
  await page.getByText('This link names no address').waitFor();
  await page.getByText('The checksum of this address is wrong: a letter may be mistyped.').waitFor();
  expect(await page.getByText('Viewing an address (read-only)').count()).toBe(0);
});

test('any address can be looked at, and no other wallet signs for it', async () => {
  const { page, wallet } = await open('portfolio', { key: newcomer });
  await page.getByLabel('View any address').fill(user);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByText('Viewing an address (read-only)').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Plans' }).click();
  expect(page.url()).toBe(`${web.url}/plans?address=${user}`);
  const plan = page.getByRole('article', { name: /BTCB for 25 USDT/ });
  await page.getByText(/^Ended \(\d+\)$/).click();
  await plan.waitFor();
  expect(await stopButton(page).count()).toBe(0);
  await connectWallet(page);
  expect(wallet.address).not.toBe(user);
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Amount per buy').fill('50');
  await page.getByLabel('Number of buys').fill('3');
  await page.getByRole('button', { name: 'Approve and create' }).click();
  await page.getByText('The address you are viewing is not your wallet’s').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  // The frame acts for the wallet.
  await stopButton(page).click();
  await stopButton(page).click();
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  expect(wallet.sent).toEqual([{ to: contracts.revocations, data: revokeAll }]);
  await page.getByRole('button', { name: 'Stop viewing' }).click();
  expect(page.url()).toBe(`${web.url}/plans`);
  await plan.waitFor({ state: 'detached' });
});

test('a declined connection is answered', async () => {
  const { page, wallet } = await open('ask');
  wallet.declines = true;
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByText('You declined it in your wallet. This page didn’t see your account').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  wallet.declines = false;
  await connectWallet(page);
  await page.getByText('You declined it').waitFor({ state: 'detached' });
});

test('without a wallet there is a demo wallet on the local chain, and links to phone wallets', async () => {
  const { page } = await openPage(browser, { url: `${web.url}/plans?x=1`, rpcUrl: local.url, size: 'phone' });
  const header = page.getByRole('banner');
  await header.getByText('Connect wallet').click();
  const href = (name: string) => header.getByRole('link', { name }).getAttribute('href');
  const { host } = new URL(web.url);
  expect(await href('MetaMask')).toBe(`https://link.metamask.io/dapp/${host}/plans?x=1`);
  expect(new URL((await href('Trust Wallet')) ?? '').searchParams.get('url')).toBe(`${web.url}/plans?x=1`);
  expect(await accessibilityProblems(page)).toEqual([]);
  // By keyboard: the pressed button goes away, and the focus stays next to its place (WB-11).
  await header.getByRole('button', { name: 'Use the demo wallet' }).press('Enter');
  await header.getByText('Account').waitFor({ state: 'attached' });
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
  const demo: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  const before = await epochOf(demo);
  await stopButton(page).click();
  await stopButton(page).click();
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  expect(await epochOf(demo)).toBeGreaterThan(before);

  // A node that claims to be of another chain gets no signature: neither if it does so after the wallet connected …
  const sent: string[] = [];
  await intercept(page, (body) => {
    if (body.includes('eth_sendRawTransaction')) sent.push(body);
    return body.includes('eth_chainId') ? '0x38' : undefined;
  });
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await stopButton(page).click();
  await stopButton(page).click();
  await page.getByText('Your wallet is on another network. Nothing was sent.').first().waitFor();
  // … nor before, and a reload does not change that.
  await page.reload();
  await header.getByText('Account').waitFor({ state: 'attached' });
  await page.getByText('Your wallet is on another network', { exact: true }).waitFor();
  await stopButton(page).click();
  await stopButton(page).click();
  await page.getByText('The wallet did not switch', { exact: true }).waitFor();
  expect(sent).toEqual([]);
});

test('no build for another chain holds the demo wallet', { tags: 'long' }, async () => {
  const built = async (name: 'bsc' | 'local') => {
    const own = mkdtempSync(join(tmpdir(), 'page-'));
    onTestFinished(() => rmSync(own, { recursive: true }));
    const chainId = name === 'bsc' ? bscChainId : localChainId;
    const record = JSON.parse(readFileSync(`${folder}/${localChainId}.json`, 'utf8')) as object;
    writeFileSync(join(own, `${chainId}.json`), JSON.stringify({ ...record, chainId }));
    const vite = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url));
    const config = fileURLToPath(new URL('../vite.config.ts', import.meta.url));
    const out = join(own, 'page');
    const env = { ...process.env, CHAIN: name, WEB_RPC_URL: local.url, DEPLOYMENTS_DIR: own };
    await promisify(execFile)(
      process.execPath,
      [vite, 'build', '--config', config, '--outDir', out, '--logLevel', 'silent'],
      { env },
    );
    const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|html)$/.test(file));
    return names.map((file) => readFileSync(join(out, file), 'utf8')).join('\n');
  };
  const [bsc, own] = [await built('bsc'), await built('local')];
  expect(bsc).toContain('BNB Chain');
  for (const text of ['7c852118294e51e6', 'Demo wallet', 'bowline.demo']) {
    expect(own, text).toContain(text);
    expect(bsc, text).not.toContain(text);
  }
});

test('the documentation is served beside the page', async () => {
  const moved = await fetch(`${web.url}/docs`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/docs/']);
  const first = await fetch(`${web.url}/docs/`);
  expect(first.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await first.text()).toContain('<title>Bowline</title>');
});

test('files are sent compressed and kept by the browser, and visits of any path get the page', async () => {
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const [response] = (await once(get(web.url + path, { headers }), 'response')) as [IncomingMessage];
    const sent = (await response.toArray()).reduce((sum, part: Buffer) => sum + part.length, 0);
    return { status: response.statusCode, headers: response.headers, sent };
  };
  const visit = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const [script = ''] = /\/assets\/index-[\w-]+\.js/.exec(await (await fetch(web.url)).text()) ?? [];
  const plain = await ask(script);
  for (const [accepted, encoding] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
  ] as const) {
    const { headers, sent } = await ask(script, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toBe(plain.headers['content-type']);
    expect(headers['cache-control']).toContain('immutable');
    expect(headers.vary).toContain('Accept-Encoding');
    expect(sent).toBeLessThan(plain.sent / 2);
  }
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const path of ['/', '/plans/3', '/check/plan/3']) {
    const { status, headers } = await ask(path, visit);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  }
  for (const path of ['/api/nothing', '/assets/old.js', '/plans/..%2f..%2fpackage.json'])
    expect((await ask(path, visit)).status).toBe(404);
  expect((await ask('/plans/3')).status).toBe(404);
  expect((await ask('/config.json', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
});

test('WB-14: it outlasts a change of section, and asks for the right network first', async () => {
  const { page, wallet } = await open('plans', { key: newcomer, size: 'phone' });
  wallet.chainId = 56;
  await connectWallet(page);
  let letSign = () => {};
  wallet.holds = new Promise((resolve) => {
    letSign = resolve;
  });
  await stopButton(page).click();
  await page.getByText('it will first ask you to switch').first().waitFor();
  await stopButton(page).click();
  await page.getByText('sign in your wallet …').waitFor();
  expect(wallet.chainId).toBe(localChainId);
  await go(page, 'portfolio');
  await page.getByRole('heading', { name: 'Portfolio' }).waitFor();
  await page.getByText('sign in your wallet …').waitFor();
  letSign();
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  expect(wallet.sent[0]).toEqual({ to: contracts.revocations, data: revokeAll });
});

test.each([
  ['cancelled', { to: user, data: '0x' }, 'Your wallet replaced this transaction with another one'],
  ['replaced', { to: tokens.USDT, data: revokeAll }, 'Your wallet replaced this transaction with another one'],
  ['repriced', undefined, /Every plan, guard and unused signature made up to block \S+ has ended/],
] as const)('WB-7: a transaction that is %s in the wallet is told as what it is', async (_, instead, said) => {
  const { page, wallet } = await open('portfolio');
  await connectWallet(page);
  await stopButton(page).click();
  const before = await epochOf(user);
  await chain.setAutomine(false);
  try {
    const nonce = await chain.getTransactionCount({ address: user });
    await stopButton(page).click();
    await page.getByText('sent …').waitFor();
    // The page must have seen the transaction before it can notice the replacement.
    await page.waitForTimeout(2_500);
    const { maxFeePerGas } = await chain.estimateFeesPerGas();
    await createWalletClient({ account: privateKeyToAccount(key), transport: http(local.url) }).sendTransaction({
      ...(instead ?? { to: contracts.revocations, data: revokeAll }),
      ...{
        chain: null,
        nonce,
        gas: 100_000n,
        maxFeePerGas: maxFeePerGas * 10n,
        maxPriorityFeePerGas: maxFeePerGas * 5n,
      },
    });
    await chain.mine({ blocks: 1 });
    await page.getByText(said).waitFor({ timeout: 15_000 });
    expect(await page.getByText('has ended').count()).toBe(instead ? 0 : 1);
    if (instead) expect(await page.getByText('Everything is stopped').count()).toBe(0);
    expect((await epochOf(user)) > before).toBe(instead === undefined);
    expect(wallet.sent).toHaveLength(1);
  } finally {
    await chain.setAutomine(true);
  }
});

test('WB-14: a transaction that revoked nothing is not called a stop', async () => {
  const { page, wallet } = await open('portfolio', { key: newcomer });
  await connectWallet(page);
  wallet.instead = () => ({ to: user, data: '0x' });
  await stopButton(page).click();
  await stopButton(page).click();
  await page.getByText('Another transaction was sent', { exact: true }).waitFor();
  expect(await page.getByText('has ended').count()).toBe(0);

  // The requested transaction is not called a stop either, if its receipt does not show one.
  delete wallet.instead;
  await page.route(`${local.url}/**`, async (route) => {
    if (!route.request().postData()?.includes('eth_getTransactionReceipt')) return route.fallback();
    const said = (await (await route.fetch()).json()) as { result: { logs: unknown[] } | null };
    if (said.result) said.result.logs = [];
    return route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json: said });
  });
  await stopButton(page).click();
  await page.getByText('Nothing was stopped').waitFor();
  expect(await page.getByText('has ended').count()).toBe(0);
});

test('WB-14: the frame fits 320 pixels, and is clean by axe at every size', async () => {
  const { page } = await open('portfolio', { key: newcomer });
  await connectWallet(page);
  for (const { width, height } of [...Object.values(sizes), { width: 320, height: 640 }]) {
    await page.setViewportSize({ width, height });
    expect(await accessibilityProblems(page), String(width)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), String(width)).toBe(width);
    await stopButton(page).click();
    expect(await accessibilityProblems(page), String(width)).toEqual([]);
    await page.getByRole('button', { name: 'Not now' }).click();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Stop everything');
  }
});

test('WB-15: a guard is called guarded only when a rescue could be paid; else what is missing is said', async () => {
  const { timestamp } = await chain.getBlock();
  await approve(contracts.loanGuard, 0n);
  const id = await register({ expiresAt: Number(timestamp) + 3_000 });
  const { page } = await open('loans', { url: 'about:blank' });
  // There is no agent here: the test supplies its statement that it watches.
  await statesAll(page, { url: web.url, blockTime: async () => (await chain.getBlock()).timestamp });
  await page.goto(`${web.url}/loans`);
  await connectWallet(page);
  const loan = page.getByRole('region', { name: 'Your loan in Venus' });
  const card = page.getByRole('article').filter({ hasText: `Guard ${id}` });
  const bar = loan.getByRole('img');
  const says = async (badge: string, drawsTrigger: boolean) => {
    await loan.locator('.badge').getByText(badge, { exact: true }).waitFor({ timeout: 15_000 });
    await card.locator('.badge').getByText(badge, { exact: true }).waitFor();
    expect(await page.getByText('guarded', { exact: true }).count()).toBe(badge === 'guarded' ? 2 : 0);
    if (drawsTrigger) expect(await bar.getAttribute('aria-label')).toContain('trigger 1.10');
    else expect(await bar.getAttribute('aria-label')).not.toContain('trigger');
  };
  await says('cannot pay: no approval', false);
  expect(await accessibilityProblems(page)).toEqual([]);
  await approve(contracts.loanGuard, parseEther('9.99'));
  await says('approval too low', false);
  await approve(contracts.loanGuard, parseEther('10'));
  await says('partly guarded', true);
  expect(await accessibilityProblems(page)).toEqual([]);
  await approve(contracts.loanGuard, parseEther('20000'));
  await says('guarded', true);

  const held = await chain.readContract({
    address: tokens.USDT,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [user],
  });
  const transfer = { abi: erc20Abi, functionName: 'transfer' } as const;
  await chain.send(user, tokens.USDT, { ...transfer, args: [stranger(3), held - parseEther('5')] });
  await says('balance too low', false);
  await take('USDT', '50000');
  await says('guarded', true);

  // The page's clock advances without readings: nothing is read when it passes the expiry.
  await page.clock.install();
  await intercept(page, () => 'silent');
  await page.clock.fastForward(40_000);
  await loan.getByText('Health factor as of').waitFor();
  await says('unknown', false);
  await page.clock.fastForward(3_600_000);
  await says('expired', false);
  await page.unroute(`${local.url}/**`);
});
