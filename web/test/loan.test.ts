import type { Page, Route } from 'playwright-core';
import { getAbiItem, type Hex, pad, parseEther, toFunctionSelector } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { collateralGuardAbi, loanGuardAbi } from '../../abis/index.ts';
import { borrow, capped, guardTerms, supply } from '../../agent/test/loans.ts';
import { borrowAndSpend, noRoute, saleContracts } from '../../agent/test/sales.ts';
import { erc20Abi, vTokenAbi } from '../../lab/world/abis.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { approve, give } from '../../test/local/accounts.ts';
import { saleFormWords } from '../app/words/en/sale.ts';
import { accessibilityProblems, connectWallet, openPage, type PageOptions, stopEverything } from './browser.ts';
import { statesAll } from './serves.ts';
import { book, browser, chain, contracts, local, web, withBrowser, withChain, withPage } from './world.ts';

// Loans and guards in a real browser with a wallet, on a real chain. No agent runs; the test supplies its statement
// that it watches.

/** Anvil accounts six to nine, public keys: a borrower, a payer of others' guards, one with only debt, one paid for. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
const funderKey: Hex = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e';
const spenderKey: Hex = '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356';
const savedKey: Hex = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97';
const user = privateKeyToAddress(key);
const funder = privateKeyToAddress(funderKey);
const spender = privateKeyToAddress(spenderKey);
const saved = privateKeyToAddress(savedKey);

withChain('loan');
withPage();
withBrowser();
beforeAll(() => borrow(chain, user, '42000', { BTCB: '0.3', ETH: '10' }));

const long = { tags: 'long', timeout: 120_000 } as const;

async function terms(changes: object = {}) {
  const { timestamp } = await chain.getBlock();
  const usual = { ...capped(9_000), expiresAt: Number(timestamp) + 40 * 86_400 };
  return guardTerms({ chain, book }, user, timestamp, { ...usual, ...changes });
}

const guardOf = (id: bigint) =>
  chain.readContract({ address: contracts.loanGuard, abi: loanGuardAbi, functionName: 'guard', args: [id] });
const guardCount = () =>
  chain.readContract({ address: contracts.loanGuard, abi: loanGuardAbi, functionName: 'guardCount' });
const allowed = (owner: Hex) =>
  chain.readContract({
    ...{ address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args: [owner, contracts.loanGuard] },
  });

async function register(changes: object = {}): Promise<bigint> {
  const args = [await terms(changes)] as const;
  await chain.send(user, contracts.loanGuard, { abi: loanGuardAbi, functionName: 'register', args });
  return guardCount();
}

async function open(changes: Partial<PageOptions> = {}) {
  const found = await openPage(browser, { url: 'about:blank', rpcUrl: local.url, key, ...changes });
  const { page, wallet } = found;
  if (wallet === undefined) throw new Error('no wallet');
  await statesAll(page, { url: web.url, blockTime: async () => (await chain.getBlock()).timestamp });
  await page.goto(`${web.url}/loans`);
  await connectWallet(page);
  await page.getByTestId('health').waitFor();
  return { ...found, wallet };
}

const shown = async (page: Page, name: string) => {
  const { SHOTS: shots } = process.env;
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
};

test('WB-312: nothing is signed before the rescue that closes the loan was tried', long, async () => {
  await borrowAndSpend(chain, spender, '28500');
  const { page } = await open({ key: spenderKey });
  const held: Route[] = [];
  let isHeld = true;
  const rescue = toFunctionSelector(getAbiItem({ abi: collateralGuardAbi, name: 'rescue' })).slice(2);
  await page.route(`${local.url}/**`, async (route) => {
    if (isHeld && route.request().postData()?.includes(rescue)) held.push(route);
    else await route.continue();
  });
  await page.getByRole('button', { name: 'Close now' }).click();
  const button = page.getByRole('button', { name: 'Approve and close' });
  await expect.poll(() => held.length).toBeGreaterThan(0);
  expect(await button.isEnabled()).toBe(false);
  isHeld = false;
  await Promise.all(held.map((route) => route.continue()));
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.click();
  await page.getByText(saleFormWords.closing).waitFor();
  const { collateralGuard } = saleContracts({ chain, book });
  const route = { ...noRoute, firstFee: 500 };
  const ofSale = { abi: collateralGuardAbi, functionName: 'guardCount' } as const;
  const id = await chain.readContract({ address: collateralGuard, ...ofSale });
  await chain.send(user, collateralGuard, { abi: collateralGuardAbi, functionName: 'rescue', args: [id, route] });
  await page.getByTestId('health').waitFor({ state: 'detached' });
  // A later loan does not open with the form that closed this one.
  const debt = { abi: vTokenAbi, functionName: 'borrow', args: [parseEther('1000')] } as const;
  await chain.send(spender, venus.markets.vUSDT, debt);
  await page.getByRole('button', { name: 'Close now' }).waitFor();
});

test('what a guard lacks is mended by the button beside it', long, async () => {
  await approve(chain, user, 'USDT', contracts.loanGuard, 0n);
  const { timestamp } = await chain.getBlock();
  const id = await register({ expiresAt: Number(timestamp) + 86_400 });
  const { page, wallet, complaints } = await open();
  const card = page.getByRole('article').filter({ hasText: `Guard ${id}` });
  const lacks = card.getByRole('list', { name: `What guard ${id} needs` });
  await lacks.getByText('Approved: 0 USDT of the').waitFor();
  await lacks.getByText('Expires on').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await shown(page, 'lacks');
  await lacks.getByRole('button', { name: 'Approve 9,000 USDT' }).click();
  await card.getByText('Approved.', { exact: true }).waitFor();
  expect(await allowed(user)).toBe(parseEther('9000'));
  await card.locator('.badge').getByText('guarded', { exact: true }).waitFor();
  expect(await lacks.getByText('Approved:').count()).toBe(0);

  // The guard's own page shows the same and keeps the result.
  await card.getByRole('link', { name: `Guard ${id}` }).click();
  await page.getByRole('heading', { name: `Guard ${id}`, exact: true }).waitFor();
  await card.locator('.badge').getByText('guarded', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Your loan in Venus' }).waitFor();
  await page.getByRole('region', { name: 'What if prices move?' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await shown(page, 'by-id');
  await page.getByRole('link', { name: 'All guards of this account' }).click();
  await page.getByRole('heading', { name: 'Loans', exact: true }).waitFor();

  // Terms never change: extending a guard sets another one, then cancels the old one.
  await lacks.getByRole('button', { name: 'Extend' }).click();
  const form = page.getByRole('region', { name: `Edit guard ${id}` });
  expect(await form.getByLabel('Max per rescue').inputValue()).toBe('9000');
  expect(await accessibilityProblems(page)).toEqual([]);
  await shown(page, 'edit');
  await form.getByLabel('Max per rescue').fill('8500');
  await form.getByRole('button', { name: 'Approve and replace' }).click();
  await page.getByRole('heading', { name: 'Guard set' }).waitFor();
  await page.getByText(`guard ${id} is cancelled`).waitFor();
  expect(wallet.sent).toHaveLength(3);
  expect((await guardOf(id)).state.status).toBe(2);
  const { terms: newTerms, state } = await guardOf(id + 1n);
  expect(state.status).toBe(1);
  expect(newTerms).toMatchObject({ capPerRescue: parseEther('8500'), cooldownSeconds: 600, funder: user });
  expect(Number(newTerms.expiresAt)).toBeGreaterThan(Number(timestamp) + 364 * 86_400);
  expect(await allowed(user)).toBe(parseEther('9000'));

  // A pause revokes the approval, and can be undone.
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  const next = page.getByRole('article').filter({ hasText: `Guard ${id + 1n}` });
  await next.getByRole('button', { name: 'Pause' }).click();
  await next.getByText(`Guard ${id + 1n} is paused`).waitFor();
  expect(await allowed(user)).toBe(0n);
  await next.locator('.badge').getByText('cannot pay: no approval').waitFor();
  await next.getByRole('button', { name: 'Approve 8,500 USDT' }).waitFor();
  expect(complaints).toEqual([]);
});

test('WB-40: prices are moved by keys, and the protocol and the guard answer', long, async () => {
  const id = await register();
  await approve(chain, user, 'USDT', contracts.loanGuard, parseEther('9000'));
  const { page, complaints } = await open();
  const simulator = page.getByRole('region', { name: 'What if prices move?' });
  const slider = simulator.getByRole('slider', { name: 'ETH' });
  await slider.focus();
  expect(await slider.getAttribute('aria-valuetext')).toBe('$4,000.00 for one ETH, as now');
  await slider.press('End');
  expect(await slider.getAttribute('aria-valuetext')).toBe('$6,000.00 for one ETH, 50 % above now');
  await simulator.getByRole('button', { name: 'Reset' }).click();
  await slider.focus();
  for (let press = 0; press < 75; press++) await slider.press('ArrowLeft');
  expect(await slider.getAttribute('aria-valuetext')).toBe('$2,500.00 for one ETH, 37.5 % below now');
  await simulator.getByText(/^Answered at \d\d:\d\d:\d\d \S+ by Venus and the guard contract/).waitFor();
  const said = (await simulator.getByText(`Guard ${id} would repay`).textContent()) ?? '';
  expect(said).toMatch(/bring health to 1\.2[45]/);
  for (const colours of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: colours });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), String(width)).toBe(width);
      expect(await accessibilityProblems(page), `${colours} ${width}`).toEqual([]);
      await shown(page, `simulator-${colours}-${width}`);
    }
  }
  // Then the price really falls.
  await setPrice(chain, user, 'ETH', 2_500_00000000n);
  const { result: repaid } = await chain.simulateContract({
    ...{ address: contracts.loanGuard, abi: loanGuardAbi, functionName: 'rescue', args: [id], account: user },
  });
  expect(said).toContain(`repay ${(Number(repaid / 10n ** 16n) / 100).toLocaleString('en')}`);
  await setPrice(chain, user, 'ETH', 4_000_00000000n);
  expect(complaints).toEqual([]);

  // The node rejects state overrides.
  await page.route(`${local.url}/**`, async (route: Route) => {
    const { id: request, params } = JSON.parse(route.request().postData() ?? '{}') as {
      id: number;
      params?: unknown[];
    };
    if ((params?.length ?? 0) < 3) return route.fallback();
    const error = { code: -32_602, message: 'too many arguments, want at most 2' };
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill({ headers, json: { jsonrpc: '2.0', id: request, error } });
  });
  await slider.press('ArrowLeft');
  await simulator.getByText('this node could not simulate other prices').waitFor();
  expect(await simulator.getByText('would repay').count()).toBe(0);
});

test(
  'WB-310, WB-314: in danger the first button repays to the target, and a rescue has its receipt',
  long,
  async () => {
    const id = await register();
    await approve(chain, user, 'USDT', contracts.loanGuard, parseEther('9000'));
    await setPrice(chain, user, 'ETH', 2_600_00000000n);
    await chain.send(funder, contracts.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [id] });
    await setPrice(chain, user, 'ETH', 1_900_00000000n);
    const { page, wallet, complaints } = await open();
    const number = page.getByTestId('health');
    expect(await number.getAttribute('class')).toContain('bad');
    const loan = page.getByRole('region', { name: 'Your loan in Venus' });
    await loan.getByRole('button', { name: '−30 %' }).click();
    await loan.getByText('With the guard').waitFor();
    await loan.getByText(/^Answered at/).waitFor();
    for (const colours of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: colours });
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth'), String(width)).toBe(width);
        expect(await accessibilityProblems(page), `${colours} ${width}`).toEqual([]);
        await shown(page, `danger-${colours}-${width}`);
      }
    }
    await loan.getByRole('button', { name: 'Reset' }).click();
    const first = loan.getByRole('button', { name: /^Repay [\d,.]+ USDT for the loan in Venus$/ });
    expect(await first.getAttribute('class')).toContain('primary');
    await first.click();
    const form = page.getByRole('region', { name: 'Repay debt in Venus' });
    await form.getByText(/^Health goes from \d\.\d\d to about 1\.25\.$/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await shown(page, 'repay');
    await form.getByRole('button', { name: 'Approve and repay' }).click();
    await page.getByText('Repaid.').waitFor();
    expect(wallet.sent).toHaveLength(2);
    await expect.poll(() => number.textContent(), { timeout: 15_000 }).toBe('1.25');

    const card = page.getByRole('article').filter({ hasText: `Guard ${id}` });
    await card.getByText(/^A liquidation of the same amount takes at least [\d,.]+ USDT more/).waitFor();
    await card.getByRole('button', { name: 'Show prices and delay' }).click();
    await card.getByText(/^It came \d+ blocks? after the first block/).waitFor({ timeout: 30_000 });
    // The prices at the time of the rescue, not the current ones.
    await card.getByText(/^In its block, [\d,]+, Venus’s oracle priced .*1 ETH at \$[\d,.]+\b.*\.$/).waitFor();
    await page.getByText('All rescues (1)').click();
    const csv = decodeURIComponent(
      (await page.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')) ?? '',
    );
    expect(csv).toMatch(new RegExp(`^data:text/csv.*\\r\\n${id},Venus,`, 's'));
    await shown(page, 'receipt');
    await setPrice(chain, user, 'ETH', 4_000_00000000n);
    expect(complaints).toEqual([]);
  },
);

test('the section takes at most 15 chain calls a minute', long, async () => {
  const { page } = await open();
  // The first readings find out what there is to read.
  await page.waitForTimeout(10_000);
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(local.url) && request.method() === 'POST') calls.push(request.postData() ?? '');
  });
  await page.waitForTimeout(60_000);
  expect(calls.length).toBeLessThanOrEqual(15);
  expect(calls.length).toBeGreaterThan(5);
});

test('WB-313: who pays for another’s guard signs for it, sees what it can do, and ends it alone', long, async () => {
  await chain.send(user, tokens.USDT, {
    ...{ abi: erc20Abi, functionName: 'transfer', args: [funder, parseEther('9500')] },
  });
  // The funder owes nothing: it has no loan of its own to show.
  const found = await openPage(browser, { url: `${web.url}/loans?address=${user}`, rpcUrl: local.url, key: funderKey });
  const { page } = found;
  await connectWallet(page);
  await page.getByRole('button', { name: 'Pay for its rescues' }).click();
  const form = page.getByRole('region', { name: /^Pay for rescues of 0x/ });
  await form.getByLabel('With up to').fill('9000');
  expect(await accessibilityProblems(page)).toEqual([]);
  await shown(page, 'fund');
  const { timestamp } = await chain.getBlock();
  await form.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('button', { name: 'Sign the consent' }).waitFor();
  // However long signing takes, the consent covers the terms that were shown.
  await chain.increaseTime({ seconds: 60 });
  await chain.mine({ blocks: 1 });
  // The page reads the chain every five seconds.
  await page.waitForTimeout(6_000);
  await page.getByRole('button', { name: 'Sign the consent' }).click();
  const link = (await page.getByText(/\/loans\?consent=0x/).textContent()) ?? '';
  expect(await allowed(funder)).toBe(parseEther('9000'));
  expect(found.wallet?.sent).toHaveLength(1);
  const before = await guardCount();

  const other = await openPage(browser, { url: link, rpcUrl: local.url, key });
  await connectWallet(other.page);
  const offer = other.page.getByRole('region', { name: 'Another account pays for your rescues' });
  await offer.getByText('has signed to pay for rescues of your loan in Venus').waitFor();
  expect(await accessibilityProblems(other.page)).toEqual([]);
  await shown(other.page, 'consent');
  await offer.getByRole('button', { name: 'Set the guard' }).click();
  await other.page.getByRole('heading', { name: 'Guard set' }).waitFor();
  await other.page.goto(`${web.url}/loans?consent=0x12345678`);
  await other.page.getByText('This link contains no consent that this page can use.').waitFor();
  await other.page.close();
  const id = await guardCount();
  expect(id).toBe(before + 1n);
  const signed = (await guardOf(id)).terms;
  expect(signed).toMatchObject({ borrower: user, funder, capPerRescue: parseEther('9000') });
  expect(signed.expiresAt).toBeLessThan(Number(timestamp) + 365 * 86_400 + 40);

  await approve(chain, funder, 'USDT', contracts.loanGuard, 0n);
  await page.goto(`${web.url}/loans`);
  await page.getByRole('heading', { name: 'Guards you fund' }).waitFor();
  const card = page.getByRole('article').filter({ hasText: `Guard ${id}` });
  await card.locator('.badge').getByText('cannot pay: no approval').waitFor();
  expect(await card.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await card.getByRole('button', { name: 'Approve 9,000 USDT' }).click();
  await card.getByText('Approved.', { exact: true }).waitFor();
  // There is no agent here whose statement could be supplied.
  await card.locator('.badge').getByText('no keeper seen').waitFor();
  await shown(page, 'funded');
  expect(await accessibilityProblems(page)).toEqual([]);
  await card.getByRole('button', { name: 'Cancel permanently' }).click();
  await card.getByRole('button', { name: `Cancel guard ${id}` }).click();
  await card.locator('.badge').getByText('cancelled').waitFor();
  expect((await guardOf(id)).state.status).toBe(2);
});

test('WB-313: another account’s deposit pays for a rescue, by its consent', long, async () => {
  const { collateralGuard } = saleContracts({ chain, book });
  const sales = { address: collateralGuard, abi: collateralGuardAbi } as const;
  const receipts = { address: venus.markets.vETH, abi: erc20Abi } as const;
  await supply(chain, funder, { ETH: '20' });
  await borrow(chain, saved, '42000', { BTCB: '0.3', ETH: '10' });
  const { page, wallet } = await openPage(browser, {
    ...{ url: `${web.url}/loans?address=${saved}`, rpcUrl: local.url, key: funderKey },
  });
  await connectWallet(page);
  await page.getByRole('button', { name: 'Pay for its rescues' }).click();
  const form = page.getByRole('region', { name: /^Pay for rescues of 0x/ });
  await form.getByRole('radio', { name: 'from my deposit' }).check();
  await form.getByLabel('With up to').fill('15');
  await form.getByText('a rescue withdraws from your ETH deposit').waitFor();
  expect(await form.getByText('It costs at most 2 %').textContent()).toMatch(/up to [\d,.]+ USDT for that rescue/);
  expect(await accessibilityProblems(page)).toEqual([]);
  await shown(page, 'fund-savings');
  await form.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('button', { name: 'Sign the consent' }).click();
  const link = (await page.getByText(/\/loans\?consent=0x/).textContent()) ?? '';
  expect(wallet?.sent).toHaveLength(1);

  const other = await openPage(browser, { url: link, rpcUrl: local.url, key: savedKey });
  await connectWallet(other.page);
  const offer = other.page.getByRole('region', { name: 'Another account pays for your rescues' });
  await offer.getByText('Its deposit in Venus pays').waitFor();
  await offer.getByText('A rescue also happens if Chainlink’s prices').waitFor();
  await shown(other.page, 'consent-savings');
  await offer.getByRole('button', { name: 'Set the guard' }).click();
  await other.page.getByRole('heading', { name: 'Guard set' }).waitFor();
  const id = await chain.readContract({ ...sales, functionName: 'guardCount' });
  const { terms: signed } = await chain.readContract({ ...sales, functionName: 'guard', args: [id] });
  expect(signed).toMatchObject({ borrower: saved, funder, triggerHealthWad: parseEther('1.1'), maxCostBps: 200 });

  const held = () => chain.readContract({ ...receipts, functionName: 'balanceOf', args: [funder] });
  const [before, own] = [
    await held(),
    await chain.readContract({ ...receipts, functionName: 'balanceOf', args: [saved] }),
  ];
  await setPrice(chain, user, 'ETH', 2_600_00000000n);
  await chain.send(spender, collateralGuard, { ...sales, functionName: 'rescue', args: [id, signed.route] });
  await setPrice(chain, user, 'ETH', 4_000_00000000n);
  expect(await held()).toBeLessThan(before);
  expect(await chain.readContract({ ...receipts, functionName: 'balanceOf', args: [saved] })).toBe(own);
  const card = page.getByRole('article').filter({ hasText: `Guard collateral-${id}` });
  await card.getByText('Repaid').first().waitFor();
  await shown(page, 'funded-savings');
  await stopEverything(page);
  await page.getByText(/ETH deposits’ receipts, to guards$/).waitFor();
});

test('WB-5: a guard that sells collateral is set, shown with its cost, edited, and cancelled', long, async () => {
  const { collateralGuard } = contracts;
  if (collateralGuard === undefined) throw new Error('COLLATERAL_GUARD is not deployed.');
  const saleOf = (id: bigint) =>
    chain.readContract({ address: collateralGuard, abi: collateralGuardAbi, functionName: 'guard', args: [id] });
  await register();
  // Earlier tests have set guards too.
  const first =
    1n +
    (await chain.readContract({
      ...{ address: collateralGuard, abi: collateralGuardAbi, functionName: 'guardCount' },
    }));
  const [name, nextName] = [`collateral-${first}`, `collateral-${first + 1n}`];
  const { page, complaints } = await open();
  await page.getByRole('button', { name: 'Set another guard' }).click();
  await page.getByRole('radio', { name: 'by selling collateral' }).check();
  const form = page.getByRole('region', { name: 'New guard that sells collateral' });
  await form.getByRole('radio', { name: 'ETH' }).check();
  await form.getByText('up to', { exact: false }).first().waitFor();
  await form.getByText('More options').click();
  expect(await form.getByText('It costs at most 2 %').textContent()).toMatch(/up to [\d,.]+ USDT for that rescue/);
  await form.getByText('with 5 minutes between rescues.').waitFor();
  await form.getByLabel('Maximum cost').fill('0.99');
  await form.getByText('A maximum cost below 1 % blocks rescues').waitFor();
  await form.getByLabel('Maximum cost').fill('2');
  await form.getByLabel('Protect below').fill('1.1');
  await form.getByRole('button', { name: 'The trigger must be below' }).waitFor();
  await form.getByLabel('Protect below').fill('1.07');
  await form.getByLabel('Sell at most').fill('4');
  expect(await accessibilityProblems(page)).toEqual([]);
  await shown(page, 'set-sale');
  await form.getByRole('button', { name: 'Approve and set' }).click();
  await page.getByRole('heading', { name: 'Guard set' }).waitFor();
  const { terms, state } = await saleOf(first);
  expect(state.status).toBe(1);
  expect(terms).toMatchObject({
    ...{ borrower: user, funder: user, maxCostBps: 200, cooldownSeconds: 300, triggerHealthWad: parseEther('1.07') },
    ...{ targetHealthWad: parseEther('1.15'), collateralMarket: pad(venus.markets.vETH).toLowerCase() },
    route: { firstFee: 500 },
  });
  const receipts = await chain.readContract({
    ...{ address: venus.markets.vETH, abi: erc20Abi, functionName: 'allowance', args: [user, collateralGuard] },
  });
  const deposit = await chain.readContract({
    ...{ address: venus.markets.vETH, abi: erc20Abi, functionName: 'balanceOf', args: [user] },
  });
  expect(Number(receipts) / Number(deposit)).toBeCloseTo(0.4, 6);
  await page.getByRole('button', { name: 'Close' }).click();
  const card = page.getByRole('article').filter({ hasText: `Guard ${name}` });
  await card.getByText('selling some of this loan’s ETH').waitFor();
  await card.locator('.badge').getByText('guarded', { exact: true }).waitFor();
  await shown(page, 'sale-card');
  await card.getByRole('button', { name: 'Edit' }).click();
  const edited = page.getByRole('region', { name: `Edit guard ${name}` });
  // The form starts with the guard's own terms and what its approval allows.
  expect(Number(await edited.getByLabel('Sell at most').inputValue())).toBeCloseTo(4, 6);
  expect(await edited.getByLabel('Protect below').inputValue()).toBe('1.07');
  await edited.getByLabel('Protect below').fill('1.06');
  await edited.getByLabel('Maximum cost').fill('1.5');
  await edited.getByText('You already have').waitFor({ state: 'detached' });
  expect(await accessibilityProblems(page)).toEqual([]);
  await shown(page, 'edit-sale');
  await edited.getByRole('button', { name: 'Approve and replace' }).click();
  await page.getByText(`It is on chain, and guard ${name} is cancelled.`).waitFor();
  const next = await saleOf(first + 1n);
  expect(next.terms).toEqual({ ...terms, triggerHealthWad: parseEther('1.06'), maxCostBps: 150 });
  expect([next.state.status, (await saleOf(first)).state.status]).toEqual([1, 2]);
  const allowance = { address: venus.markets.vETH, abi: erc20Abi, functionName: 'allowance' } as const;
  expect(await chain.readContract({ ...allowance, args: [user, collateralGuard] })).toBe(receipts);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  const second = page.getByRole('article').filter({ hasText: `Guard ${nextName}` });
  await second.getByRole('link', { name: `Guard ${nextName}` }).click();
  await page.getByRole('heading', { name: `Guard ${nextName}`, exact: true }).waitFor();
  await second.getByRole('button', { name: 'Cancel permanently' }).click();
  await second.getByRole('button', { name: `Cancel guard ${nextName}` }).click();
  await second.getByText(`Guard ${nextName} cancelled.`).waitFor();
  expect((await saleOf(first + 1n)).state.status).toBe(2);
  // What remains of an unlimited approval still counts as any amount.
  const unlimited = { abi: erc20Abi, functionName: 'approve', args: [collateralGuard, 2n ** 128n - 2n] } as const;
  await chain.send(user, venus.markets.vETH, unlimited);
  await stopEverything(page);
  await page.getByText('Any amount of ETH deposits’ receipts, to guards', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('WB-312: a loan that is closed from the wallet is said to be repaid once nothing is owed', long, async () => {
  await give(chain, user, 'USDT', '45000');
  const { page } = await open();
  await page.getByRole('button', { name: 'Close now' }).click();
  const form = page.getByRole('region', { name: 'Repay debt in Venus' });
  await form.getByRole('button', { name: 'Approve and repay' }).click();
  await page.getByText('Repaid.').waitFor();
  await page.getByTestId('health').waitFor({ state: 'detached' });
  await page.getByText('Repaid.').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByText('Repaid.').waitFor({ state: 'detached' });
});
