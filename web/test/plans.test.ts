import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { type Address, encodeFunctionData, type Hex, parseEther, zeroAddress, zeroHash } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { planRegistryAbi, swapExecutorAbi } from '../../abis/index.ts';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { keeper } from '../../lab/world/deployment.ts';
import { accessibilityProblems, connectWallet, openPage } from './browser.ts';
import { browser, chain, contracts, local, web, withBrowser, withChain, withPage } from './world.ts';

// A plan's whole life on the page: what the form says before signing, then edit, copy, history and cancel.
// Real chain, contracts, server and browser; no agent: the test runs the plan with the operator's key.

/** Anvil's sixth account. Keys are public. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
const user = privateKeyToAddress(key);

withChain('plans');
withPage();
withBrowser();
beforeAll(async () => {
  const args = [user, parseEther('36615')] as const;
  await chain.send(user, tokens.USDT, { abi: faucetAbi, functionName: 'allocateTo', args });
});

const allowed = (): Promise<bigint> =>
  chain.readContract({
    ...{ address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args: [user, contracts.planRegistry] },
  });
const planOf = (id: bigint) =>
  chain.readContract({ address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'plan', args: [id] });

/** The operator's run of a plan. */
async function execute(id: bigint): Promise<Hex> {
  const { state } = await planOf(id);
  const ticket = {
    ...{ tokenIn: zeroAddress, tokenOut: zeroAddress, verdict: 3, maxPriceWad: 0n, maxAmountIn: 0n },
    ...{ issuedAt: 0n, expiresAt: 0n, evidenceHash: zeroHash },
  };
  const path: Hex = `${tokens.USDT}0001f4${tokens.BTCB.slice(2)}` as Address;
  const data = encodeFunctionData({
    ...{ abi: swapExecutorAbi, functionName: 'execute', args: [id, BigInt(state.version), ticket, '0x', path] },
  });
  const { transactionHash } = await chain.sendRaw(keeper, contracts.swapExecutor, data);
  return transactionHash;
}

async function open(size: 'desktop' | 'phone' = 'desktop', colours: 'light' | 'dark' = 'light') {
  const found = await openPage(browser, { url: `${web.url}/plans`, rpcUrl: local.url, key, size, colours });
  await connectWallet(found.page);
  return found.page;
}

const fitsIn320 = async (page: Page) => {
  await page.setViewportSize({ width: 320, height: 800 });
  const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await page.setViewportSize({ width: 1280, height: 800 });
  return over === 0;
};

