import type { Values } from '@bowline/core/domain/loan-health';
import { type Address, type Hex, pad, parseAbi, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { lendingMarketAbi } from '../../../../abis/index.ts';
import { borrow, introduce, stranger, supply } from '../../../../agent/test/loans.ts';
import { vaiControllerAbi, vBnbAbi, vTokenAbi } from '../../../../lab/world/abis.ts';
import { feeds, tokens, venus } from '../../../../lab/world/addresses.ts';
import { feedsOf, setAnswer, setPrice } from '../../../../lab/world/oracle.ts';
import { connectChain } from '../../chain-client.ts';
import type { Account, LendingLens } from '../../lending/lens.ts';
import { readAssets } from '../../lending/loan.ts';
import { createVenusLens } from '../../lending/venus-lens.ts';
import { type DeployedChain, startDeployedChain } from '../deployed-chain.ts';

const { vUSDT, vBTC, vETH, vBNB } = venus.markets;
const [plain, mixed, inPool, owesVai, owesBnb, poor] = [0, 1, 2, 3, 4, 5].map(stranger) as Six<Address>;
const everybody = [plain, mixed, inPool, owesVai, owesBnb, poor];
type Six<Of> = [Of, Of, Of, Of, Of, Of];

const poolsAbi = parseAbi([
  'function createPool(string label) returns (uint96)',
  'function addPoolMarkets(uint96[] pools, address[] vTokens)',
  'function setCollateralFactor(uint96 pool, address vToken, uint256 factor, uint256 threshold) returns (uint256)',
  'function setIsBorrowAllowed(uint96 pool, address vToken, bool allowed)',
  'function enterPool(uint96 pool)',
  'function setPoolActive(uint96 pool, bool isActive)',
]);

let world: DeployedChain;
let clean: Hex;
beforeAll(async () => {
  world = await startDeployedChain();
  const { chain } = world;
  for (const each of everybody) await introduce(chain, each);
  await borrow(chain, plain, '50000');
  await borrow(chain, mixed, '30000', { BTCB: '0.3', ETH: '11.7' });
  await borrow(chain, inPool, '60000');
  await supply(chain, owesVai, { ETH: '20' });
  await chain.send(owesVai, venus.vaiController, {
    abi: vaiControllerAbi,
    functionName: 'mintVAI',
    args: [parseEther('5000')],
  });
  await chain.send(owesVai, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther('777')] });
  await supply(chain, owesBnb);
  await chain.send(owesBnb, vBNB, { abi: vBnbAbi, functionName: 'borrow', args: [parseEther('31')] });
  await chain.send(owesBnb, vETH, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther('1.3')] });
  await enterPool(inPool);
  // Interest that no market has accrued yet.
  await chain.mine({ blocks: 1_000 });
}, 180_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  clean = await world.chain.snapshot();
});
afterEach(() => world.chain.revert({ id: clean }));

/** Values computed from the positions as last read. */
async function estimate(of: LendingLens, asked: readonly Account[]): Promise<readonly (Values | undefined)[]> {
  const rates = await of.rates(asked);
  return asked.map((account) => rates?.valued(account));
}

async function enterPool(member: Address) {
  const { chain } = world;
  const { comptroller, timelock } = venus;
  await introduce(chain, timelock);
  const send = (
    functionName: 'createPool' | 'addPoolMarkets' | 'setCollateralFactor' | 'setIsBorrowAllowed',
    args: unknown[],
  ) => chain.send(timelock, comptroller, { abi: poolsAbi, functionName, args } as never);
  await send('createPool', ['bowline']);
  await send('addPoolMarkets', [
    [1n, 1n],
    [vBTC, vUSDT],
  ]);
  await send('setCollateralFactor', [1n, vBTC, parseEther('0.9'), parseEther('0.93')]);
  await send('setIsBorrowAllowed', [1n, vUSDT, true]);
  await chain.send(member, comptroller, { abi: poolsAbi, functionName: 'enterPool', args: [1n] });
}

