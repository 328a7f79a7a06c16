import { readPaymentPlace } from '@bowline/chain/lending/own-payments';
import { guardContractAt } from '@bowline/core/domain/guard-key';
import { sameAddress } from '@bowline/core/domain/same-address';
import { createPublicClient, type Hex, http, pad, parseEther } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { setGuard } from '../../agent/test/loans.ts';
import { guardedChain, guarding } from '../../agent/test/loops/loan-guard/guarded.ts';
import { loanGuardDeps } from '../../agent/test/loops/world.ts';
import { borrowAndSpend, salesOf, setSale } from '../../agent/test/sales.ts';
import { vaiControllerAbi } from '../../lab/world/abis.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import type { DeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { bob, carol, debt, give } from '../../test/local/accounts.ts';
import type { Settings } from '../app/api/settings.ts';
import { type Loan, type LoanMarket, readLoan } from '../app/chain/read-loan.ts';
import { payableMarkets } from '../app/guard/payment.ts';
import { closingSale, closingSummary, readSaleForm, whyNotClosing } from '../app/guard/sale-form.ts';
import { nextRescueCall, saleSteps } from '../app/guard/sale-steps.ts';
import { readDeposit } from '../app/guard/use-deposit.ts';
import { tryCalls } from '../app/guard/use-tried.ts';

// What "Close now" signs with the real Venus, and what an agent then does. No browser.

const { vUSDT, vETH } = venus.markets;
const lent = '28500';

let settings: Settings;
const guarded = guardedChain(async ({ chain, book }) => {
  await borrowAndSpend(chain, bob, lent);
  const { loanGuard, collateralGuard, chainlinkPriceSource: priceSource } = book.own;
  const { lending } = book;
  settings = { contracts: { loanGuard, collateralGuard, priceSource }, lending, assets: [] } as unknown as Settings;
});
let world: DeployedChain;
beforeAll(() => {
  world = guarded.world();
});

const client = () => createPublicClient({ transport: http(world.url), cacheTime: 0 });
const venusOf = () => settings.lending.find(({ name }) => name === 'Venus') as Settings['lending'][number];
const read = () => readLoan(client(), settings, venusOf(), bob);
const at = (loan: Loan, market: Hex) => loan.markets.find((each) => sameAddress(each.market, pad(market)));

/** What the page would ask to sign, and what it says about it. */
async function closing(costPercent?: string, meanwhile = async () => {}) {
  const loan = await read();
  const markets = { debt: at(loan, vUSDT) as LoanMarket, collateral: at(loan, vETH) as LoanMarket };
  const { timestamp: now } = await world.chain.getBlock();
  const { draft, errors } = readSaleForm(closingSale(loan, markets, costPercent), markets, loan, [], now);
  if (draft === undefined) return { loan, errors, steps: undefined, now };
  const adapter = venusOf().collateralAdapter as Hex;
  const spender = guardContractAt(settings.contracts, 'collateral-0');
  const deposit = await readDeposit(client(), adapter, bob, markets.collateral.market, spender);
  const steps = saleSteps(draft, { borrower: bob, adapter, contracts: settings.contracts, deposit, now });
  const rescue = await nextRescueCall(client(), settings.contracts);
  await meanwhile();
  const tried = await tryCalls(client(), bob, steps, rescue);
  return { loan, errors, steps, tried, draft, now, says: closingSummary(draft, loan, false, now) };
}

const sign = async ({ steps }: Awaited<ReturnType<typeof closing>>) => {
  if (steps === undefined) throw new Error('Nothing to sign.');
  await world.chain.sendTogether(bob, steps);
};

for (const health of ['danger', 'calm'] as const) {
  test(`WB-312: two signatures close a loan in ${health}: an agent repays all of it from the collateral`, async () => {
    if (health === 'danger') await setPrice(world.chain, carol, 'ETH', 3_650n * 10n ** 8n);
    const drafted = await closing();
    expect(drafted.steps).toHaveLength(2);
    const owed = await debt(world.chain, vUSDT, bob);
    expect(drafted.tried?.refused).toBeUndefined();
    expect(drafted.tried?.repaid).toBeGreaterThanOrEqual(owed);
    await sign(drafted);
    expect(await guarding(loanGuardDeps(world))()).toMatchObject({ counts: { due: 1, rescued: 1 } });
    expect(await debt(world.chain, vUSDT, bob)).toBe(0n);
    const [done] = await salesOf(world, 1n);
    // Sells no more of the deposit than was approved, and about the announced amount at the pool's 4,000 USD.
    expect(done?.sold).toBeLessThanOrEqual(drafted.draft?.sellAtMost ?? 0n);
    expect(Number(done?.sold) / 1e18).toBeCloseTo(28_500 / 4_000, 1);
    const after = await read();
    expect(after.healthWad).toBeUndefined();
    expect(at(after, vETH)?.supplied).toBeGreaterThan(parseEther('2'));
    // Nothing is left to do for this guard.
    expect(await guarding(loanGuardDeps(world))()).toMatchObject({ counts: { due: 0 } });
  });
}

