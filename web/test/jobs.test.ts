import type { Browser, Page } from 'playwright-core';
import { type Hex, isAddressEqual, parseEther, zeroAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collateralGuardAbi, loanGuardAbi, planRegistryAbi, revocationsAbi } from '../../abis/index.ts';
import { comptrollerAbi, erc20Abi, faucetAbi, vBnbAbi, vTokenAbi } from '../../lab/world/abis.ts';
import { pancake, type TokenSymbol, tokens, venus } from '../../lab/world/addresses.ts';
import { type Market, startMarket } from '../../lab/world/market/market.ts';
import { createPath } from '../../lab/world/market/path.ts';
import { serveMarket } from '../../lab/world/market/server.ts';
import { type Sidecar, startSidecar } from '../../test/e2e/sidecar.ts';
import { freePort } from '../../test/local/free-port.ts';
import { launchBrowser, openPage, type TestWallet } from './browser.ts';
import { atKeyboard } from './keyboard.ts';
import { chain, contracts, folder, local, node, web, withChain, withPage } from './world.ts';

// Twenty-two jobs in one visit, by keyboard alone, in this order. Each ends with its transaction's hash in the list
// above the sections; the test finds that hash in the chain's own blocks. Real chain, contracts, market, agent, server
// and browser. The trades need the agent, which is stopped after them, so that no run comes between the other jobs.

/** Anvil's sixth account. The key is public. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
const user = privateKeyToAddress(key);
/** Anvil's ninth account. */
const anybody: Hex = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f';

let browser: Browser;
let market: Market;
let exchange: Awaited<ReturnType<typeof serveMarket>>;
let agent: Sidecar;
let page: Page;
let wallet: TestWallet;
let keys: Awaited<ReturnType<typeof atKeyboard>>;

withChain('jobs', 0.45);
beforeAll(async () => {
  const clock = () => Date.now() / 1000;
  const path = createPath(5, clock());
  market = await startMarket({ rpcUrl: node, path, clock, report: () => {} });
  exchange = await serveMarket(market, path, clock, await freePort());
  const settings = { RPC_URL: node, MARKET_DATA_URL: exchange.url, PYTH_URL: exchange.url };
  agent = await startSidecar({ ...settings, DEPLOYMENTS_DIR: folder });
});
withPage(async () => ({ agentUrl: agent.url, marketUrl: exchange.url }));
beforeAll(async () => {
  browser = await launchBrowser();
  await take('USDT', '50000');
  await borrow();
  const found = await openPage(browser, { url: `${web.url}/trade`, rpcUrl: local.url, key });
  if (found.wallet === undefined) throw new Error('no wallet');
  ({ page, wallet } = { ...found, wallet: found.wallet });
  keys = await atKeyboard(page);
  await keys.enter('Connect wallet');
  await page.getByRole('banner').getByText('Account').waitFor({ state: 'attached' });
});
afterAll(async () => {
  await browser?.close();
  await agent?.stop();
  await exchange?.stop();
  await market?.stop();
});

const take = (symbol: TokenSymbol, amount: string) =>
  chain.send(user, tokens[symbol], { abi: faucetAbi, functionName: 'allocateTo', args: [user, parseEther(amount)] });

/** A loan of USDT and one BNB against ten ETH and one BNB, at a health of 1.15. */
async function borrow(): Promise<void> {
  const { vETH, vUSDT, vBNB } = venus.markets;
  await take('ETH', '10');
  await chain.send(user, tokens.ETH, { abi: erc20Abi, functionName: 'approve', args: [vETH, parseEther('10')] });
  await chain.send(user, vETH, { abi: vTokenAbi, functionName: 'mint', args: [parseEther('10')] });
  await chain.send(user, vBNB, { abi: vBnbAbi, functionName: 'mint' }, parseEther('1'));
  const entered = [[vETH, vBNB]] as const;
  await chain.send(user, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: entered });
  await chain.send(user, vBNB, { abi: vBnbAbi, functionName: 'borrow', args: [parseEther('1')] });
  const liquidity = { address: venus.comptroller, abi: comptrollerAbi, functionName: 'getAccountLiquidity' } as const;
  const [, worth] = (await chain.readContract({ ...liquidity, args: [user] })) as readonly bigint[];
  await chain.send(user, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [((worth ?? 0n) * 100n) / 115n] });
}

