import type { FrameLocator, Page } from 'playwright-core';
import { decodeFunctionData, type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { planRegistryAbi, revocationsAbi } from '../../abis/index.ts';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { freePort } from '../../test/local/free-port.ts';
import { startSafeParent } from './safe-parent.ts';
import { browser, chain, contracts, local, web, withBrowser, withChain, withPage } from './world.ts';

// The page within a Safe, whose transactions wait for other owners. Real chain, contracts, server and browser; no agent.

/** Anvil's seventh account. Keys are public. */
const key: Hex = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e';
const user = privateKeyToAddress(key);

let parentPort: number;
let safe: Awaited<ReturnType<typeof startSafeParent>>;
let parent: Page;
let page: FrameLocator;
let complaints: string[];

withChain('safe');
withPage(async () => {
  parentPort = await freePort();
  return { safeApps: `http://127.0.0.1:${parentPort}` };
});
withBrowser();
beforeAll(async () => {
  safe = await startSafeParent(parentPort, `${web.url}/plans`, local.url, key);
  const args = [user, parseEther('5000')] as const;
  await chain.send(user, tokens.USDT, { abi: faucetAbi, functionName: 'allocateTo', args });
});
afterAll(() => safe?.stop());
beforeEach(async () => {
  safe.safe.declines = false;
  await chain.send(user, tokens.USDT, {
    ...{ abi: erc20Abi, functionName: 'approve', args: [contracts.planRegistry, 0n] },
  });
  ({ parent, page, complaints } = await safe.open(browser));
  // It connects by itself: opening the page inside the Safe has already chosen the account.
  await page.getByRole('banner').getByText('Account').waitFor({ state: 'attached' });
});

/** Fills in a plan of three buys and presses the button. */
async function create(): Promise<void> {
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Amount per buy').fill('50');
  await page.getByLabel('Number of buys').fill('3');
  await page.getByText('you approve exactly that').waitFor();
  await page.getByRole('button', { name: 'Approve and create' }).click();
}

const namesOf = (calls: readonly { readonly data: Hex }[] = []) =>
  calls.map(
    ({ data }) => decodeFunctionData({ abi: [...erc20Abi, ...planRegistryAbi, ...revocationsAbi], data }).functionName,
  );

test('WB-321: what a Safe is asked for waits for its other owners, over a reload, and the chain says that it is done', {
  tags: 'long',
}, async () => {
  const before = safe.lists().length;
  const tray = page.locator('details.tray');
  await create();
  await tray.getByText('Approve 150 USDT; Create the plan: with your wallet').waitFor();
  expect(safe.lists().slice(before).map(namesOf)).toEqual([['approve', 'create']]);
  await parent.reload();
  // The Safe's id is not a transaction hash: the page would call a missing transaction dropped.
  await tray.getByText('Approve 150 USDT; Create the plan').first().waitFor();
  await tray.locator('summary').click();
  expect(await page.getByText(/Transaction 0x/).count()).toBe(0);
  await safe.execute();
  await tray.getByText('Approve 150 USDT; Create the plan: confirmed').first().waitFor({ timeout: 30_000 });
  expect(safe.lists()).toHaveLength(before + 1);
  expect(
    await chain.readContract({ address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'planCount' }),
  ).toBe(1n);
  expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
});

test('WB-321: a lone step is a proposal, too: stop everything', { tags: 'long' }, async () => {
  const before = safe.lists().length;
  const button = page.getByRole('button', { name: 'Stop everything' });
  await button.click();
  await page.getByRole('heading', { name: 'Stop everything', exact: true }).waitFor();
  await button.click();
  await page.locator('details.tray').getByText('with your wallet').waitFor();
  expect(safe.lists().slice(before).map(namesOf)).toEqual([['revokeAll']]);
  await safe.execute();
  await page.getByText('Every plan, guard and unused signature made up to block').first().waitFor({ timeout: 30_000 });
});

test('WB-321: what the Safe’s owners decline or replace is told as that', { tags: 'long' }, async () => {
  safe.safe.declines = true;
  await create();
  await page.getByText('You declined it in your wallet').first().waitFor();
  safe.safe.declines = false;
  await page.getByRole('button', { name: 'Approve and create' }).click();
  await page.locator('details.tray').getByText('with your wallet').waitFor();
  safe.cancel();
  await page.getByText('Your wallet says it gave up and sent nothing.').first().waitFor({ timeout: 30_000 });
});