const lens = () => createVenusLens(connectChain(world.url), world.book.own.venusMarket);

/** What LoanGuard would read, and what the source adds, one account at a time. */
async function byAdapter({ borrower, market, priceSource }: Account) {
  const { chain, book } = world;
  const before = await chain.snapshot();
  const adapter = { address: book.own.venusMarket, abi: lendingMarketAbi } as const;
  const read = { ...adapter, functionName: 'accrueAndRead', args: [borrower, market] } as const;
  try {
    const { result } = await chain.simulateContract(read);
    const { debtValue, weightedCollateralValue } = result;
    if (priceSource === undefined) return { debtValue, weightedCollateralValue };
    // Interest accrues first, as in a rescue.
    await chain.send(plain, adapter.address, read);
    const args = [priceSource, borrower, market] as const;
    const weightedBySource = await chain.readContract({ ...adapter, functionName: 'weightedCollateralBy', args });
    return { debtValue, weightedCollateralValue, weightedBySource };
  } catch {
    return undefined;
  } finally {
    await chain.revert({ id: before });
  }
}

const accounts = (priceSource?: Address): Account[] =>
  [vUSDT, vETH, vBNB, venus.vaiController].flatMap((place) =>
    everybody.map((borrower) => ({ borrower, market: pad(place), ...(priceSource && { priceSource }) })),
  );

test('the values of every account are the adapter’s own, to the unit', async () => {
  const asked = accounts();
  const read = await lens().read(asked);
  expect(read).toHaveLength(asked.length);
  for (const [at, account] of asked.entries()) expect(read[at]).toEqual(await byAdapter(account));
  const [ofPlain, , ofPool, ofVai] = read;
  expect(ofPool?.weightedCollateralValue).toBeGreaterThan(parseEther('92900'));
  expect(ofPlain?.weightedCollateralValue).toBeLessThan(parseEther('80100'));
  expect(ofVai?.debtValue).toBeGreaterThan(parseEther('5700'));
});

test('so are those by a price source', async () => {
  await setAnswer(world.chain, plain, feeds.BTCB, 91_234n * 10n ** 8n);
  const asked = accounts(world.book.own.chainlinkPriceSource).filter(({ market }) => market === pad(vUSDT));
  const read = await lens().read(asked);
  for (const [at, account] of asked.entries()) {
    const expected = await byAdapter(account);
    // The adapter accrues interest one block later than the lens.
    expect(Number(read[at]?.weightedBySource)).toBeCloseTo(Number(expected?.weightedBySource), -12);
  }
  const [first] = read;
  expect(first?.weightedBySource).toBeLessThan(first?.weightedCollateralValue ?? 0n);
});

test('the parts of an account name its tokens, and add up to its values', async () => {
  const { book, url } = world;
  const [protocol] = book.lending;
  const partsOf = (borrower: Address, of: Pick<typeof protocol, 'name'> = protocol) =>
    readAssets(connectChain(url), { ...protocol, ...of }, borrower);
  const tokensOf = new Map<Address, (Address | undefined)[]>([
    [mixed, [tokens.BTCB, tokens.ETH, tokens.USDT]],
    [inPool, [tokens.BTCB, tokens.USDT]],
    [owesVai, [tokens.ETH, tokens.USDT, undefined]],
    [owesBnb, [tokens.BTCB, tokens.WBNB, tokens.ETH]],
  ]);
  for (const [borrower, expected] of tokensOf) {
    const parts = (await partsOf(borrower)) ?? [];
    expect(parts.map(({ token }) => token)).toEqual(expected);
    const values = await byAdapter({ borrower, market: pad(vUSDT) });
    const sum = (of: (part: (typeof parts)[number]) => bigint) => parts.reduce((total, part) => total + of(part), 0n);
    // The readings are a block or two of interest apart.
    expect(Number(sum(({ debtWad }) => debtWad)) / Number(values?.debtValue)).toBeCloseTo(1, 4);
    expect(Number(sum(({ weightedWad }) => weightedWad)) / Number(values?.weightedCollateralValue)).toBeCloseTo(1, 4);
  }
  expect(await partsOf(plain, { name: 'Acme' })).toBe(undefined);
  for (const feed of feedsOf('ETH')) await world.chain.setCode({ address: feed, bytecode: '0xfd' });
  expect(await partsOf(mixed)).toBe(undefined);
});