const allowed = (spender: Hex, of: TokenSymbol = 'USDT'): Promise<bigint> =>
  chain.readContract({ address: tokens[of], abi: erc20Abi, functionName: 'allowance', args: [user, spender] });
const held = (symbol: TokenSymbol): Promise<bigint> =>
  chain.readContract({ address: tokens[symbol], abi: erc20Abi, functionName: 'balanceOf', args: [user] });
const planOf = (id: bigint) =>
  chain.readContract({ address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'plan', args: [id] });
const guardOf = (id: bigint) =>
  chain.readContract({ address: contracts.loanGuard, abi: loanGuardAbi, functionName: 'guard', args: [id] });

const toSection = async (name: string) => {
  await keys.enter(name, 'link');
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

/** Waits until the act is confirmed, takes its hash from the list, and finds it in the blocks since. */
async function endsWith(label: string | RegExp, to: Hex, from: bigint): Promise<void> {
  const tray = page.locator('details.tray');
  if ((await tray.getAttribute('open')) === null) {
    await keys.reach(tray.locator('summary'));
    await keys.press('Enter');
  }
  const act = tray.getByRole('listitem').first().filter({ hasText: label }).filter({ hasText: ': confirmed' });
  const sinceThen = async () => {
    const newest = await chain.getBlockNumber();
    const blocks = await Promise.all(
      Array.from({ length: Number(newest - from) + 1 }, (_, at) =>
        chain.getBlock({ blockNumber: from + BigInt(at), includeTransactions: true }),
      ),
    );
    return blocks.flatMap(({ transactions }) => transactions);
  };
  const told = async () => {
    const text = (await act.textContent())?.trim() ?? '';
    const [, head, tail] = /Transaction (0x\w+)…(\w+)\s*$/.exec(text) ?? [];
    return (await sinceThen()).find(({ hash }) => head && tail && hash.startsWith(head) && hash.endsWith(tail));
  };
  // Until this act is listed, the first entry is the previous act.
  await act.waitFor();
  await expect.poll(told, { timeout: 30_000 }).toBeDefined();
  const found = await told();
  expect(isAddressEqual(found?.from as Hex, user)).toBe(true);
  expect(isAddressEqual(found?.to as Hex, to)).toBe(true);
  expect((await chain.getTransactionReceipt({ hash: found?.hash as Hex })).status).toBe('success');
}

/** Tests a job, and that the focus was never lost during it. */
function job(what: string, act: (from: bigint) => Promise<void>): void {
  test(`WB-11: by keyboard alone: ${what}`, { tags: 'long' }, async () => {
    await act((await chain.getBlockNumber()) + 1n);
    // By then, everything that the end of the act removes is gone.
    await page.waitForTimeout(1_000);
    expect(await keys.lost()).toEqual([]);
  });
}

job('buy once', async (from) => {
  const before = await held('BTCB');
  await keys.type('Amount', '100');
  await keys.enter('Get verdict');
  await keys.enter(/^Buy BTCB for/);
  await endsWith(/wap/, pancake.router, from);
  expect(await held('BTCB')).toBeGreaterThan(before);
});

job('sell once', async (from) => {
  const before = { btcb: await held('BTCB'), usdt: await held('USDT') };
  await keys.choose('Buy', 'Sell');
  await keys.type('Amount', '0.0005');
  await keys.enter('Get verdict');
  await keys.enter(/^Sell 0.0005 BTCB for USDT/);
  await endsWith('Swap for USDT', pancake.router, from);
  expect(before.btcb - (await held('BTCB'))).toBe(parseEther('0.0005'));
  expect(await held('USDT')).toBeGreaterThan(before.usdt);
  expect(await allowed(pancake.router, 'BTCB')).toBe(0n);
});

job('sell BNB, which is wrapped on the way', async (from) => {
  const before = { bnb: await chain.getBalance({ address: user }), usdt: await held('USDT') };
  await keys.choose('BTCB', 'BNB');
  await keys.type('Amount', '0.5');
  await keys.enter('Get verdict');
  await keys.enter(/^Sell 0.5 BNB for USDT/);
  await endsWith('Swap for USDT', pancake.router, from);
  const spent = before.bnb - (await chain.getBalance({ address: user }));
  expect(spent - parseEther('0.5')).toBeGreaterThan(0n);
  expect(spent).toBeLessThan(parseEther('0.51'));
  expect(await held('USDT')).toBeGreaterThan(before.usdt);
  expect([await held('WBNB'), await allowed(pancake.router, 'WBNB')]).toEqual([0n, 0n]);
});

job('buy BNB', async (from) => {
  await keys.choose('Sell', 'Buy');
  await keys.type('Amount', '100');
  await keys.enter('Get verdict');
  await keys.enter(/^Buy WBNB for/);
  await endsWith('Swap for WBNB', pancake.router, from);
  expect(await held('WBNB')).toBeGreaterThan(0n);
  await agent.stop();
});

job('unwrap exactly what arrived', async (from) => {
  const before = { wbnb: await held('WBNB'), bnb: await chain.getBalance({ address: user }) };
  await keys.enter(/^Unwrap .* BNB$/);
  await endsWith(/Unwrap .* BNB/, tokens.WBNB, from);
  expect(await held('WBNB')).toBe(0n);
  const gained = (await chain.getBalance({ address: user })) - before.bnb;
  expect(gained).toBeGreaterThan((before.wbnb * 99n) / 100n);
});

job('create a plan', async (from) => {
  await toSection('Plans');
  await keys.enter('New plan');
  await keys.type('Amount per buy', '50');
  await keys.type('Number of buys', '3');
  await keys.choose('Day', 'Week');
  await keys.enter('Approve and create');
  await page.getByText('Plan created.').waitFor();
  await endsWith('Create the plan', contracts.planRegistry, from);
  expect(await planOf(1n)).toMatchObject({ terms: { amountPerRun: parseEther('50'), periodSeconds: 604_800 } });
  expect(await allowed(contracts.planRegistry)).toBe(parseEther('150'));
  await keys.enter('Close');
});

job('edit it', async (from) => {
  await keys.enter('Edit plan 1');
  await keys.type('Amount per buy', '20');
  await keys.enter('Save changes');
  await page.getByText('Plan changed.').waitFor();
  await endsWith('Change plan 1', contracts.planRegistry, from);
  expect(await planOf(1n)).toMatchObject({ terms: { amountPerRun: parseEther('20') }, state: { version: 2 } });
  await keys.enter('Close');
});

job('duplicate it, as one list of calls', async (from) => {
  wallet.batching = { says: 'supported' };
  await keys.enter('Duplicate plan 1');
  await keys.enter('Approve and create');
  await page.getByText('Plan created.').waitFor();
  await endsWith('Create the plan', user, from);
  delete wallet.batching;
  expect(await planOf(2n)).toMatchObject({ terms: { owner: user, amountPerRun: parseEther('20') } });
  expect(await allowed(contracts.planRegistry)).toBe(parseEther('120'));
  await keys.enter('Close');
});

/** Goes to the plan's own card, because there are two plans. */
job('pause a plan', async (from) => {
  await keys.enter('Plan 2', 'link');
  await keys.enter('Pause');
  await endsWith('Pause plan 2', contracts.planRegistry, from);
  expect(await planOf(2n)).toMatchObject({ state: { status: 2 } });
});

job('resume it', async (from) => {
  await keys.enter('Resume');
  await endsWith('Resume plan 2', contracts.planRegistry, from);
  expect(await planOf(2n)).toMatchObject({ state: { status: 1 } });
});

job('cancel it, and take back its approval', async (from) => {
  await keys.enter('Cancel permanently');
  await keys.enter('Cancel plan 2');
  await endsWith('Revoke its approval of 60 USDT', tokens.USDT, from);
  expect(await planOf(2n)).toMatchObject({ state: { status: 3 } });
  expect(await allowed(contracts.planRegistry)).toBe(parseEther('60'));
});

job('order a sale at a price, and cancel it', async (from) => {
  await toSection('Plans');
  await keys.enter('New plan');
  await keys.choose('Buy regularly', 'Sell at a price');
  await keys.type('Amount', '0.0003');
  await keys.type('Price', '150000');
  await keys.enter('Approve and create');
  await page.getByText('Plan created.').waitFor();
  await endsWith('Create the plan', contracts.planRegistry, from);
  expect(await planOf(3n)).toMatchObject({
    terms: {
      ...{ tokenIn: tokens.BTCB, tokenOut: tokens.USDT, amountPerRun: parseEther('0.0003'), maxRuns: 1 },
      ...{ limitPriceWad: 10n ** 36n / parseEther('150000'), triggerPriceWad: 0n },
    },
  });
  expect(await allowed(contracts.planRegistry, 'BTCB')).toBe(parseEther('0.0003'));
  await keys.enter('Close');
  await keys.enter('Plan 3', 'link');
  await keys.enter('Cancel permanently');
  await keys.enter('Cancel plan 3');
  await endsWith('Revoke its approval of 0.0003 BTCB', tokens.BTCB, from);
  expect(await allowed(contracts.planRegistry, 'BTCB')).toBe(0n);
});

const owed = (): Promise<bigint> =>
  chain.readContract({
    ...{ address: venus.markets.vUSDT, abi: vTokenAbi, functionName: 'borrowBalanceStored', args: [user] },
  });
const deposited = (): Promise<bigint> =>
  chain.readContract({ address: venus.markets.vETH, abi: vTokenAbi, functionName: 'balanceOf', args: [user] });

job('repay a part of a loan', async (from) => {
  await toSection('Loans');
  const before = await owed();
  await keys.enter('Repay for the loan in Venus');
  await keys.type('Amount', '1000');
  await keys.enter('Approve and repay');
  await endsWith('Repay 1,000 USDT', venus.markets.vUSDT, from);
  expect(before - (await owed())).toBeGreaterThan(parseEther('999'));
  expect(await allowed(venus.markets.vUSDT)).toBe(0n);
  await keys.enter('Close');
});

job('repay all of a debt of BNB', async (from) => {
  const { vBNB } = venus.markets;
  await keys.enter('Repay for the loan in Venus');
  await keys.choose('USDT', 'BNB');
  await keys.enter('MAX BNB');
  await keys.enter('Repay');
  await endsWith('Repay the whole debt of about 1', venus.maximillion, from);
  const debt = { address: vBNB, abi: vBnbAbi, functionName: 'borrowBalanceStored', args: [user] } as const;
  expect(await chain.readContract(debt)).toBe(0n);
  await keys.enter('Close');
});

job('add BNB as collateral', async (from) => {
  const { vBNB } = venus.markets;
  const receipts = { address: vBNB, abi: vBnbAbi, functionName: 'balanceOf', args: [user] } as const;
  const before = await chain.readContract(receipts);
  await keys.enter('Add collateral for the loan in Venus');
  await keys.type('Amount', '0.25');
  await keys.enter('Add collateral');
  await endsWith('Add 0.25 BNB as collateral', vBNB, from);
  expect((await chain.readContract(receipts)) - before).toBeGreaterThan(before / 5n);
  await keys.enter('Close');
});

job('add collateral', async (from) => {
  await take('ETH', '1');
  const before = await deposited();
  await keys.enter('Add collateral for the loan in Venus');
  await keys.choose('BNB', 'ETH');
  await keys.type('Amount', '0.5');
  await keys.enter('Approve and add');
  await endsWith('Add 0.5 ETH as collateral', venus.markets.vETH, from);
  expect(await deposited()).toBeGreaterThan(before);
  await keys.enter('Close');
});

job('guard a loan', async (from) => {
  await toSection('Loans');
  await keys.enter('Set a guard for the loan in Venus');
  await keys.type('With up to', '5000');
  await keys.enter('Approve and set');
  await endsWith('Set the guard', contracts.loanGuard, from);
  expect(await guardOf(1n)).toMatchObject({ terms: { borrower: user, capPerRescue: parseEther('5000') } });
  expect(await allowed(contracts.loanGuard)).toBe(parseEther('5000'));
  await keys.enter('Close');
});

job('edit the guard', async (from) => {
  await keys.enter('Edit');
  await keys.type('Max per rescue', '2000');
  await keys.enter('Approve and replace');
  await endsWith('Cancel guard 1 permanently', contracts.loanGuard, from);
  expect(await guardOf(2n)).toMatchObject({ terms: { capPerRescue: parseEther('2000') }, state: { status: 1 } });
  expect(await guardOf(1n)).toMatchObject({ state: { status: 2 } });
});

job('cancel the guard', async (from) => {
  await keys.enter('Cancel permanently');
  await keys.enter('Cancel guard 2');
  await endsWith('Revoke its approval of 5,000 USDT', tokens.USDT, from);
  expect(await guardOf(2n)).toMatchObject({ state: { status: 2 } });
  expect(await allowed(contracts.loanGuard)).toBe(0n);
});

job('take back every approval', async (from) => {
  await keys.enter('Stop everything');
  await keys.enter(/^Revoke \d approvals?$/);
  await endsWith(/Revoke/, tokens.USDT, from);
  await page.getByText('Nothing is approved to this page’s contracts').waitFor();
  expect([await allowed(contracts.planRegistry), await allowed(contracts.loanGuard)]).toEqual([0n, 0n]);
  await keys.enter('Not now');
});

job('stop everything', async (from) => {
  const epoch = { address: contracts.revocations, abi: revocationsAbi, functionName: 'epochOf', args: [user] } as const;
  const before = await chain.readContract(epoch);
  await keys.enter('Stop everything');
  await page.getByRole('heading', { name: 'Stop everything' }).waitFor();
  await keys.enter('Stop everything');
  await endsWith(/^./, contracts.revocations, from);
  expect(await chain.readContract(epoch)).toBeGreaterThan(before);
  await keys.enter('Close');
});

job('close the loan out of its collateral', async (from) => {
  const guards = { address: contracts.collateralGuard as Hex, abi: collateralGuardAbi } as const;
  await toSection('Loans');
  await keys.enter('Close now for the loan in Venus');
  await keys.choose('from my wallet', 'by selling collateral');
  await keys.enter('Approve and close');
  await endsWith('Set the guard', guards.address, from);
  const { terms } = await chain.readContract({ ...guards, functionName: 'guard', args: [1n] });
  expect(terms).toMatchObject({ borrower: user, triggerHealthWad: parseEther('2'), targetHealthWad: 2n ** 64n - 1n });
  // The agent was stopped, but anybody may rescue. The guard's terms name the pool.
  const route = { firstFee: 0, firstToken: zeroAddress, secondFee: 0, secondToken: zeroAddress, thirdFee: 0 };
  await chain.send(anybody, guards.address, { ...guards, functionName: 'rescue', args: [1n, route] });
  expect(await owed()).toBe(0n);
  await page.getByRole('heading', { name: 'No loan to guard' }).first().waitFor();
});
