import type { Page } from 'playwright-core';
import { type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { faucetAbi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { accessibilityProblems, openPage, stopEverything } from './browser.ts';
import { startRelay } from './relay.ts';
import { startRelayedWallet } from './relayed-wallet.ts';
import { browser, chain, contracts, local, node, web, withBrowser, withChain, withPage } from './world.ts';

// A wallet on another device; WalletConnect's code on both sides. Real chain, contracts, server and browser; no agent.

/** Anvil's eighth account. Keys are public. */
const key: Hex = '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356';
const user = privateKeyToAddress(key);
const projectId = '0123456789abcdef0123456789abcdef';

let relay: Awaited<ReturnType<typeof startRelay>>;
let phone: Awaited<ReturnType<typeof startRelayedWallet>>;

withChain('wallet-connect');
withPage(async () => {
  // Otherwise the wallet's side asks WalletConnect's server which page is talking to it.
  vi.stubEnv('IS_VITEST', 'true');
  relay = await startRelay();
  return { walletConnect: { projectId, relay: relay.url } };
});
withBrowser();
beforeAll(async () => {
  phone = await startRelayedWallet(relay.url, projectId, node, key);
  const args = [user, parseEther('5000')] as const;
  await chain.send(user, tokens.USDT, { abi: faucetAbi, functionName: 'allocateTo', args });
});
afterAll(async () => {
  await phone?.stop();
  await relay?.stop();
});

/** The page's requests to anything but its server and node, and its requests for the connector's code. */
function others(page: Page): string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (![web.url, local.url, 'null'].includes(origin)) found.push(origin);
    if (pathname.includes('other-wallets')) found.push(pathname);
  });
  page.on('websocket', (socket) => found.push(new URL(socket.url()).origin));
  return found;
}

/** Stands in for WalletConnect's server in the hidden frame, which attests to the page. */
const attest = (page: Page) =>
  page.route('https://verify.walletconnect.org/**', (route) => {
    const id = new URL(route.request().url()).searchParams.get('id');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const attestation = `${part({ alg: 'none' })}.${part({ id })}.AAAA`;
    const message = JSON.stringify(JSON.stringify({ type: 'verify_attestation', attestation }));
    return route.fulfill({ contentType: 'text/html', body: `<script>parent.postMessage(${message}, '*')</script>` });
  });

/** Opens the wallet menu and scans its code. */
async function pair(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'WalletConnect' }).click();
  const uri = await page.getByRole('link', { name: 'Open on this device' }).getAttribute('href');
  expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/);
  await page.getByAltText('QR code for your wallet').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await phone.scan(uri ?? '');
}

/** Disconnects, and sees that the next visit asks nobody. */
async function disconnect(page: Page, asked: string[]): Promise<void> {
  await page.getByRole('banner').getByText('Account').waitFor({ state: 'attached' });
  await page.getByRole('banner').locator('.menu > button').click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor();
  asked.length = 0;
  await page.reload();
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor();
  await page.waitForTimeout(4_000);
  expect(asked).toEqual([]);
}

test('WB-320: a wallet on another device connects by a code and signs; before the press nobody else is asked', {
  tags: 'long',
}, async () => {
  const { page, complaints } = await openPage(browser, { url: 'about:blank', rpcUrl: local.url });
  const asked = others(page);
  await attest(page);
  await page.goto(`${web.url}/plans`);
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor();
  await page.waitForTimeout(4_000);
  expect(asked).toEqual([]);
  phone.wallet.declines = true;
  await pair(page);
  await page.getByText('You declined it in your wallet.').waitFor();
  phone.wallet.declines = false;
  await page.reload();
  await pair(page);
  await page.getByRole('banner').getByText('Account').waitFor({ state: 'attached' });
  await stopEverything(page);
  await page.getByText('Every plan, guard and unused signature made up to block').first().waitFor({ timeout: 30_000 });
  expect(phone.wallet.sent.map((to) => to.toLowerCase())).toEqual([contracts.revocations.toLowerCase()]);
  // A reload resumes the session. After disconnecting there is nothing to resume.
  await page.reload();
  await disconnect(page, asked);
  expect(complaints.filter((line) => line.includes('Content Security Policy'))).toEqual([]);
});

test('WB-320: a silent relay keeps nobody connected, nor from connecting again', { tags: 'long' }, async () => {
  const { page } = await openPage(browser, { url: `${web.url}/plans`, rpcUrl: local.url });
  const asked = others(page);
  await attest(page);
  await pair(page);
  await page.getByRole('banner').getByText('Account').waitFor({ state: 'attached' });
  let isSilent = true;
  await page.routeWebSocket(/.*/, (socket) => {
    if (!isSilent) socket.connectToServer();
  });
  await page.reload();
  await disconnect(page, asked);
  isSilent = false;
  await pair(page);
  await page.getByRole('banner').getByText('Account').waitFor({ state: 'attached' });
});
