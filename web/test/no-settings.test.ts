import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { type Address, encodeFunctionData, type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { revocationsAbi } from '../../abis/index.ts';
import { erc20Abi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import type { PageConfig } from '../wire.ts';
import {
  accessibilityProblems,
  connectWallet,
  openPage,
  otherMethods,
  stopEverything,
  type TestWallet,
} from './browser.ts';
import { thief } from './mutants.ts';
import { browser, chain, contracts, local, web, withBrowser, withChain, withPage } from './world.ts';

// The frame and "Stop everything" when the server's settings are missing, slow, malformed or refused, and when a part
// of the page breaks. Real chain, contracts, server and browser; a proxy answers /config.json in the server's place.

/** Anvil's seventh account. The key is public. */
const key: Hex = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e';
const user = privateKeyToAddress(key);
const revokeAll = encodeFunctionData({ abi: revocationsAbi, functionName: 'revokeAll' });

let honest: PageConfig;
let proxy: Server;
let url: string;
/** Answers /config.json. */
let answer: RequestListener;
/** How the proxy rewrites the page's policy. */
let policy: (honest: string) => string;

withChain('no-settings');
withPage();
withBrowser();
beforeAll(async () => {
  honest = (await (await fetch(`${web.url}/config.json`)).json()) as PageConfig;
  proxy = createServer(standBefore);
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(() => proxy.closeAllConnections());
afterAll(() => void proxy?.close());

beforeEach(() => {
  answer = json(() => honest);
  policy = (same) => same;
});

async function standBefore(...[request, response]: Parameters<RequestListener>): Promise<void> {
  if (request.url === '/config.json') return answer(request, response);
  const { status, headers, body } = await fetch(web.url + request.url);
  response.writeHead(status, {
    'content-type': headers.get('content-type') ?? '',
    'content-security-policy': policy(headers.get('content-security-policy') ?? ''),
  });
  for await (const part of body ?? []) response.write(part);
  response.end();
}

const json =
  (of: () => unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(of()));
const text =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

/** Opens the page with a script that runs before it. */
async function open(script = '') {
  const found = await openPage(browser, { url: 'about:blank', rpcUrl: local.url, key });
  if (found.wallet === undefined) throw new Error('no wallet');
  const requests: string[] = [];
  found.page.on('request', (request) => requests.push(request.url()));
  await found.page.addInitScript(script);
  await found.page.goto(url);
  return { ...found, wallet: found.wallet, requests };
}

const epochOf = (owner: Address): Promise<bigint> =>
  chain.readContract({ address: contracts.revocations, abi: revocationsAbi, functionName: 'epochOf', args: [owner] });

/** Connects, stops, and checks the effect on the contracts of the build. */
async function expectStop(page: Page, wallet: TestWallet): Promise<void> {
  const before = await epochOf(user);
  await connectWallet(page);
  await stopEverything(page);
  await expect.poll(() => wallet.sent).toEqual([{ to: contracts.revocations, data: revokeAll }]);
  await expect.poll(() => epochOf(user)).toBeGreaterThan(before);
  expect(otherMethods(wallet)).toEqual([]);
}

const stopped = /Every plan, guard and unused signature made up to block \S+ has ended/;
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Sections' });

/** The attacker's text in every text field. */
const lure = 'Move your tokens to a safe account now';
const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 200);
  response.once('close', () => clearInterval(timer));
};

type Refused = [string, string, () => RequestListener];

test.each<Refused>([
  ['refuses the connection', 'server_unavailable', () => (request) => request.socket.destroy()],
  ['answers 403 with its own words', 'server_error', () => text(403, JSON.stringify({ code: lure, detail: lure }))],
  ['stops in the middle', 'answer_malformed', () => text(200, JSON.stringify(honest).slice(0, -40))],
  [
    'lists a token twice',
    'contracts_not_pinned',
    () => json(() => ({ ...honest, assets: [...honest.assets, honest.assets[0]] })),
  ],
  [
    'names everything anew',
    'contracts_not_pinned',
    () =>
      json(() => ({
        ...{ chainId: 56, chainName: lure, explorerUrl: 'https://thief.example', rpcUrl: 'https://thief.example/rpc' },
        contracts: Object.fromEntries(Object.keys(honest.contracts).map((name) => [name, thief])),
        ...{ hubs: [thief], verdictSigners: [thief] },
        lending: [{ name: lure, scope: lure, url: 'https://thief.example', adapter: thief, core: thief }],
        assets: honest.assets.map((asset) => ({ ...asset, name: lure, symbol: lure, address: thief, feed: thief })),
      })),
  ],
])('WB-19: when the server %s, the page says %s, and stops everything', saysWhyAndStops);

test.each<Refused>([
  ['answers 500', 'server_error', () => text(500, 'Internal Server Error')],
  [
    'answers 500 with a code of the page’s own',
    'server_error',
    () => text(500, JSON.stringify({ code: 'server_unavailable', detail: lure })),
  ],
  ['answers nothing', 'answer_malformed', () => text(200, '')],
  // The page would read each of these assets.
  [
    'answers with a flood',
    'answer_malformed',
    () => text(200, JSON.stringify({ ...honest, assets: Array.from({ length: 20_000 }, () => honest.assets[0]) })),
  ],
  ['answers with a page', 'answer_malformed', () => text(200, `<!doctype html><h1>${lure}</h1>`)],
  ['answers null', 'answer_malformed', () => text(200, 'null')],
  ['answers lists in lists', 'answer_malformed', () => text(200, nested)],
  [
    'names another signer of verdicts',
    'contracts_not_pinned',
    () => json(() => ({ ...honest, verdictSigners: [thief] })),
  ],
  ['leaves out the contracts', 'answer_malformed', () => json(() => ({ ...honest, contracts: undefined }))],
  ['names no chain', 'answer_malformed', () => json(() => ({ ...honest, chainId: '56' }))],
])('WB-19: when the server %s, the page says %s, and stops everything', { tags: 'long' }, saysWhyAndStops);

async function saysWhyAndStops(_: string, reason: string, listener: () => RequestListener) {
  answer = listener();
  const { page, wallet, requests } = await open();
  await page.getByText(reason, { exact: true }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(await tabs(page).count()).toBe(0);
  await expectStop(page, wallet);
  await page.getByText(stopped).waitFor();
  await page.getByText('Everything is stopped, and nothing is approved to this page’s contracts any more').waitFor();
  expect(await page.content()).not.toContain(lure);
  expect(await page.content()).not.toContain(thief);
  // The page requests only itself, its settings and the pinned node.
  const others = requests.filter((to) => !to.startsWith(url) && !to.startsWith(local.url) && !to.startsWith('data:'));
  expect(others).toEqual([]);
  expect(requests.filter((to) => to.startsWith(`${url}/api/`))).toEqual([]);
}

test.each<[string, string, RequestListener]>([
  ['never answers', 'server_unavailable', () => {}],
  ['never ends its answer', 'answer_malformed', drip],
])('WB-19: when the server %s, everything can be stopped', async (_, reason, listener) => {
  answer = listener;
  const { page, wallet } = await open();
  await expectStop(page, wallet);
  await page.getByText(stopped).waitFor();
  // The page eventually stops asking, and still shows the stop.
  await page.getByText(reason, { exact: true }).waitFor({ timeout: 20_000 });
  expect(await page.getByText(stopped).count()).toBe(1);
});

test('WB-19: settings that come late bring the sections, and leave a stop that is being signed alone', async () => {
  let waiting: ServerResponse | undefined;
  answer = (_request, response) => {
    waiting = response;
  };
  // The page waits, however slow this machine is.
  const { page, wallet } = await open('AbortSignal.timeout = () => new AbortController().signal;');
  let letSign = () => {};
  wallet.holds = new Promise((resolve) => {
    letSign = resolve;
  });
  await connectWallet(page);
  await stopEverything(page);
  await page.getByText('sign in your wallet …').waitFor();
  // The section shows its name and no content yet.
  await page.getByLabel('Contacting the page’s server').waitFor();
  expect(await page.getByText('Recent activity').count()).toBe(0);
  waiting?.end(JSON.stringify(honest));
  await page.getByText('Recent activity').waitFor();
  expect(await page.getByText('sign in your wallet …').count()).toBe(1);
  letSign();
  await page.getByText(stopped).waitFor();
  expect(wallet.sent).toEqual([{ to: contracts.revocations, data: revokeAll }]);
});

test('WB-19: once the server says what the build says, trying again brings the sections', async () => {
  answer = text(500, '');
  const { page, requests } = await open();
  await page.getByText('server_error', { exact: true }).waitFor();
  const refusedAgain = page.waitForResponse('**/config.json');
  await page.getByRole('button', { name: 'Try again' }).click();
  // The first refusal stays shown until the second arrives. Only then may the answer change.
  expect((await refusedAgain).status()).toBe(500);
  expect(requests.filter((to) => to.endsWith('/config.json'))).toHaveLength(2);
  await page.getByText('server_error', { exact: true }).waitFor();
  answer = json(() => honest);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(await tabs(page).count()).toBe(1);
});

test('WB-19: a server of another node, whose policy keeps the page from the pinned one, does not keep back the stop', async () => {
  answer = json(() => ({ ...honest, rpcUrl: 'http://localhost:1' }));
  policy = (same) => same.replace(new URL(local.url).origin, 'http://localhost:1');
  const { page, wallet } = await open();
  await page.getByText('contracts_not_pinned', { exact: true }).waitFor();
  await expectStop(page, wallet);
  // The page does not call unreadable approvals stopped.
  await page.getByText('Not every approval could be read').waitFor();
  expect(await page.getByText(stopped).count()).toBe(0);
  expect(await page.getByText('Everything is stopped').count()).toBe(0);
});

test('WB-19: a server that lists no token hides no approval', async () => {
  const approve = { abi: erc20Abi, functionName: 'approve' } as const;
  await chain.send(user, tokens.USDT, { ...approve, args: [contracts.swapExecutor, parseEther('9')] });
  answer = json(() => ({ ...honest, assets: [] }));
  const { page, wallet } = await open();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await expectStop(page, wallet);
  await page.getByRole('listitem').getByText('9 USDT, to the executor').waitFor();
  expect(await page.getByText('Everything is stopped').count()).toBe(0);
  await page.getByRole('button', { name: 'Revoke 1 approval' }).click();
  await page.getByText('Everything is stopped, and nothing is approved to this page’s contracts any more').waitFor();
  const args = [user, contracts.swapExecutor] as const;
  expect(await chain.readContract({ address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args })).toBe(0n);
});

test('WB-14: a listed token that a node has lost is not called unapproved', async () => {
  const code = await chain.getCode({ address: tokens.USDC });
  await chain.setCode({ address: tokens.USDC, bytecode: '0x' });
  try {
    const { page, wallet } = await open();
    await expectStop(page, wallet);
    await page.getByText('Approvals of USDC are unknown').waitFor();
    expect(await page.getByText('Everything is stopped').count()).toBe(0);
  } finally {
    await chain.setCode({ address: tokens.USDC, bytecode: code ?? '0x' });
  }
});

test('WB-14: with refused settings approvals are taken back from another network, too', async () => {
  const approve = { abi: erc20Abi, functionName: 'approve' } as const;
  await chain.send(user, tokens.USDT, { ...approve, args: [contracts.swapExecutor, parseEther('9')] });
  answer = text(500, '');
  const { page, wallet } = await open();
  wallet.chainId = 1;
  await connectWallet(page);
  await page.getByRole('button', { name: 'Stop everything' }).click();
  await page.getByText('it will first ask you to switch').first().waitFor();
  await page.getByRole('button', { name: 'Revoke 1 approval' }).click();
  await page.getByText('Nothing is approved to this page’s contracts').waitFor();
  expect(wallet.methods).toContain('wallet_switchEthereumChain');
  expect(wallet.sent.map(({ to }) => to)).toEqual([tokens.USDT]);
});

test('WB-14: a node that makes up how many plans there are does not hold up the stop', async () => {
  const { page, wallet } = await open();
  const count = 'f'.repeat(64);
  await page.route(`${local.url}/**`, async (route) => {
    const asked = route.request().postDataJSON() as { id: number; params: { to?: string; data?: string }[] };
    const counts = ['planRegistry', 'loanGuard'].map((name) => contracts[name as 'planRegistry'].toLowerCase());
    if (!counts.includes(asked.params?.[0]?.to?.toLowerCase() ?? '')) return route.fallback();
    return route.fulfill({ json: { jsonrpc: '2.0', id: asked.id, result: `0x${count}` } });
  });
  await expectStop(page, wallet);
  await page
    .getByText('The page has not read all of your plans and your guards, so a token named only there may be missing')
    .waitFor();
});

test('WB-14: a section that breaks leaves the frame, and everything can be stopped', async () => {
  const { page, wallet } = await open();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  // Sections look up assets while rendering; the frame does not.
  await page.evaluate(
    `const find = Array.prototype.find;
     Array.prototype.find = function (is) {
       if (this.some((each) => each?.symbol === 'BTCB')) throw new Error('broken');
       return find.call(this, is);
     }`,
  );
  await connectWallet(page);
  await page.evaluate(`history.pushState(null, '', '/trade')`);
  await page.getByText('This section cannot be shown').waitFor();
  expect(await tabs(page).count()).toBe(1);
  await stopEverything(page);
  await expect.poll(() => wallet.sent).toEqual([{ to: contracts.revocations, data: revokeAll }]);
});

test('WB-14: when what is approved cannot be shown, everything can be stopped', async () => {
  const { page, wallet } = await open();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.route(`${local.url}/**`, (route) => route.abort());
  // The list of unreadable symbols is the only one that is joined for display.
  await page.evaluate(
    `const join = Array.prototype.join;
     Array.prototype.join = function (by) {
       if (this.includes('USDT')) throw new Error('broken');
       return join.call(this, by);
     }`,
  );
  await connectWallet(page);
  await page.getByRole('button', { name: 'Stop everything' }).click();
  await page.getByText('Active approvals cannot be shown').waitFor();
  await page.getByRole('button', { name: 'Stop everything' }).click();
  await expect.poll(() => wallet.sent).toEqual([{ to: contracts.revocations, data: revokeAll }]);
});

test('WB-14: a wallet whose name cannot be shown keeps nobody from stopping with another', async () => {
  const { page, wallet } = await open();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.evaluate(
    `dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({
       info: { uuid: 'other', name: {}, icon: 'data:,', rdns: 'example.other' },
       provider: { request: async () => [], on() {}, removeListener() {} },
     }) }))`,
  );
  const header = page.getByRole('banner');
  await header.getByText('Connect wallet').click();
  await header.getByRole('button', { name: 'Unnamed wallet' }).waitFor();
  await header.getByRole('button', { name: 'Test wallet' }).click();
  await header.getByText('Account').waitFor({ state: 'attached' });
  await stopEverything(page);
  await expect.poll(() => wallet.sent).toEqual([{ to: contracts.revocations, data: revokeAll }]);
});

test('WB-14: an account menu that breaks leaves the sections', async () => {
  const { page } = await open();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  // Only the menu searches the wallets while rendering.
  await page.evaluate(
    `const filter = Array.prototype.filter;
     Array.prototype.filter = function (is) {
       if (this.some((each) => each?.uid)) throw new Error('broken');
       return filter.call(this, is);
     };
     dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({
       info: { uuid: 'other', name: 'Other', icon: 'data:,', rdns: 'example.other' },
       provider: { request: async () => [], on() {}, removeListener() {} },
     }) }))`,
  );
  await page.getByText('Your wallet cannot be shown').first().waitFor();
  expect(await page.getByRole('heading', { name: 'Home' }).count()).toBe(1);
  await page.evaluate(`history.pushState(null, '', '/plans')`);
  await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
});

test('WB-14: a receipt that cannot be read shows nothing, and is asked for again', async () => {
  const { page, wallet } = await open();
  await page.route(`${local.url}/**`, async (route) => {
    if (!route.request().postData()?.includes('eth_getTransactionReceipt')) return route.fallback();
    const response = await route.fetch();
    const told = (await response.json()) as { result: { logs: object[] } | null };
    for (const log of told.result?.logs ?? []) Object.assign(log, { topics: null });
    return route.fulfill({ response, json: told });
  });
  await connectWallet(page);
  await stopEverything(page);
  await page.waitForResponse(
    (response) => response.request().postData()?.includes('eth_getTransactionReceipt') === true,
  );
  await page.getByText('Stopping …').waitFor();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(await page.getByText(stopped).count()).toBe(0);
  await page.unroute(`${local.url}/**`);
  await page.getByText(stopped).waitFor();
  expect(wallet.sent).toHaveLength(1);
});

test('WB-14: a panel that breaks leaves the page as it is, and comes back', async () => {
  const { page, wallet } = await open();
  await connectWallet(page);
  await page.evaluate(
    `globalThis.find = Array.prototype.find;
     Array.prototype.find = function (is) {
       if (this.some((each) => each?.logsBloom)) throw new Error('broken');
       return find.call(this, is);
     };`,
  );
  await stopEverything(page);
  await page.getByText('“Stop everything” cannot be shown').waitFor();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.evaluate('Array.prototype.find = find');
  await page.getByRole('button', { name: 'Show it again' }).click();
  await page.getByRole('heading', { name: 'Stop everything', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop everything' }).click();
  await page.getByText(stopped).waitFor();
  expect(wallet.sent).toHaveLength(2);
});

test('WB-19: the frame without sections fits 320 pixels, and is clean by axe at every size', async () => {
  answer = text(500, '');
  const { page } = await open();
  for (const isConnected of [false, true]) {
    if (isConnected) await connectWallet(page);
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByText('server_error', { exact: true }).waitFor();
      expect(await accessibilityProblems(page), String(width)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), String(width)).toBe(width);
    }
  }
});
