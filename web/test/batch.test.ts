import type { Browser, Page } from 'playwright-core';
import { type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { planRegistryAbi } from '../../abis/index.ts';
import { erc20Abi, faucetAbi } from '../../script/local/abis.ts';
import { tokens } from '../../script/local/addresses.ts';
import { type Chain, connect } from '../../script/local/chain.ts';
import { type LocalChain, startLocalChain } from '../../script/local/fork.ts';
import { type Contracts, deployContracts } from '../../script/local/start/contracts.ts';
import { startPage } from '../../script/local/start/page.ts';
import { freePort } from '../../test/local/free-port.ts';
import { accessibilityProblems, connectWallet, launchBrowser, openPage, type TestWallet } from './browser.ts';

// Approval and act as one (EIP-5792), with wallets that can, cannot, lie about it or fail at it. Real chain, contracts,
// server and browser; no agent.

const folder = '.cache/deployments/batch';
/** Anvil's sixth account. Keys are public. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
const user = privateKeyToAddress(key);

let local: LocalChain;
let chain: Chain;
let contracts: Contracts;
let web: Awaited<ReturnType<typeof startPage>>;
let browser: Browser;
let page: Page;
let wallet: TestWallet;
let complaints: string[];

beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
  contracts = await deployContracts(local.url, folder, new AbortController().signal);
  const dead = `http://127.0.0.1:${await freePort()}`;
  web = await startPage({
    ...{ port: await freePort(), agentUrl: dead, rpcUrl: local.url, marketUrl: dead, deployments: folder },
  });
  browser = await launchBrowser();
  const args = [user, parseEther('5000')] as const;
  await chain.send(user, tokens.USDT, { abi: faucetAbi, functionName: 'allocateTo', args });
}, 180_000);
beforeEach(async () => {
  const found = await openPage(browser, { url: `${web.url}/plans`, rpcUrl: local.url, key });
  if (found.wallet === undefined) throw new Error('no wallet');
  ({ page, wallet, complaints } = { ...found, wallet: found.wallet });
  wallet.batching = { says: 'supported' };
  await approve(0n);
});
afterEach(async () => {
  await page.close();
});
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await local?.stop();
});

const approve = (amount: bigint) =>
  chain.send(user, tokens.USDT, {
    ...{ abi: erc20Abi, functionName: 'approve', args: [contracts.planRegistry, amount] },
  });
const allowed = (): Promise<bigint> =>
  chain.readContract({
    ...{ address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args: [user, contracts.planRegistry] },
  });
const plans = (): Promise<bigint> =>
  chain.readContract({ address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'planCount' });

/** Fills in a plan of three buys and presses the button. */
async function create(): Promise<void> {
  await connectWallet(page);
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('For each run pay').fill('50');
  await page.getByLabel('Number of runs').fill('3');
  await page.getByText('you approve exactly that').waitFor();
  await page.getByRole('button', { name: 'Approve and create' }).click();
}

/** What the wallet must be asked for: the same calls, whether as one or not. */
const isAskedFor = (calls: readonly { readonly to: Hex; readonly data: Hex }[]) => {
  expect(calls.map(({ to, data }) => [to.toLowerCase(), data.slice(0, 10)])).toEqual([
    [tokens.USDT.toLowerCase(), '0x095ea7b3'],
    [contracts.planRegistry.toLowerCase(), expect.any(String)],
  ]);
};

test('WB-106: a wallet that can makes approval and plan as one, by one confirmation', { tags: 'long' }, async () => {
  const before = await plans();
  await create();
  await page.getByText('Plan created.').waitFor();
  expect(await plans()).toBe(before + 1n);
  expect(await allowed()).toBe(parseEther('150'));
  expect(wallet.sent).toEqual([]);
  expect(wallet.lists).toHaveLength(1);
  isAskedFor(wallet.lists[0] ?? []);
  expect(await page.getByText(/Transaction 0x/).count()).toBeGreaterThan(0);
  expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
});