test('WB-312: its terms hold for an hour, at any health that is served, and cost no more than is said', async () => {
  const { draft, now, says } = await closing();
  expect(draft).toMatchObject({ triggerHealthWad: parseEther('2'), maxCostBps: 200, expiresAt: now + 3_600n });
  expect(says?.join(' ')).toMatch(/sells about 7\.1\d* ETH .* whole debt of 28,500(\.\d+)? USDT/);
  expect(says?.join(' ')).toMatch(/at most 2 % of what it repays, 570(\.\d+)? USDT/);
  // An hour later the terms have expired.
  await sign(await closing());
  await world.chain.increaseTime({ seconds: 3_601 });
  await world.chain.mine({ blocks: 1 });
  expect(await guarding(loanGuardDeps(world))()).toMatchObject({ counts: { due: 0 } });
  expect(await debt(world.chain, vUSDT, bob)).toBeGreaterThanOrEqual(parseEther(lent));
});

test('WB-312: a guard that pays from the wallet forbids a sale above its trigger, but not that the loan is closed', async () => {
  await setGuard(world, bob);
  const { guards } = await loanGuardDeps(world).reader.guards();
  const loan = await read();
  const markets = { debt: at(loan, vUSDT) as LoanMarket, collateral: at(loan, vETH) as LoanMarket };
  const { timestamp: now } = await world.chain.getBlock();
  const form = closingSale(loan, markets);
  expect(readSaleForm(form, markets, loan, guards, now).errors.trigger).toBeUndefined();
  expect(readSaleForm({ ...form, goal: 'unwind' }, markets, loan, guards, now).errors.trigger).toMatch(/must be below/);
});

test('WB-312: what cannot be closed so is refused in words before anything is signed', async () => {
  const loan = await read();
  const sellable = [at(loan, vETH) as LoanMarket];
  expect(whyNotClosing(loan, sellable)).toBeUndefined();
  expect(whyNotClosing({ ...loan, healthWad: parseEther('2') }, sellable)).toMatch(/only below a health of 2\.00/);
  expect(whyNotClosing(loan, [])).toMatch(/cannot sell this loan’s collateral in Venus/);
  const small = {
    debt: { ...(at(loan, vUSDT) as LoanMarket), debt: parseEther('4.99') },
    collateral: sellable[0] as LoanMarket,
  };
  expect(readSaleForm(closingSale(loan, small), small, loan, [], 0n).errors.capPerRescue).toMatch(
    /no rescue below \$5/,
  );
  // The deposit does not cover the debt.
  await setPrice(world.chain, carol, 'ETH', 2_800n * 10n ** 8n);
  expect((await closing()).errors.sellAtMost).toBe('Your ETH does not pay for the whole debt at this cost.');
});

test('WB-312: what the pool or the prices refuse is found by the trial of the rescue', async () => {
  // With the pool a third below the oracle's price, nothing sells within two percent.
  await setPrice(world.chain, carol, 'ETH', 6_000n * 10n ** 8n);
  const { tried, draft } = await closing();
  expect(draft).toBeDefined();
  expect(tried?.refused?.words).toBeTruthy();
});

test('WB-312: a guard that another account registers meanwhile is never tried in place of one’s own', async () => {
  await expect(closing(undefined, () => setSale(world, carol))).rejects.toThrow(
    'Another guard was registered meanwhile.',
  );
  expect((await closing()).tried?.refused).toBeUndefined();
});

test('WB-310: a debt of VAI counts in the loan’s health, and is repaid in Venus, not here', async () => {
  await give(world.chain, bob, 'ETH', '1');
  const before = await read();
  const { vaiController } = venus;
  await world.chain.send(bob, vaiController, {
    abi: vaiControllerAbi,
    functionName: 'mintVAI',
    args: [parseEther('100')],
  });
  const loan = await read();
  const vai = at(loan, vaiController);
  expect(vai).toMatchObject({ symbol: 'VAI', token: tokens.VAI });
  expect(loan.debtUsdWad - before.debtUsdWad).toBeGreaterThanOrEqual(parseEther('100'));
  expect(loan.healthWad).toBeLessThan(before.healthWad ?? 0n);
  // It is never the debt that the form proposes first.
  expect(payableMarkets(loan, 'repay').map(({ symbol }) => symbol)).toEqual(['USDT', 'VAI']);
  const place = await readPaymentPlace(client(), loan.protocol, {
    borrower: bob,
    market: pad(vaiController),
    kind: 'repay',
  });
  expect(place.refusal).toBe('market_not_listed');
});