test('an account in a market without a price is for the adapter, and the others are not', async () => {
  const { chain } = world;
  for (const feed of feedsOf('ETH')) await chain.setCode({ address: feed, bytecode: '0xfd' });
  const asked = [plain, mixed, poor, inPool].map((borrower) => ({ borrower, market: pad(vUSDT) }));
  const read = await lens().read(asked);
  expect(read[1]).toBeUndefined();
  expect(await byAdapter(asked[1] as Account)).toBeUndefined();
  for (const at of [0, 2, 3]) expect(read[at]).toEqual(await byAdapter(asked[at] as Account));
  // A debt in that market has no value either.
  expect(await lens().read([{ borrower: plain, market: pad(vETH) }])).toEqual([undefined]);
});

test('a market that is none is for the adapter', async () => {
  expect(await lens().read([{ borrower: plain, market: pad(poor as Address) }])).toEqual([undefined]);
});

test('kept positions at new prices are what a new reading gives, but for interest', async () => {
  const { chain, book } = world;
  const asked = accounts(book.own.chainlinkPriceSource).filter(({ market }) => market !== pad(vBNB));
  const watching = lens();
  expect((await estimate(watching, asked)).every((each) => each === undefined)).toBe(true);
  await watching.read(asked);
  await setPrice(chain, plain, 'BTCB', 83_000n * 10n ** 8n);
  await setAnswer(chain, plain, feeds.BTCB, 80_000n * 10n ** 8n);
  await setPrice(chain, plain, 'ETH', 4_321n * 10n ** 8n);
  const estimates = await estimate(watching, asked);
  const read = await lens().read(asked);
  for (const [at, account] of asked.entries()) {
    for (const name of ['debtValue', 'weightedCollateralValue', 'weightedBySource'] as const) {
      const [estimate, exact] = [Number(estimates[at]?.[name]), Number(read[at]?.[name])];
      expect(Math.abs(estimate - exact), `${name} of ${account.borrower}`).toBeLessThanOrEqual(exact * 1e-6);
    }
  }
  // Without a price nothing is known.
  for (const feed of feedsOf('ETH')) await chain.setCode({ address: feed, bytecode: '0xfd' });
  const without = await estimate(watching, asked.slice(0, 2));
  expect(without.map((each) => each === undefined)).toEqual([false, true]);
});

test('a price that is missing for one reading takes no estimate away, and for two it does', async () => {
  const { chain } = world;
  const asked = [{ borrower: mixed, market: pad(vUSDT) }];
  const watching = lens();
  const before = await watching.read(asked);
  const codes = await Promise.all(feedsOf('ETH').map((address) => chain.getCode({ address })));
  const withoutPrice = async () => {
    for (const feed of feedsOf('ETH')) await chain.setCode({ address: feed, bytecode: '0xfd' });
    expect(await watching.read(asked)).toEqual([undefined]);
    for (const [at, address] of feedsOf('ETH').entries()) {
      await chain.setCode({ address, bytecode: codes[at] as Hex });
    }
  };
  await withoutPrice();
  const [estimated] = await estimate(watching, asked);
  expect(Number(estimated?.debtValue) / Number(before[0]?.debtValue)).toBeCloseTo(1, 6);
  expect(estimated?.weightedCollateralValue).toBe(before[0]?.weightedCollateralValue);
  await withoutPrice();
  expect(await estimate(watching, asked)).toEqual([undefined]);
});

