import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { decodeFunctionData, type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { borrowNearTrigger } from '../../agent/test/loans.ts';
import { comptrollerAbi, erc20Abi, faucetAbi, vBnbAbi } from '../../lab/world/abis.ts';
import { pancake, type TokenSymbol, tokens, venus } from '../../lab/world/addresses.ts';
import { type Market, startMarket } from '../../lab/world/market/market.ts';
import { createPath } from '../../lab/world/market/path.ts';
import { serveMarket } from '../../lab/world/market/server.ts';
import { type Sidecar, startSidecar } from '../../test/e2e/sidecar.ts';
import { freePort } from '../../test/local/free-port.ts';
import { thisMoment } from '../app/api/age.ts';
import type { Settings } from '../app/api/settings.ts';
import { buyerOf, watcherOf } from '../app/chain/serving.ts';
import { quoteAnswer } from '../wire.ts';
import { accessibilityProblems, connectWallet, openPage, type PageOptions, sizes } from './browser.ts';
import { browser, chain, contracts, folder, local, node, web, withBrowser, withChain, withPage } from './world.ts';

// The page in a real browser with a wallet, against the real server, agent and contracts on a fork with a simulated
// market.

/** Anvil's sixth account. The key is public. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
const user = privateKeyToAddress(key);
/** Anvil's ninth account, which owes BNB. Its key is public. */
const debtorKey: Hex = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97';
const debtor = privateKeyToAddress(debtorKey);
const providerKey = 'a-key-of-the-provider-that-stays-on-the-server';

let market: Market;
let exchange: Awaited<ReturnType<typeof serveMarket>>;
/** A proxy between the web server and the exchange. */
let line: Server;
const keysTold: unknown[] = [];
let agent: Sidecar;

withChain('page', 0.45);
beforeAll(async () => {
  const clock = () => Date.now() / 1000;
  const path = createPath(5, clock());
  market = await startMarket({ rpcUrl: node, path, clock, report: () => {} });
  exchange = await serveMarket(market, path, clock, await freePort());
  line = await listenBefore(exchange.url);
  agent = await startSidecar({
    RPC_URL: node,
    MARKET_DATA_URL: exchange.url,
    PYTH_URL: exchange.url,
    DEPLOYMENTS_DIR: folder,
    EXECUTOR_INTERVAL_SECONDS: '1',
  });
});
withPage(async () => ({
  agentUrl: agent.url,
  marketUrl: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
  marketDataKey: providerKey,
}));
withBrowser();
beforeAll(async () => {
  await take('USDT', '100000');
  await borrowNearTrigger(chain, user);
});
afterAll(async () => {
  await agent?.stop();
  line?.close();
  await exchange?.stop();
  await market?.stop();
});

/** Forwards requests to the exchange, and records the key of each. */
async function listenBefore(url: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    keysTold.push(request.headers['x-mbx-apikey']);
    const answer = await fetch(url + request.url).catch(() => undefined);
    if (answer === undefined) request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const take = (symbol: TokenSymbol, amount: string) =>
  chain.send(user, tokens[symbol], { abi: faucetAbi, functionName: 'allocateTo', args: [user, parseEther(amount)] });

const held = (symbol: TokenSymbol): Promise<bigint> =>
  chain.readContract({ address: tokens[symbol], abi: erc20Abi, functionName: 'balanceOf', args: [user] });

const allowed = (spender: Hex): Promise<bigint> =>
  chain.readContract({ address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args: [user, spender] });

async function open(section: string, changes: Partial<PageOptions> = {}) {
  const options = { url: `${web.url}/${section}`, rpcUrl: local.url, key, ...changes };
  const found = await openPage(browser, options);
  if (found.wallet === undefined) throw new Error('no wallet');
  return { ...found, wallet: found.wallet };
}

async function ask(path: string, body?: unknown) {
  const init =
    body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await fetch(web.url + path, { ...init, headers: { 'content-type': 'application/json' } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const order = (changes: object = {}) => ({ asset: 'BTCB', amount_usd: '100', owner: user, ...changes });

test('prices, their last day and verdicts, of every listed asset', async () => {
  const { status, body } = await ask('/api/quote');
  expect(status).toBe(200);
  const assets = body.assets as Record<string, unknown>[];
  expect(assets.map(({ symbol }) => symbol)).toEqual(['BTCB', 'ETH', 'WBNB', 'USDC', 'USDT']);
  expect(assets[0]).toMatchObject({ judged: { verdict: 'GO' }, unavailable: [] });
  expect(assets[0]?.history).toHaveLength(24);
  expect(Number(assets[0]?.price_usd)).toBeGreaterThan(90_000);
});

test('WB-36: what a real agent states, through the real server, counts as serving this page', async () => {
  const settings = (await ask('/config.json')).body as unknown as Settings;
  const moment = thisMoment();
  const answers = async () => {
    const answer = { ...quoteAnswer.parse((await ask('/api/quote')).body), asOf: moment };
    const { timestamp } = await chain.getBlock();
    const time = { newest: timestamp, now: timestamp };
    return [watcherOf(answer, settings, time, moment), buyerOf(answer, false, settings, time, moment)] as const;
  };
  // The agent's first rounds may still be running.
  await expect.poll(answers, { timeout: 20_000 }).toEqual([expect.any(Object), expect.any(Object)]);
  const [watcher, buyer] = await answers();
  if (typeof watcher !== 'object' || typeof buyer !== 'object') throw new Error('not served');
  expect(watcher.tokens).toContain(tokens.USDT);
  expect(buyer.tokens).toContain(tokens.BTCB);
  expect(buyer.usdWad[tokens.BTCB.toLowerCase()]).toBeGreaterThan(90_000n * 10n ** 18n);
});

test('a purchase is answered with a verdict, exact calls and what they do', async () => {
  const { status, body } = await ask('/api/buy', order());
  expect(status).toBe(200);
  expect(body).toMatchObject({
    verdict: 'GO',
    withheld: null,
    calls: [{ kind: 'approve' }, { kind: 'swap' }],
  });
});

test.each([
  ['unknown_asset', order({ asset: 'DOGE' })],
  ['invalid_input', order({ side: 'hold' })],
  ['invalid_address', order({ owner: 'me' })],
  ['invalid_input', order({ amount_usd: '-1' })],
  ['invalid_input', order({ amount_asset: '1' })],
  ['invalid_input', order({ unknown: 1 })],
  ['invalid_json', '{'],
])('a wrong purchase is refused with %s', async (code, body) => {
  const { status, body: problem } = await ask('/api/buy', body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(problem).toMatchObject({ code });
});

test('other methods, other paths, other bodies and other hosts are refused', async () => {
  expect(await ask('/api/buy')).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
  const type = '/docs/problems.html#not_found';
  expect(await ask('/api/nothing')).toMatchObject({ status: 404, body: { code: 'not_found', type } });
  const text = await fetch(`${web.url}/api/agent`, { method: 'POST', body: 'hello' });
  expect(text.status).toBe(415);
  const foreign = await fetch(`${web.url}/api/quote`, { headers: { origin: 'https://evil.example' } });
  expect(foreign.status).toBe(403);
  expect(await ask('/api/agent', { prompt: '' })).toMatchObject({ status: 400, body: { code: 'invalid_prompt' } });
});

test('WB-4: the provider’s key is in no answer and in no file of the page, nor is anything of this machine', async () => {
  const files = readdirSync(web.files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(3);
  for (const { parentPath, name } of files) {
    const built = readFileSync(`${parentPath}/${name}`, 'utf8');
    expect(built, name).not.toContain(providerKey);
    // Traces of a development build, which contains this machine's folders.
    expect(built.includes('jsxDEV') || built.includes(process.cwd()), name).toBe(false);
  }
  for (const path of ['/config.json', '/api/quote', '/', '/api/nothing']) {
    const response = await fetch(web.url + path);
    const said = JSON.stringify([...response.headers]) + (await response.text());
    expect(said, path).not.toContain(providerKey);
  }
  // The exchange received the key, so the assertions above prove something.
  expect(keysTold).toContain(providerKey);
});

test('WB-5: a plan is signed, and its run arrives', async () => {
  const { page, wallet, complaints } = await open('plans');
  await connectWallet(page);
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Amount per buy').fill('50');
  await page.getByRole('radio', { name: 'Minute' }).check();
  await page.getByLabel('Number of buys').fill('3');
  await page.getByText('Up to 150 USDT in total: you approve exactly that.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const before = { usdt: await held('USDT'), btcb: await held('BTCB') };
  await page.getByRole('button', { name: 'Approve and create' }).click();
  await page.getByText('Plan created.').waitFor();
  expect(await allowed(contracts.planRegistry)).toBeLessThanOrEqual(parseEther('150'));
  const card = page.getByRole('article', { name: /BTCB for 50 USDT every minute/ });
  await card.getByText('1 of 3').waitFor({ timeout: 30_000 });
  await card.getByRole('row', { name: /50 USDT/ }).waitFor();

  const registry = { address: contracts.planRegistry, abi: planRegistryAbi } as const;
  const { terms } = await chain.readContract({ ...registry, functionName: 'plan', args: [1n] });
  expect(terms).toMatchObject({ owner: user, recipient: user, amountPerRun: parseEther('50'), maxRuns: 3 });
  const [run] = await chain.readContract({ ...registry, functionName: 'runs', args: [1n, 0n, 9n] });
  expect(before.usdt - (await held('USDT'))).toBe(parseEther('50'));
  expect((await held('BTCB')) - before.btcb).toBe(run?.amountOut);
  expect(await allowed(contracts.planRegistry)).toBe(parseEther('100'));
  expect(wallet.sent.map(({ to }) => to.toLowerCase())).toEqual(
    [tokens.USDT, contracts.planRegistry].map((a) => a.toLowerCase()),
  );

  await card.getByRole('button', { name: 'Pause' }).click();
  await card.getByRole('button', { name: 'Resume' }).click();
  await card.getByRole('button', { name: 'Pause' }).waitFor();
  await card.getByRole('button', { name: 'Cancel permanently' }).click();
  await card.getByRole('button', { name: /^Cancel plan/ }).click();
  await card.getByText('cancelled', { exact: true }).waitFor();
  await card.getByText('Plan cancelled.').waitFor();
  expect(await allowed(contracts.planRegistry)).toBe(0n);
  const { state } = await chain.readContract({ ...registry, functionName: 'plan', args: [1n] });
  expect(state.status).toBe(3);

  // WB-51, AU-4: the page's server provides the agent's own evidence, and the page judges it again.
  await card.getByRole('link', { name: 'Audit this plan' }).click();
  await page.getByRole('heading', { name: 'Audit of plan 1' }).waitFor();
  await page.getByRole('button', { name: 'Get them from this page’s server' }).click();
  await page.locator('#record-0').getByText('follows').waitFor();
  expect(complaints).toEqual([]);
});

/** By how many pixels the page overflows its window. */
const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

async function askedFor100(page: Page): Promise<void> {
  await page.getByLabel('Amount').fill('100');
  await page.getByRole('button', { name: 'Get verdict' }).click();
  await page.getByRole('heading', { name: 'Verdict on BTCB' }).waitFor();
}

/** The base units of a line of changes, with every digit: the visible text is shortened. */
const toldUnits = async (page: Page, line: string) =>
  parseEther(
    ((await page.locator('.ledger div', { hasText: line }).locator('[title]').getAttribute('title')) ?? '').replace(
      /[^\d.]/g,
      '',
    ),
  );

test('WB-6: what was drafted is bought by the user, to the unit', async () => {
  const { page, wallet } = await open('trade', { size: 'phone' });
  await connectWallet(page);
  await askedFor100(page);
  const told = { usdt: await toldUnits(page, 'You pay'), least: await toldUnits(page, 'Minimum received') };
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  const before = { usdt: await held('USDT'), btcb: await held('BTCB') };
  await page.getByRole('button', { name: /^Buy BTCB for/ }).click();
  await page.getByText('Bought: the BTCB is in your wallet.').waitFor();
  expect(before.usdt - (await held('USDT'))).toBe(told.usdt);
  expect(told.usdt).toBeGreaterThan(0n);
  expect((await held('BTCB')) - before.btcb).toBeGreaterThanOrEqual(told.least);
  expect(told.least).toBeGreaterThan(parseEther('0.0009'));
  expect(wallet.sent).toHaveLength(2);
});

/** Finds the last hash that a part of the page shows in the blocks since `from`, and checks sender and recipient. */
async function endsWithHash(part: Locator, from: bigint, account: Hex, to: Hex): Promise<void> {
  const [, head = '', tail = ''] =
    /Transaction (0x\w+)…(\w+)/.exec(
      (await part
        .getByText(/^Transaction 0x/)
        .last()
        .textContent()) ?? '',
    ) ?? [];
  const newest = await chain.getBlockNumber();
  const numbers = Array.from({ length: Number(newest - from) + 1 }, (_, at) => from + BigInt(at));
  const blocks = await Promise.all(
    numbers.map((blockNumber) => chain.getBlock({ blockNumber, includeTransactions: true })),
  );
  const found = blocks
    .flatMap(({ transactions }) => transactions)
    .find(({ hash }) => head !== '' && hash.startsWith(head) && hash.endsWith(tail));
  expect([found?.from, found?.to].map((each) => each?.toLowerCase())).toEqual([
    ...[account.toLowerCase(), to.toLowerCase()],
  ]);
}

test('WB-330: BNB is sold by wrapping exactly what is sold, and bought by unwrapping exactly what arrived', async () => {
  const { page, wallet, complaints } = await open('trade');
  await connectWallet(page);
  const main = page.getByRole('main');
  const from = await chain.getBlockNumber();
  await page.getByRole('radio', { name: 'Sell', exact: true }).check();
  await page.getByRole('radio', { name: 'BNB', exact: true }).check();
  const reserve = /MAX leaves ([\d.]+) BNB for network fees/;
  const [, kept = ''] = reserve.exec((await page.getByText(reserve).textContent()) ?? '') ?? [];
  await page.getByRole('button', { name: 'MAX BNB' }).click();
  const most = parseEther(await page.getByLabel('Amount').inputValue());
  const native = await chain.getBalance({ address: user });
  expect(Number(native - most) / 1e18).toBeCloseTo(Number(kept), 4);
  await page.getByLabel('Amount').fill('0.5');
  await page.getByRole('button', { name: 'Get verdict' }).click();
  await page.getByRole('button', { name: 'Sell 0.5 BNB for USDT' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const before = await held('USDT');
  await page.getByRole('button', { name: 'Sell 0.5 BNB for USDT' }).click();
  await page.getByText('Sold: the USDT is in your wallet.').waitFor();
  await page.getByText('0.5 BNB left your wallet').waitFor();
  await endsWithHash(main, from, user, pancake.router);
  const spent = native - (await chain.getBalance({ address: user }));
  expect(spent >= parseEther('0.5') && spent < parseEther('0.51')).toBe(true);
  expect([await held('WBNB'), (await held('USDT')) > before]).toEqual([0n, true]);
  expect(wallet.sent.map(({ to }) => to.toLowerCase())).toEqual(
    [tokens.WBNB, tokens.WBNB, pancake.router].map((each) => each.toLowerCase()),
  );

  await page.getByRole('radio', { name: 'Buy', exact: true }).check();
  await page.getByLabel('Amount').fill('100');
  await page.getByRole('button', { name: 'Get verdict' }).click();
  await page.getByRole('button', { name: /^Buy WBNB for/ }).click();
  await page.getByText('Bought: the WBNB is in your wallet.').waitFor();
  const arrived = await held('WBNB');
  const poorer = await chain.getBalance({ address: user });
  await page.getByRole('button', { name: /^Unwrap 0\.\d+ BNB$/ }).click();
  await page.getByText('Unwrapped: the BNB is in your wallet.').waitFor();
  await endsWithHash(main, from, user, tokens.WBNB);
  const gained = (await chain.getBalance({ address: user })) - poorer;
  expect([await held('WBNB'), gained <= arrived && gained > arrived - parseEther('0.001')]).toEqual([0n, true]);
  expect(complaints).toEqual([]);
});

test('WB-330: a wallet that can makes wrapping, approval and sale as one', async () => {
  const { page, wallet } = await open('trade');
  wallet.batching = { says: 'supported' };
  await connectWallet(page);
  const from = await chain.getBlockNumber();
  const before = await held('USDT');
  await page.getByRole('radio', { name: 'Sell', exact: true }).check();
  await page.getByRole('radio', { name: 'BNB', exact: true }).check();
  await page.getByLabel('Amount').fill('0.25');
  await page.getByRole('button', { name: 'Get verdict' }).click();
  await page.getByRole('button', { name: 'Sell 0.25 BNB for USDT' }).click();
  await page.getByText('Sold: the USDT is in your wallet.').waitFor();
  // The user's own account makes the calls.
  await endsWithHash(page.getByRole('main'), from, user, user);
  expect([wallet.sent.length, wallet.lists.map((calls) => calls.length)]).toEqual([0, [3]]);
  expect([await held('WBNB'), (await held('USDT')) > before]).toEqual([0n, true]);
});

test('WB-330: a plan that sells WBNB offers to wrap what is lacking', async () => {
  const { page } = await open('plans');
  await connectWallet(page);
  const from = await chain.getBlockNumber();
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByRole('radio', { name: 'Sell regularly' }).check();
  await page.getByRole('radio', { name: 'WBNB', exact: true }).check();
  await page.getByLabel('Amount per sale').fill('0.1');
  await page.getByLabel('Number of sales').fill('3');
  await page.getByText('The plan needs 0.3 WBNB more than you hold').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Wrap 0.3 BNB' }).click();
  await expect.poll(() => held('WBNB'), { timeout: 20_000 }).toBe(parseEther('0.3'));
  const tray = page.locator('details.tray');
  await tray.locator('summary').click();
  await tray.getByRole('listitem').getByText('Wrap 0.3 BNB: confirmed').waitFor();
  await endsWithHash(tray, from, user, tokens.WBNB);
});

test('WB-310: a debt of BNB is repaid whole and BNB is added, each by one transaction with BNB', async () => {
  const { vBNB } = venus.markets;
  await chain.send(debtor, vBNB, { abi: vBnbAbi, functionName: 'mint' }, parseEther('20'));
  await chain.send(debtor, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vBNB]] });
  await chain.send(debtor, vBNB, { abi: vBnbAbi, functionName: 'borrow', args: [parseEther('9')] });
  const { page, wallet, complaints } = await open('loans', { key: debtorKey });
  await connectWallet(page);
  const main = page.getByRole('main');
  const from = await chain.getBlockNumber();
  const read = (functionName: 'balanceOf' | 'borrowBalanceStored') =>
    chain.readContract({ address: vBNB, abi: vBnbAbi, functionName, args: [debtor] });
  const receipts = await read('balanceOf');
  await page.getByRole('button', { name: 'Add collateral for the loan in Venus' }).click();
  await page.getByLabel('Amount').fill('2');
  await page.getByText('You send 2 BNB to Venus’s own contract').waitFor();
  await page.getByRole('button', { name: 'Add collateral', exact: true }).click();
  await page.getByText('Collateral added.').waitFor();
  await endsWithHash(main, from, debtor, vBNB);
  expect((await read('balanceOf')) - receipts).toBeGreaterThan(receipts / 11n);
  await page.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Repay for the loan in Venus' }).click();
  await page.getByRole('button', { name: 'MAX BNB' }).click();
  await page.getByText('returns the rest in the same transaction').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const before = await chain.getBalance({ address: debtor });
  await page.getByRole('button', { name: 'Repay', exact: true }).click();
  await page.getByText('Repaid.', { exact: true }).waitFor();
  await endsWithHash(main, from, debtor, venus.maximillion);
  expect(await read('borrowBalanceStored')).toBe(0n);
  // Nine BNB, and of the 0.009 sent above the debt only some interest and the fee.
  const paid = before - (await chain.getBalance({ address: debtor }));
  expect(paid > parseEther('9') && paid < parseEther('9.002')).toBe(true);
  expect(wallet.sent).toHaveLength(2);
  expect(complaints).toEqual([]);
});

test('WB-7: who declines in the wallet, or is on another chain, is told so, and nothing is sent', async () => {
  const { page, wallet } = await open('trade');
  wallet.chainId = 56;
  await connectWallet(page);
  await page.getByText('Your wallet is on another network').waitFor();
  await askedFor100(page);
  expect(await page.getByRole('button', { name: /^Buy BTCB for/ }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: /^Switch to/ }).click();
  await page.getByText('Your wallet is on another network').waitFor({ state: 'detached' });
  wallet.declines = true;
  await page.getByRole('button', { name: /^Buy BTCB for/ }).click();
  await page.getByText('You declined it in your wallet. Nothing was sent.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(wallet.sent).toEqual([]);
});

test('the agent is asked, and its answer is text', async () => {
  const { page } = await open('ask');
  await page.getByLabel('Your question').fill('Is BTCB fairly priced right now? <img src=x>');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByText('Answered by rules').waitFor();
  expect(await page.locator('.chat img').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  // While a word is being composed, Enter accepts the word and does not send half a question.
  const question = page.getByLabel('Your question');
  await question.fill('btcb');
  await question.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
  expect(await question.inputValue()).toBe('btcb');
  await question.press('Enter');
  expect(await question.inputValue()).toBe('');
});

test('AG-24: what the agent offers to ask instead is a button', async () => {
  const { page } = await open('ask');
  await page.getByLabel('Your question').fill('hello');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const choices = page.getByRole('region', { name: 'Choices' });
  await choices.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await choices.getByRole('button', { name: 'Price of BTCB' }).click();
  await page.getByText('from get_price').waitFor();
  expect(await choices.count()).toBe(0);
});

test('a guard is set, the price crashes, and the rescue is shown', async () => {
  const { page, wallet, complaints } = await open('loans');
  await connectWallet(page);
  await page.getByTestId('health').getByText('1.1').waitFor();
  await page.getByRole('button', { name: 'Set a guard for the loan in Venus' }).click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByText('More options').click();
  await page.getByRole('radio', { name: /^Venus’s or Chainlink’s/ }).check();
  await page.getByText('A rescue also happens if Chainlink’s prices put the loan’s health below the trigger').waitFor();
  await page.getByRole('button', { name: 'Approve and set' }).click();
  await page.getByRole('heading', { name: 'Guard set' }).waitFor();
  const { args } = decodeFunctionData({ abi: loanGuardAbi, data: wallet?.sent.at(-1)?.data ?? '0x' });
  expect(args).toMatchObject([{ priceSource: contracts.chainlinkPriceSource, borrower: user, funder: user }]);
  await page
    .getByRole('article', { name: /^Below 1\.10/ })
    .getByText('Chainlink’s prices', { exact: true })
    .waitFor();
  await page.getByText('guarded', { exact: true }).nth(1).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await market.play({ name: 'crash', asset: 'ETH', share: 0.08 });
  const row = page.getByRole('table', { name: 'Rescues of guard 1' }).getByRole('row').nth(1);
  await row.waitFor({ timeout: 45_000 });
  expect(await row.getByRole('cell').allTextContents()).toEqual([
    expect.anything(),
    expect.stringMatching(/USDT$/),
    expect.stringMatching(/^1\.0/),
    '1.25',
    'reached',
  ]);
  const contract = { address: contracts.loanGuard, abi: loanGuardAbi } as const;
  const [rescue] = await chain.readContract({ ...contract, functionName: 'rescues', args: [1n, 0n, 9n] });
  expect(rescue?.outcome).toBe(1);

  await page.getByRole('button', { name: 'Stop everything' }).click();
  await page.getByRole('region', { name: 'Stop everything' }).getByRole('button', { name: 'Stop everything' }).click();
  await page.getByRole('button', { name: /^Revoke \d+ approvals?$/ }).click();
  await page
    .getByText('Everything is stopped, and nothing is approved to this page’s contracts any more')
    .waitFor({ timeout: 30_000 });
  expect([await allowed(contracts.loanGuard), await allowed(contracts.planRegistry)]).toEqual([0n, expect.anything()]);
  const { isRevoked } = await chain.readContract({ ...contract, functionName: 'guard', args: [1n] });
  expect(isRevoked).toBe(true);
  expect(complaints).toEqual([]);
}, 90_000);

/** GO as a separate word in the text for screen readers. */
const saysGo = async (page: Page) => /\bGO\b/.test(await page.locator('body').ariaSnapshot());

test.each([
  ['does not answer', true],
  ['sends the same answer again and again', false],
])('WB-201: no verdict outlives its ticket on the page when the server %s', async (_, isDead) => {
  const { page } = await open('portfolio');
  await page.getByRole('button', { name: 'Verdict on BTCB: Fair price GO. Its findings' }).click();
  await page.getByText('Buying $100 of BTCB now passes every check').waitFor();
  expect(await saysGo(page)).toBe(true);
  const nextAnswer = () => page.waitForResponse('**/api/quote');
  let again: string | undefined;
  await page.route('**/api/quote', async (route) => {
    if (isDead) return route.abort();
    again ??= await (await route.fetch()).text();
    await route.fulfill({ contentType: 'application/json', body: again });
  });
  if (isDead) await page.route(`${local.url}/**`, (route) => route.abort());
  // The page must already have the repeated answer: one that it first sees after the jump counts as new.
  else await nextAnswer();
  // Start waiting before the request, or the answer could arrive unseen.
  const answered = isDead ? undefined : nextAnswer();
  await page.clock.install();
  await page.clock.fastForward(130_000);
  await answered;
  await page.getByText(/^Verdicts are as of/).waitFor();
  // Two minutes and ten seconds, plus the time that the machine took for the steps before.
  await page.getByText(/That is [23] minutes ago\./).waitFor();
  expect(await saysGo(page)).toBe(false);
  expect(await page.getByText('old verdict').count()).toBeGreaterThan(0);
  expect(await page.getByText('Buying $100 of BTCB now passes every check').count()).toBe(0);
  if (isDead) expect(await accessibilityProblems(page)).toEqual([]);
  await page.unroute('**/api/quote');
  await page.unroute(`${local.url}/**`);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByRole('button', { name: 'Verdict on BTCB: Fair price GO. Its findings' }).waitFor();
});

test('WB-201: nor does one that was asked for before a purchase', async () => {
  const { page } = await open('trade');
  await connectWallet(page);
  await askedFor100(page);
  expect(await saysGo(page)).toBe(true);
  await page.route(`${local.url}/**`, (route) => route.abort());
  await page.clock.install();
  await page.clock.fastForward(130_000);
  await page.getByText('old verdict').waitFor();
  expect(await saysGo(page)).toBe(false);
});

test('AP-6: on NO_GO there is no calldata and nothing to sign, whatever is acknowledged', async () => {
  await market.play({ name: 'pool-manipulated', asset: 'BTCB' });
  await expect
    .poll(async () => (await ask('/api/buy', order())).body.verdict, { timeout: 30_000, interval: 500 })
    .toBe('NO_GO');
  const { body } = await ask('/api/buy', order({ acknowledge_caution: true }));
  expect(body).toMatchObject({ verdict: 'NO_GO', calls: null, simulated: null, withheld: 'verdict_no_go' });

  const { page } = await open('trade');
  await connectWallet(page);
  await askedFor100(page);
  await page.getByText('Not at this price').waitFor();
  await page.getByText('cost_high').first().waitFor();
  for (const name of [/^buy/i, /redeem/i, /prepare/i]) expect(await page.getByRole('button', { name }).count()).toBe(0);
  expect(await page.locator('.calldata').count()).toBe(0);
  expect(await page.content()).not.toContain('0x095ea7b3');
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('WB-11: without a wallet there are prices, verdicts and how to connect, at both sizes', async () => {
  for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
    const { page, complaints } = await openPage(browser, { url: `${web.url}/portfolio`, rpcUrl: local.url, size });
    await page.getByRole('button', { name: /^Verdict on BTCB/ }).click();
    await page.getByText('Total cost').first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByRole('banner').getByText('Connect wallet').click();
    await page.getByRole('banner').getByText('No wallet found in this browser').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  }
});

test('WB-12: without the agent or the exchange the server says which is missing, and the rest is there', async () => {
  await exchange.stop();
  await agent.stop();
  expect(await ask('/api/agent', { prompt: 'Is BTCB fairly priced?' })).toMatchObject({
    status: 502,
    body: { code: 'agent_unavailable' },
  });
  expect(await ask('/api/buy', order())).toMatchObject({ status: 502, body: { code: 'agent_unavailable' } });
  await expect
    .poll(async () => ((await ask('/api/quote')).body.assets as Record<string, unknown>[])[0], { timeout: 20_000 })
    .toMatchObject({
      judged: null,
      price_usd: null,
      history: [],
      unavailable: ['market_unavailable', 'agent_unavailable'],
    });
});
