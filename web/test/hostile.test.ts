import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { encodeFunctionData, type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loanGuardAbi, revocationsAbi } from '../../abis/index.ts';
import { borrow, capped, guardTerms, introduce, stranger } from '../../agent/test/loans.ts';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { pancake, tokens } from '../../lab/world/addresses.ts';
import { type Market, startMarket } from '../../lab/world/market/market.ts';
import { createPath } from '../../lab/world/market/path.ts';
import { serveMarket } from '../../lab/world/market/server.ts';
import { type Sidecar, startSidecar } from '../../test/e2e/sidecar.ts';
import { freePort } from '../../test/local/free-port.ts';
import type { BuyAnswer, PageConfig, QuoteAnswer } from '../wire.ts';
import { accessibilityProblems, connectWallet, openPage, otherMethods, stopEverything } from './browser.ts';
import { hostilePlace, TYPED } from './hostile/place.ts';
import { playRounds, sumOf, type Tally } from './hostile/rounds.ts';
import { draftMutants, type Mutant, thief } from './mutants.ts';
import {
  book,
  browser,
  chain,
  contracts,
  folder,
  local,
  node,
  web,
  withBrowser,
  withChain,
  withPage,
} from './world.ts';

// The page and its server against a compromised agent, a compromised server, and a wallet that sends the wrong thing.

/** Anvil's seventh account. The key is public. */
const key: Hex = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e';
const user = privateKeyToAddress(key);
/** Anvil's eighth. */
const borrower: Hex = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955';
/** An account without a key, whose loan has no guard. */
const neighbour = stranger(1);
const usd = '100';

let market: Market;
let exchange: Awaited<ReturnType<typeof serveMarket>>;
let agent: Sidecar;
/** A proxy between the web server and the agent that rewrites answers. */
let proxy: Server;
let rewrite: (path: string, honest: unknown) => unknown;

const honestly = (_path: string, honest: unknown) => honest;

withChain('hostile', 0.45);
beforeAll(async () => {
  const clock = () => Date.now() / 1000;
  const path = createPath(7, clock());
  market = await startMarket({ rpcUrl: node, path, clock, report: () => {} });
  exchange = await serveMarket(market, path, clock, await freePort());
  proxy = await standBefore(() => agent.url);
  const settings = { RPC_URL: node, MARKET_DATA_URL: exchange.url, PYTH_URL: exchange.url };
  agent = await startSidecar({ ...settings, DEPLOYMENTS_DIR: folder });
  await guardALoan();
  await introduce(chain, neighbour);
  await borrow(chain, neighbour, '4000', { ETH: '3' });
  await take('1000');
});
withPage(async () => ({
  agentUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  marketUrl: exchange.url,
}));
withBrowser();
afterEach(() => {
  rewrite = honestly;
});
afterAll(async () => {
  proxy?.close();
  await agent?.stop();
  await exchange?.stop();
  await market?.stop();
});

