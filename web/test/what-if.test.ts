import type { Supposed } from '@bowline/chain/lending/reader';
import { previewAt } from '@bowline/chain/lending/rescue-preview';
import { readGuardRescues } from '@bowline/chain/records';
import { rescueCall } from '@bowline/chain/rescue-calls';
import { fundedDownTo } from '@bowline/core/domain/funded-prices';
import { coverageOf } from '@bowline/core/domain/guard-cover';
import { collateralsOf, perToken, priceAt, valuesAt } from '@bowline/core/domain/loan-prices';
import { type Address, createPublicClient, type Hex, http, maxUint128, pad, parseAbi, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { collateralGuardAbi, lendingMarketAbi } from '../../abis/index.ts';
import { borrow, introduce, setGuard, stranger, supply } from '../../agent/test/loans.ts';
import { borrowAndSpend, saleContracts, saleTerms, setSale } from '../../agent/test/sales.ts';
import { erc20Abi } from '../../lab/world/abis.ts';
import { feeds, tokens, venus } from '../../lab/world/addresses.ts';
import { setAnswer, setPrice } from '../../lab/world/oracle.ts';
import { priceUsd8 } from '../../lab/world/prices.ts';
import { type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { approve } from '../../test/local/accounts.ts';
import type { Settings } from '../app/api/settings.ts';
import { readGuarded, readGuardedById } from '../app/chain/read-guarded.ts';
import type { Guard } from '../app/chain/read-guards.ts';
import type { Loan } from '../app/chain/read-loan.ts';

// What the page says about a loan at other prices, compared with the protocol and LoanGuard at those prices. Real chain
// and contracts, no browser.

const { vBTC, vETH } = venus.markets;
const [mixed, single, keeper, seller, saved] = [0, 1, 2, 3, 4].map(stranger) as [
  ...[Address, Address, Address],
  ...[Address, Address],
];
/** Anvil's seventh account: its deposit pays for another's loan. The key is public. */
const saver = privateKeyToAccount('0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e');

let world: DeployedChain;
let settings: Settings;
let clean: Hex;

beforeAll(async () => {
  world = await startDeployedChain();
  const { chain, book } = world;
  for (const each of [mixed, single, keeper, seller, saved, venus.timelock]) await introduce(chain, each);
  // The collateral weight for liquidation differs from the one for borrowing.
  await chain.send(venus.timelock, venus.comptroller, {
    abi: parseAbi(['function setCollateralFactor(uint96 pool, address vToken, uint256 factor, uint256 threshold)']),
    ...{ functionName: 'setCollateralFactor', args: [0n, vETH, parseEther('0.75'), parseEther('0.8')] },
  });
  await borrow(chain, mixed, '42000', { BTCB: '0.3', ETH: '10' });
  await borrow(chain, single, '26000', { ETH: '10' });
  await setGuard(world, mixed, { priceSource: book.own.chainlinkPriceSource });
  await setGuard(world, single, { keeper, capPerRescue: parseEther('4000') });
  await borrowAndSpend(chain, seller, '26000');
  await setSale(world, seller);
  await borrowAndSpend(chain, saved, '26000');
  await guardBySavings();
  const { loanGuard, collateralGuard, chainlinkPriceSource: priceSource } = book.own;
  settings = {
    contracts: { loanGuard, ...(collateralGuard && { collateralGuard }), priceSource },
    ...{ lending: book.lending, assets: [] },
  } as unknown as Settings;
}, 180_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  clean = await world.chain.snapshot();
});
afterEach(() => world.chain.revert({ id: clean }));

/** A guard of one loan, funded from the saver's deposit with the saver's signed consent. */
async function guardBySavings(): Promise<void> {
  const { chain } = world;
  const { collateralGuard: address } = saleContracts(world);
  await supply(chain, saver.address, { ETH: '20' });
  await chain.send(saver.address, vETH, { abi: erc20Abi, functionName: 'approve', args: [address, maxUint128] });
  const { timestamp } = await chain.getBlock();
  const consent = {
    terms: saleTerms(world, saved, timestamp, { funder: saver.address }),
    ...{ nonce: 1n, deadline: timestamp + 3_600n, borrowerEpoch: 0n, funderEpoch: 0n },
  };
  const abi = collateralGuardAbi;
  const digest = await chain.readContract({ address, abi, functionName: 'digestOf', args: [consent] });
  const args = [consent, await saver.sign({ hash: digest })] as const;
  await chain.send(saved, address, { abi, functionName: 'registerFunded', args });
}

const client = () => createPublicClient({ transport: http(world.url), cacheTime: 0 });

async function read(account: Address): Promise<{ loan: Loan; guard: Guard; now: bigint }> {
  const { loans, guards, time } = await readGuarded(client(), settings, account, undefined);
  const [loan] = loans;
  const [guard] = guards.data?.guards ?? [];
  if (!loan?.data || !guard || time === undefined) throw loan?.error ?? guards.error;
  return { loan: loan.data, guard, now: time };
}

const marketOf = { BTCB: pad(vBTC), ETH: pad(vETH) } as const;
type Symbol = keyof typeof marketOf;
type Prices = Readonly<Partial<Record<Symbol, bigint>>>;

const supposed = (usd8: Prices): Supposed[] =>
  (Object.entries(usd8) as [Symbol, bigint][]).map(([symbol, price]) => ({
    ...{ market: marketOf[symbol], token: tokens[symbol], priceWad: price * 10n ** 10n },
  }));

/** Moves the prices for real, and asks the protocol and the guard what they do at those prices. */
async function truth(usd8: Prices, guard: Guard) {
  const { chain, book } = world;
  const before = await chain.snapshot();
  try {
    for (const [symbol, price] of Object.entries(usd8) as [Symbol, bigint][]) {
      await setPrice(chain, keeper, symbol, price);
    }
    const adapter = { address: book.own.venusMarket, abi: lendingMarketAbi } as const;
    const asked = { ...adapter, functionName: 'accrueAndRead', args: [guard.borrower, guard.market] } as const;
    const { debtValue, weightedCollateralValue } = (await chain.simulateContract(asked)).result;
    const sent = await chain.sendTogether(guard.keeper ?? keeper, [rescueCall(settings.contracts, guard)]);
    const isDone = sent.every(({ status }) => status === 'success');
    const after = isDone ? (await chain.simulateContract(asked)).result : undefined;
    const [record] = isDone ? await readGuardRescues(client(), settings.contracts, { ...guard, rescues: 1 }, 0) : [];
    return { debtValue, weightedCollateralValue, isDone, after, record };
  } finally {
    await chain.revert({ id: before });
  }
}

/** Hundredths of a percent, rounded up. */
const bps = (a: bigint, b: bigint): bigint => {
  const off = a > b ? a - b : b - a;
  return off === 0n ? 0n : (off * 10_000n) / (b === 0n ? 1n : b) + 1n;
};

async function compare(account: Address, usd8: Prices) {
  const { loan, guard } = await read(account);
  const prices = supposed(usd8);
  const at = `${account} ${JSON.stringify(usd8, (_, value) => String(value))}`;
  const { account: asked, rescues } = await previewAt(client(), settings.contracts, loan, [guard], prices);
  const own = valuesAt(loan, prices);
  const real = await truth(usd8, guard);
  for (const said of [asked, own]) {
    expect(bps(said.debtUsdWad, real.debtValue), at).toBeLessThanOrEqual(1n);
    expect(bps(said.weightedUsdWad, real.weightedCollateralValue), at).toBeLessThanOrEqual(1n);
  }
  const [rescue] = rescues;
  expect(rescue?.isDone, at).toBe(real.isDone);
  if (!rescue?.isDone || real.after === undefined) return real.isDone;
  expect(bps(rescue.repaid, real.record?.repaid ?? 0n), at).toBeLessThanOrEqual(1n);
  const health = (real.after.weightedCollateralValue * 10n ** 18n) / real.after.debtValue;
  expect(bps(rescue.after.healthWad ?? 0n, health), at).toBeLessThanOrEqual(1n);
  const held = await world.chain.readContract({
    ...{ address: tokens.USDT, abi: erc20Abi, functionName: 'balanceOf', args: [account] },
  });
  expect(rescue.left).toBe(guard.sale ? held : held - rescue.repaid);
  return true;
}

/** Numbers from 0 to 1, the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

/** A price between 40 % and 120 % of the one at the start. */
const moved = (symbol: Symbol, number: number): bigint =>
  (priceUsd8[symbol] * BigInt(Math.round(400_000 + number * 800_000))) / 1_000_000n;

test('WB-40: at two crashes the page says what the protocol and the guard do', async () => {
  expect(await compare(mixed, { ETH: 2_800_00000000n, BTCB: 90_000_00000000n })).toBe(true);
  expect(await compare(single, { ETH: 3_300_00000000n })).toBe(true);
  // A rise: nothing to rescue.
  expect(await compare(single, { ETH: 4_400_00000000n })).toBe(false);
}, 60_000);

test('WB-40: at 50 random crashes the page says what the protocol and the guard do, within 1 bps, for each funding', {
  tags: 'long',
  timeout: 600_000,
}, async () => {
  const random = numbers(18);
  const next = () => random.next().value as number;
  let [rescued, sold, paidBySavings] = [0, 0, 0];
  for (let crash = 0; crash < 50; crash++) {
    const usd8 = { ETH: moved('ETH', next()), BTCB: moved('BTCB', next()) };
    if (await compare(crash % 2 === 0 ? mixed : single, crash % 2 === 0 ? usd8 : { ETH: usd8.ETH })) rescued++;
    if (await compare(seller, { ETH: usd8.ETH })) sold++;
    if (await compare(saved, { ETH: usd8.ETH })) paidBySavings++;
  }
  for (const count of [sold, paidBySavings]) {
    expect(count).toBeGreaterThan(5);
    expect(count).toBeLessThan(50);
  }
  expect(rescued).toBeGreaterThan(10);
  expect(rescued).toBeLessThan(50);
});

test('WB-40: the guard’s own price source moves with the protocol’s prices', async () => {
  // Chainlink’s feed is already a quarter below Venus’s prices.
  await setAnswer(world.chain, keeper, feeds.ETH, 3_000_00000000n);
  const { loan, guard } = await read(mixed);
  const { contracts } = settings;
  const at = async (usd8: bigint) => {
    const { account, rescues } = await previewAt(client(), contracts, loan, [guard], supposed({ ETH: usd8 }));
    return [(account.healthWad ?? 0n) >= guard.triggerHealthWad, rescues[0]?.isDone];
  };
  expect(await at(3_900_00000000n)).toEqual([true, false]);
  expect(await at(3_400_00000000n)).toEqual([true, true]);
});

test('WB-40: a node that does not take the supposed prices is found out', async () => {
  const { loan, guard } = await read(single);
  const deaf = client().extend(() => ({}));
  const call = deaf.call.bind(deaf);
  // The node accepts code overrides, but no other state override.
  deaf.call = (asked) =>
    call({ ...asked, stateOverride: (asked.stateOverride ?? []).map(({ stateDiff: _, ...rest }) => rest) } as never);
  const prices = supposed({ ETH: 3_000_00000000n });
  const { contracts } = settings;
  expect((await previewAt(client(), contracts, loan, [guard], prices)).rescues).toHaveLength(1);
  await expect(previewAt(deaf, contracts, loan, [guard], prices)).rejects.toThrow(
    'did not apply the overridden prices',
  );
});

test('WB-40: the liquidation price, the trigger price and the price that a guard is funded down to are where they change', async () => {
  const { loan, guard, now } = await read(single);
  const [eth] = collateralsOf(loan) ?? [];
  if (eth === undefined) throw new Error('no collateral');
  const usd8 = (priceWad: bigint) => perToken(priceWad, eth.market) / 10n ** 10n;
  const around = async (priceWad: bigint | undefined) => {
    const price = usd8(priceWad ?? 0n);
    return [
      await truth({ ETH: (price * 9_998n) / 10_000n }, guard),
      await truth({ ETH: (price * 10_002n) / 10_000n }, guard),
    ];
  };
  const isSafe = ({ debtValue, weightedCollateralValue }: Awaited<ReturnType<typeof truth>>) =>
    weightedCollateralValue >= debtValue;
  const liquidated = await around(priceAt(loan, eth, parseEther('1')));
  expect(liquidated.map((each) => each && isSafe(each))).toEqual([false, true]);
  const triggered = await around(priceAt(loan, eth, guard.triggerHealthWad));
  expect(triggered.map((each) => each?.isDone)).toEqual([true, false]);
  const funded = fundedDownTo(guard, loan, eth, now);
  if (funded === undefined || funded === 'any') throw new Error(`funded down to ${funded}`);
  const records = (await around(funded.priceWad)).map((each) => each?.record?.outcome);
  expect(records).toEqual(['partial', 'full']);

  expect(funded.priceWad).toBeGreaterThan(priceAt(loan, eth, parseEther('1')) ?? 0n);
  // With more funds, a liquidation comes before the funds run out.
  const richer = { ...guard, capPerRescue: parseEther('20000') };
  expect(fundedDownTo(richer, loan, eth, now)).toEqual({ priceWad: priceAt(loan, eth, parseEther('1')) });
  expect(fundedDownTo(guard, loan, eth, guard.expiresAt)).toBeUndefined();
  // Too little even at the trigger price.
  expect(fundedDownTo({ ...guard, capPerRescue: parseEther('100') }, loan, eth, now)).toBeUndefined();

  // A smaller approval funds less far down; no approval funds nothing.
  await approve(world.chain, single, 'USDT', world.book.own.loanGuard, parseEther('3500'));
  const poorer = await read(single);
  const less = fundedDownTo(poorer.guard, poorer.loan, eth, now);
  if (less === undefined || less === 'any') throw new Error(`funded down to ${less}`);
  expect(less.priceWad).toBeGreaterThan(funded.priceWad);
  await approve(world.chain, single, 'USDT', world.book.own.loanGuard, 0n);
  const none = await read(single);
  expect(fundedDownTo(none.guard, none.loan, eth, now)).toBeUndefined();
}, 60_000);

test('a reading that asks what the last one asked takes one call, and tells the same', async () => {
  const asked: string[] = [];
  const counted = createPublicClient({
    transport: http(world.url, {
      onFetchRequest: async (request) => {
        asked.push(((await request.clone().json()) as { method: string }).method);
      },
    }),
    cacheTime: 0,
  });
  const first = await readGuarded(counted, settings, mixed, undefined);
  expect(asked.length).toBeGreaterThan(1);
  asked.length = 0;
  const second = await readGuarded(counted, settings, mixed, first);
  expect(asked).toEqual(['eth_call']);
  expect(second.guards.data?.guards).toEqual(first.guards.data?.guards);
  expect(second.loans[0]?.data?.healthWad).toBe(first.loans[0]?.data?.healthWad);
  // The same single call sees a change; what is new takes further calls.
  await approve(world.chain, mixed, 'USDT', world.book.own.loanGuard, 7n);
  await setGuard(world, mixed);
  await approve(world.chain, mixed, 'USDT', world.book.own.loanGuard, 7n);
  const third = await readGuarded(counted, settings, mixed, second);
  expect(third.guards.data?.guards.map(({ means }) => means?.allowance)).toEqual([7n, 7n]);
  asked.length = 0;
  await readGuarded(counted, settings, mixed, third);
  expect(asked).toEqual(['eth_call']);
}, 60_000);

test('a guard is read by its number alone, and through its adapter where its protocol is not known', async () => {
  const { loan, guard } = await read(mixed);
  const byId = await readGuardedById(client(), settings, guard.id, undefined);
  expect(byId.guard).toMatchObject({ id: guard.id, means: guard.means });
  expect(byId.loan?.healthWad).toBe(loan.healthWad);
  const unlisted = { ...settings, lending: [] } as unknown as Settings;
  const { guards, others } = await readGuarded(client(), unlisted, mixed, undefined);
  const [of] = others;
  expect(of).toMatchObject({ healthWad: loan.healthWad, borrower: guard.borrower, parts: undefined });
  expect(of?.markets).toMatchObject([{ market: guard.market, symbol: 'USDT' }]);
  const [unknown] = guards.data?.guards ?? [];
  if (unknown === undefined || of === undefined) throw guards.error;
  expect(coverageOf(unknown, of, byId.time)).toEqual({ state: 'unable', why: 'unknown' });
  await expect(readGuardedById(client(), settings, 99n, undefined)).rejects.toThrow('GuardUnknown');
});