test('WB-5, WB-63: a plan is drafted, simulated, made, run, edited, copied and cancelled', {
  tags: 'long',
  timeout: 240_000,
}, async () => {
  const page = await open();
  await page.getByRole('button', { name: 'New plan' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.textContent'), { timeout: 20_000 }).toBe('New plan');

  // The button says what prevents signing.
  const amount = page.getByLabel('Amount per buy');
  await page.getByRole('button', { name: 'Enter an amount.' }).waitFor();
  await amount.fill('50000');
  await page.getByRole('button', { name: 'Not enough USDT (you have 36,615)' }).waitFor();
  await page.getByRole('button', { name: 'MAX USDT' }).click();
  expect(await amount.inputValue()).toBe('3661.5');
  await amount.fill('50,5');
  await page.getByText('Up to 505 USDT in total: you approve exactly that.').waitFor();
  await page.getByText('More options').click();
  await page.getByLabel('Limit price').fill('1000');
  await page.getByText('Right now it would wait').waitFor();
  await page.getByLabel('Limit price').fill('');
  const simulated = page.getByRole('region', { name: 'The next trade, simulated' });
  await simulated.getByText('Rate and fees').click();
  const ledger = simulated.locator('.ledger').last();
  await ledger.waitFor();
  for (const line of ['Rate (incl. fees)', 'Minimum received', 'Pool fee', 'Price impact', 'Network fee']) {
    expect(await ledger.getByText(line).count(), line).toBe(1);
  }
  expect(await ledger.textContent()).toMatch(/1 BTCB = 100,\d{3}(\.\d+)? USDT/);
  expect(await ledger.textContent()).toMatch(/Network fee \(approx\.\)\s*0\.\d+ BNB/);
  // The visible amount is shortened; the tooltip has every digit.
  const received = simulated.locator('.ledger div', { hasText: 'You receive' }).locator('[title]');
  const told = ((await received.getAttribute('title')) ?? '').replace(/[^\d.]/g, '');
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await fitsIn320(page)).toBe(true);
  await page.getByRole('radio', { name: 'Minute' }).check();
  await page.getByRole('button', { name: 'Approve and create' }).click();
  await page.getByText('Plan created.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await allowed()).toBe(parseEther('505'));

  // The run matches its simulation.
  const hash = await execute(1n);
  const [record] = await chain.readContract({
    ...{ address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'runs', args: [1n, 0n, 1n] },
  });
  expect(record?.amountOut).toBe(parseEther(told));
  const card = page.getByRole('article', { name: /BTCB for 50.5 USDT every minute/ });
  await card.getByText('1 of 10').waitFor();
  // With a single plan, its history is unfolded.
  await card.getByText('Average price').waitFor();
  await card.getByRole('button', { name: /^Find/ }).click();
  await card.getByText(`${hash.slice(0, 10)}…${hash.slice(-6)}`).waitFor();
  const download = page.waitForEvent('download');
  await card.getByRole('button', { name: /^Download CSV/ }).click();
  const file = await (await download).path();
  expect(readFileSync(file, 'utf8')).toContain(`bought,50.5,USDT,${told},BTCB`);
  expect(readFileSync(file, 'utf8')).toContain(hash);

  await card.getByRole('button', { name: 'Edit plan 1' }).click();
  await page.getByLabel('Amount per buy').fill('20');
  await page.getByText('Up to 9 more buys, one every minute').waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Plan changed.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  const edited = await planOf(1n);
  expect(edited).toMatchObject({
    terms: { amountPerRun: parseEther('20'), maxRuns: 10 },
    state: { version: 2, runs: 1 },
  });
  expect(await allowed()).toBe(parseEther('180'));

  const second = page.getByRole('article', { name: /BTCB for 20 USDT every minute/ });
  await second.getByRole('button', { name: 'Duplicate plan 1' }).click();
  expect(await page.getByLabel('Amount per buy').inputValue()).toBe('20');
  await page.getByRole('button', { name: 'Approve and create' }).click();
  await page.getByText('Plan created.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await allowed()).toBe(parseEther('380'));
  await page.getByText('Next trades').first().click();
  await page.getByRole('table', { name: 'Next trades' }).getByRole('row').nth(2).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await fitsIn320(page)).toBe(true);

  // Cancelling keeps approved exactly what the other plan needs.
  await second.first().getByRole('button', { name: 'Cancel permanently' }).click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel plan 2' }).click();
  await page.getByText('Plan cancelled.').waitFor();
  expect(await allowed()).toBe(parseEther('180'));

  // The page offers to revoke an approval that nothing needs.
  const args = [contracts.planRegistry, parseEther('1000')] as const;
  await chain.send(user, tokens.USDT, { abi: erc20Abi, functionName: 'approve', args });
  await page.getByRole('button', { name: 'Revoke 820 USDT' }).click();
  await expect.poll(allowed, { timeout: 20_000 }).toBe(parseEther('180'));

  // The plan's card offers the missing approval, for exactly what its remaining buys take (WB-63).
  const [registry] = args;
  await chain.send(user, tokens.USDT, { abi: erc20Abi, functionName: 'approve', args: [registry, parseEther('19')] });
  const short = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Plan 1', exact: true }) });
  await short.getByText('It needs 20 USDT; you approved 19 USDT.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await fitsIn320(page)).toBe(true);
  await short.getByRole('button', { name: 'Approve 180 USDT', exact: true }).click();
  await expect.poll(allowed, { timeout: 20_000 }).toBe(parseEther('180'));
  await short.getByText(/The next trade is not funded/).waitFor({ state: 'detached' });
  expect(await short.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
});