async function standBefore(url: () => string): Promise<Server> {
  rewrite = honestly;
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const init =
      request.method === 'POST' ? { method: 'POST', body, headers: { 'content-type': 'application/json' } } : {};
    const answer = await fetch(url() + request.url, init);
    const told = rewrite(request.url ?? '', await answer.json());
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const take = (amount: string, token: Hex = tokens.USDT) =>
  chain.send(user, token, { abi: faucetAbi, functionName: 'allocateTo', args: [user, parseEther(amount)] });
const held = (): Promise<bigint> =>
  chain.readContract({ address: tokens.USDT, abi: erc20Abi, functionName: 'balanceOf', args: [user] });
const allowed = (spender: Hex): Promise<bigint> =>
  chain.readContract({ address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args: [user, spender] });

async function open(section = 'trade') {
  const found = await openPage(browser, { url: `${web.url}/${section}`, rpcUrl: local.url, key });
  if (found.wallet === undefined) throw new Error('no wallet');
  return { ...found, wallet: found.wallet };
}

async function askFor(page: Page, amount = usd): Promise<void> {
  // A change of the amount removes the answer.
  await page.getByLabel('Amount').fill('');
  await page.getByText('No verdict yet').waitFor();
  await page.getByLabel('Amount').fill(amount);
  await page.getByRole('button', { name: 'Get verdict' }).click();
}

const order = { asset: 'BTCB', amount_usd: usd, side: 'buy', owner: user };
async function buy(asked: object = order) {
  const init = { method: 'POST', body: JSON.stringify(asked), headers: { 'content-type': 'application/json' } };
  const response = await fetch(`${web.url}/api/buy`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** A sample spread over a whole list. */
const some = <Item>(items: readonly Item[], count: number): Item[] =>
  items.filter((_, at) => at % Math.ceil(items.length / count) === 0);

const failed = 'This offer failed our safety check';
/** Buttons that lead to a signature. */
const signs = /^(Buy BTCB|Signing)/;

/**
 * Presses any button that signs, and waits for the result; otherwise waits until the page says that there is no offer.
 */
async function signIfOffered(page: Page): Promise<void> {
  const offered = page.getByRole('button', { name: signs }).first();
  const result = page
    .getByText(/is in your wallet|went through, but|did not go through|This is not the transaction/)
    .first();
  await offered
    .or(page.getByText(/failed our safety check|^Not enough/).first())
    .first()
    .waitFor();
  if ((await offered.count()) === 0) return;
  await offered.click();
  await result.waitFor();
}

test('WB-17: the server passes on no draft that the agent, or what lies before it, has rewritten', async () => {
  expect(await buy()).toMatchObject({ status: 200, body: { verdict: 'GO' } });
  for (const { name, of } of some(draftMutants, 16)) {
    rewrite = (path, honest) => (path === '/swap-draft' ? of(honest as BuyAnswer) : honest);
    const { status, body } = await buy();
    expect({ name, status, code: body.code }).toEqual({ name, status: 502, code: 'unsound_draft' });
    expect(body.detail, name).toMatch(/failed the safety check \([a-z_]+\)/);
    expect(JSON.stringify(body), name).not.toContain('0x');
  }
});

test('WB-17, WB-299: honest drafts of every kind of order, in every listed asset, are passed on', async () => {
  for (const symbol of ['BTCB', 'ETH', 'USDC'] as const) await take('100', tokens[symbol]);
  const { amount_usd: _, ...rest } = order;
  for (const asked of [
    { ...rest, amount_usd: '250.5', asset: 'bitcoin', owner: user.toLowerCase() },
    { ...rest, amount_asset: '0.002' },
    { ...rest, amount_usd: '100', side: 'sell' },
    { ...rest, amount_asset: '0.0012345', side: 'sell', max_slippage_bps: 10 },
    { ...rest, amount_usd: '20', asset: 'USDC' },
    { ...rest, amount_usd: '0.01', asset: 'ETH' },
    { ...rest, amount_usd: '20', asset: 'WBNB' },
    { ...rest, amount_asset: '0.5', asset: 'ETH', side: 'sell' },
    { ...rest, amount_asset: '20', asset: 'USDC', side: 'sell' },
  ]) {
    const { status, body } = await buy(asked);
    expect({ asked, status, detail: body.detail, calls: (body.calls as unknown[] | null)?.length }).toEqual({
      ...{ asked, status: 200, detail: undefined, calls: 2 },
    });
  }
});

test('WB-17: nor does the page offer it, when the server is the one that is taken over', async () => {
  const { page, wallet } = await open();
  await connectWallet(page);
  const { body: honest } = await buy();
  let mutant: Mutant<BuyAnswer> | undefined;
  await page.route('**/api/buy', (route) => route.fulfill({ json: mutant?.of(honest as BuyAnswer) }));
  const review = draftMutants.slice(0, 1);
  for (mutant of [...review, ...some(draftMutants, 12)]) {
    await askFor(page);
    await page.getByText(failed).waitFor();
    expect(await page.getByRole('button', { name: signs }).count(), mutant.name).toBe(0);
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(wallet.sent).toEqual([]);
  expect(await allowed(thief)).toBe(0n);
});

test('WB-17: an agent that is taken over gets nothing signed through server and page', async () => {
  const { page, wallet } = await open();
  await connectWallet(page);
  const [review] = draftMutants;
  rewrite = (path, honest) => (path === '/swap-draft' ? review?.of(honest as BuyAnswer) : honest);
  await askFor(page, '900');
  await signIfOffered(page);
  expect(wallet.sent).toEqual([]);
  expect(await page.getByText(failed).count()).toBe(1);
  expect(await page.content()).not.toContain('0x12345678');
});

test('WB-19: told of other contracts than those it was built with, the page only stops everything', async () => {
  const { page, wallet } = await open('portfolio');
  const revokeAll = encodeFunctionData({ abi: revocationsAbi, functionName: 'revokeAll' });
  const honest = (await (await fetch(`${web.url}/config.json`)).json()) as PageConfig;
  let told = honest;
  await page.route('**/config.json', (route) => route.fulfill({ json: told }));
  await page.reload();
  await page.getByRole('heading', { name: 'Portfolio' }).waitFor();
  const { contracts: named, lending, assets } = honest;
  const others: Partial<PageConfig>[] = [
    ...Object.keys(named).map((name) => ({ contracts: { ...named, [name]: thief } })),
    ...['adapter', 'core'].map((name) => ({ lending: lending.map((each) => ({ ...each, [name]: thief })) })),
    { assets: assets.map((asset) => (asset.symbol === 'USDT' ? { ...asset, address: thief } : asset)) },
    { chainId: 56 },
    { rpcUrl: 'http://127.0.0.1:1' },
  ];
  for (const [at, other] of others.entries()) {
    told = { ...honest, ...other };
    await page.reload();
    await page.getByText('names a different chain, node, contract or token').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    // A reload leaves the wallet connected.
    if (at === 0) await connectWallet(page);
    await page.getByRole('button', { name: 'Stop everything' }).waitFor();
    expect(await page.content()).not.toContain(thief);
    // A stop takes seconds, so only one each with another token, chain, node and Revocations.
    if (other.lending || (other.contracts && other.contracts.revocations !== thief)) continue;
    const before = wallet.sent.length;
    await stopEverything(page);
    await expect.poll(() => wallet.sent.length).toBe(before + 1);
    expect(wallet.sent.at(-1), JSON.stringify(other)).toEqual({ to: contracts.revocations, data: revokeAll });
  }
  await page.getByText(/Every plan, guard and unused signature made up to block \S+ has ended/).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(wallet.sent).toHaveLength(4);
  expect(otherMethods(wallet)).toEqual([]);
});

test('WB-87: another transaction than the one asked for is not called a purchase, and its approval can be taken back', async () => {
  const { page, wallet } = await open();
  await connectWallet(page);
  // Approves as asked, then sends a call that does nothing.
  wallet.instead = (asked) =>
    asked.to.toLowerCase() === pancake.router.toLowerCase() ? { to: user, data: '0x' } : asked;
  const before = await held();
  await askFor(page);
  await signIfOffered(page);
  expect(await page.getByText(/Bought/).count()).toBe(0);
  expect(await page.getByText('Another transaction was sent', { exact: true }).count()).toBe(1);
  expect(await held()).toBe(before);
  expect(await allowed(pancake.router)).toBeGreaterThan(parseEther('99'));
  await page.getByText(/^Your approval of [\d.]+ USDT is still active$/).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Revoke approval' }).click();
  await page.getByText('Approval revoked').waitFor();
  expect(await allowed(pancake.router)).toBe(0n);
  expect(wallet.sent).toHaveLength(3);
});

test('WB-6: a swap that goes through and brings nothing is told as that, and not as a purchase', {
  tags: ['long'],
}, async () => {
  const { page, wallet } = await open();
  await connectWallet(page);
  await askFor(page);
  await page.getByRole('button', { name: /^Buy BTCB for/ }).waitFor();
  const address = pancake.router;
  const bytecode = (await chain.getCode({ address })) as Hex;
  // The swap succeeds, and does nothing.
  await chain.setCode({ address, bytecode: '0x00' });
  onTestFinished(() => chain.setCode({ address, bytecode }));
  const before = await held();
  await page.getByRole('button', { name: /^Buy BTCB for/ }).click();
  await page.getByText('The transaction went through, but no BTCB arrived.').waitFor();
  await page.getByText('No USDT left your wallet.').waitFor();
  expect(await page.getByText(/Bought/).count()).toBe(0);
  expect(wallet.sent.map(({ to }) => to)).toEqual([tokens.USDT, address]);
  expect(await held()).toBe(before);
  await page.getByRole('button', { name: 'Revoke approval' }).click();
  await page.getByText('Approval revoked').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('WB-6: nor is it left unsaid that an approval is active when the swap is declined', async () => {
  const { page, wallet } = await open();
  await connectWallet(page);
  wallet.instead = (asked) => (asked.to.toLowerCase() === pancake.router.toLowerCase() ? undefined : asked);
  await askFor(page);
  await page.getByRole('button', { name: /^Buy BTCB for/ }).click();
  await page.getByText('You declined it in your wallet. Nothing was sent.').waitFor();
  await page.getByText(/^Your approval of [\d.]+ USDT is still active$/).waitFor();
  // The same applies to a new offer.
  await askFor(page, '50');
  await page.getByRole('button', { name: /^Buy BTCB for (49|50)/ }).waitFor();
  await page.getByText(/^Your approval of (99|100)[\d.]* USDT is still active$/).waitFor();
  await page.getByRole('button', { name: 'Revoke approval' }).click();
  await page.getByText('Approval revoked').waitFor();
  expect(await allowed(pancake.router)).toBe(0n);
});

test('WB-6: who holds too little is offered nothing to sign', async () => {
  const { page, wallet } = await open();
  await connectWallet(page);
  await askFor(page, '5000');
  await page.getByText('The balance of the paying account is too low').waitFor();
  expect(await page.getByRole('button', { name: signs }).count()).toBe(0);
  expect(wallet.sent).toEqual([]);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await allowed(pancake.router)).toBe(0n);
});

test('WB-17: when the chain does not answer the page, nothing is offered', async () => {
  const { page, wallet } = await open();
  await connectWallet(page);
  await page.route(`${local.url}/**`, (route) => {
    const asked = route.request().postData() ?? '';
    return asked.includes('eth_call') ? route.abort() : route.continue();
  });
  await askFor(page);
  await page.getByText('This offer could not be checked').waitFor();
  expect(await page.getByRole('button', { name: signs }).count()).toBe(0);
  expect(wallet.sent).toEqual([]);
});

test('WB-201: once the verdict is old there is nothing to sign, only to ask again', async () => {
  const { page, wallet } = await open();
  await connectWallet(page);
  await askFor(page);
  await page.getByRole('button', { name: /^Buy BTCB for/ }).waitFor();
  await page.clock.install();
  // Past the ticket's 120 s; the draft's own deadline, by the chain's clock, is minutes away.
  await page.clock.fastForward(121_000);
  await page.getByText('old verdict').waitFor();
  expect(await page.getByRole('button', { name: signs }).count()).toBe(0);
  await page.getByRole('button', { name: 'Get new verdict' }).first().click();
  await page.getByRole('button', { name: /^Buy BTCB for/ }).waitFor();
  expect(wallet.sent).toEqual([]);
});

/** A loan with a funded guard. */
async function guardALoan(): Promise<void> {
  await borrow(chain, borrower, '9000', { ETH: '5' });
  const coin = { abi: faucetAbi, functionName: 'allocateTo', args: [borrower, parseEther('1')] } as const;
  await chain.send(borrower, tokens.BTCB, coin);
  await chain.send(borrower, tokens.ETH, coin);
  const { timestamp } = await chain.getBlock();
  const changes = { ...capped(5_000), expiresAt: Number(timestamp) + 40 * 86_400 };
  const terms = guardTerms({ chain, book }, borrower, timestamp, changes);
  const { loanGuard } = contracts;
  await chain.send(borrower, loanGuard, { abi: loanGuardAbi, functionName: 'register', args: [terms] });
  const approve = { abi: erc20Abi, functionName: 'approve', args: [loanGuard, parseEther('5000')] } as const;
  await chain.send(borrower, tokens.USDT, approve);
}

/** Plays seeded answers to the given number of pages in parallel. */
async function play(total: number, pages: number, seed: number, report?: (tally: Tally) => void): Promise<Tally> {
  const json = async (path: string) => (await fetch(`${web.url}${path}`)).json();
  const honest = {
    drafts: {
      buy: (await buy({ ...order, amount_usd: TYPED.buy, owner: borrower })).body as unknown as BuyAnswer,
      sell: (await buy({ asset: 'BTCB', side: 'sell', amount_asset: TYPED.sell, owner: borrower }))
        .body as unknown as BuyAnswer,
      bnb: (await buy({ asset: 'WBNB', side: 'sell', amount_asset: TYPED.bnb, in_bnb: true, owner: borrower }))
        .body as unknown as BuyAnswer,
    },
    quote: (await json('/api/quote')) as QuoteAnswer,
    config: (await json('/config.json')) as PageConfig,
  };
  // The chain stands still, so that every honest answer stays true.
  await chain.setIntervalMining({ interval: 0 });
  onTestFinished(() => chain.setIntervalMining({ interval: 1 }));
  const { timestamp: blockTime, number: blockNumber } = await chain.getBlock();
  const world = {
    honest,
    owner: borrower,
    nodeUrl: local.url,
    blockTime,
    blockNumber,
    assets: book.assets,
    files: web.files,
  };
  const isShort = total < 100 * pages;
  const tallies = await Promise.all(
    Array.from({ length: pages }, async (_, at) => {
      const place = await hostilePlace(world);
      const given = {
        browser,
        place,
        honest,
        owner: borrower,
        neighbour,
        rpcUrl: local.url,
        blockTime,
        ...(report && { report }),
      };
      // A page load covers a hundred rounds. With fewer rounds, each page plays some of the parts.
      const played = isShort
        ? playRounds(given, total, seed, { page: at, of: pages })
        : playRounds(given, total / pages, seed + at * total);
      return played.finally(place.stop);
    }),
  );
  return sumOf(tallies);
}

/** Nothing false was said or requested, and the honest answers in between had their effect. */
function expectSafe({ violations, honest, refused, rounds }: Tally, total: number): void {
  expect(violations).toEqual([]);
  expect(rounds).toBe(total);
  for (const [what, count] of Object.entries(honest)) expect(count, what).toBeGreaterThanOrEqual(total / 100);
  expect(refused).toBeGreaterThan(total / 10);
}

test('WB-124: a hundred hostile answers get nothing signed and nothing false said', async () => {
  expectSafe(await play(100, 2, 1), 100);
});

/** Ten thousand rounds take an hour on two cores: HOSTILE_ROUNDS=10000. */
const many = Number(process.env.HOSTILE_ROUNDS ?? 1_000);

test(`WB-124: nor do ${many}`, { tags: ['long'], timeout: many * 1_000 }, async () => {
  // The run takes minutes, so it reports its findings as it goes.
  const report = ({ rounds, violations }: Tally) =>
    void (rounds % 100 === 0 && console.info(`${rounds} rounds of one page`, violations));
  expectSafe(await play(many, 4, 1_000_000, report), many);
});