test('interest that a market has noted since a position was read is in its debt', async () => {
  const { chain } = world;
  const asked = [{ borrower: plain, market: pad(vUSDT) }];
  const watching = lens();
  const debtBy = async (by: Promise<readonly (Values | undefined)[]>) => (await by)[0]?.debtValue ?? 0n;
  const before = await debtBy(watching.read(asked));
  await chain.mine({ blocks: 1_000 });
  const abi = parseAbi(['function accrueInterest() returns (uint256)']);
  await chain.send(plain, vUSDT, { abi, functionName: 'accrueInterest' });
  const interest = (await debtBy(lens().read(asked))) - before;
  expect(interest).toBeGreaterThan(10n ** 9n);
  const estimated = (await debtBy(estimate(watching, asked))) - before;
  expect(Number(estimated) / Number(interest)).toBeCloseTo(1, 2);
});

test('a stranger that leaves its pool, again and again, hides nobody who stays', async () => {
  const { chain } = world;
  const enter = (member: Address, pool: bigint) =>
    chain.send(member, venus.comptroller, { abi: poolsAbi, functionName: 'enterPool', args: [pool] });
  await enter(plain, 1n);
  for (const asked of [[plain, inPool] as const, [inPool, plain] as const]) {
    const accounts = asked.map((borrower) => ({ borrower, market: pad(vUSDT) }));
    const watching = lens();
    const read = await watching.read(accounts);
    await enter(inPool, 0n);
    const estimates = await estimate(watching, accounts);
    const at = asked.indexOf(plain);
    expect(read[at]?.weightedCollateralValue).toBeGreaterThan(parseEther('92900'));
    expect(estimates[at]?.weightedCollateralValue).toBe(read[at]?.weightedCollateralValue);
    await enter(inPool, 1n);
  }
});

test('thresholds of a pool that was changed or switched off show at once', async () => {
  const { chain } = world;
  const { timelock, comptroller, accessControl } = venus;
  const asked = [plain, inPool, owesBnb].map((borrower) => ({ borrower, market: pad(vUSDT) }));
  const watching = lens();
  await watching.read(asked);
  const collateralOf = async (by: 'read' | 'estimate') =>
    (await (by === 'read' ? lens().read(asked) : estimate(watching, asked))).map(
      (each) => each?.weightedCollateralValue,
    );
  const args = [1n, vBTC, parseEther('0.7'), parseEther('0.72')] as const;
  await chain.send(timelock, comptroller, { abi: poolsAbi, functionName: 'setCollateralFactor', args });
  const [, changed] = await collateralOf('estimate');
  expect(changed).toBeLessThan(parseEther('73000'));
  expect(await collateralOf('estimate')).toEqual(await collateralOf('read'));
  await chain.send(timelock, accessControl, {
    abi: parseAbi(['function giveCallPermission(address place, string signature, address account)']),
    functionName: 'giveCallPermission',
    args: [comptroller, 'setPoolActive(uint96,bool)', timelock],
  });
  await chain.send(timelock, comptroller, { abi: poolsAbi, functionName: 'setPoolActive', args: [1n, false] });
  const [, switchedOff] = await collateralOf('estimate');
  expect(switchedOff).toBeGreaterThan(parseEther('79000'));
  expect(await collateralOf('estimate')).toEqual(await collateralOf('read'));
});

test('a call with too little gas answers the accounts that it reached', async () => {
  const asked = Array.from({ length: 1_500 }, (_, at) => ({
    borrower: everybody[at % 5] as Address,
    market: pad(vUSDT),
  }));
  const read = await lens().read(asked);
  expect(read.length).toBeGreaterThan(400);
  expect(read.length).toBeLessThan(1_500);
  expect(read.every((each) => each !== undefined)).toBe(true);
});
