import { protocolAt } from '@bowline/core/domain/lending';
import { valuesAt } from '@bowline/core/domain/loan-prices';
import { WAD } from '@bowline/core/domain/units';
import { type Address, encodeAbiParameters, keccak256, pad, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lendingMarketAbi } from '../../../../abis/index.ts';
import { setGuard } from '../../../../agent/test/loans.ts';
import { tokens } from '../../../../lab/world/addresses.ts';
import { borrowInMoolah, moolahAbi, moolahMarketOf, moolahMarkets } from '../../../../lab/world/moolah.ts';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { treasurer } from '../../../../lab/world/replica.ts';
import { alice, approve, bob, carol, give } from '../../../../test/local/accounts.ts';
import { connectChain } from '../../chain-client.ts';
import { readMeans } from '../../guard-means.ts';
import { createGuardReader } from '../../guard-reader.ts';
import { readLoan, readMarkets, usedEntries } from '../../lending/loan.ts';
import { previewAt } from '../../lending/rescue-preview.ts';
import { type DeployedChain, startDeployedChain } from '../deployed-chain.ts';
import { startRpcProxy } from '../rpc-proxy.ts';

// The tests share one state: bob owes 28,000 USDT against ten ETH at 4,000 USD, weighted at 80 %, and keeps 20,000.

const market = moolahMarketOf('ETH');
const loanPart = market.id;
const collateralPart = pad(tokens.ETH);

let world: DeployedChain;
beforeAll(async () => {
  world = await startDeployedChain();
  const { chain } = world;
  const deposit = await give(chain, bob, 'ETH', '10');
  await chain.sendTogether(bob, borrowInMoolah(market, bob, deposit, parseEther('28000')));
  await setGuard(world, bob, { adapter: world.book.own.moolahMarket, market: market.id });
});
afterAll(() => world?.stop());

const client = () => connectChain(world.url);
const reader = () => createGuardReader(client(), world.book, alice);
const entry = () => {
  const found = world.book.lending.find(({ market: id }) => id === market.id);
  if (found === undefined) throw new Error('The registry lists no such market.');
  return found;
};

async function loanOf(borrower: Address, protocol = entry()) {
  const markets = await readMarkets(client(), protocol, borrower);
  const loan = await readLoan(client(), protocol, borrower, markets, world.book.own.chainlinkPriceSource);
  return { ...loan, markets, protocol, borrower };
}

describe('a loan in an isolated market', () => {
  it('is found among all that the registry lists, in one call', async () => {
    const { lending } = world.book;
    const isolated = lending.filter((each) => each.market !== undefined);
    expect(isolated).toHaveLength(moolahMarkets.length);
    const proxy = await startRpcProxy(world.url);
    try {
      const used = await usedEntries(connectChain(proxy.url), isolated, bob);
      expect(used.map(({ name }) => name)).toEqual(['Lista ETH/USDT']);
      expect(proxy.methods).toEqual(['eth_call']);
    } finally {
      await proxy.stop();
    }
    // Venus's accounts span markets: its entry is always read.
    expect((await usedEntries(client(), lending, carol)).map(({ name }) => name)).toEqual(['Venus']);
  });

  it('has the ids that follow from the parameters', () => {
    const types = ['address', 'address', 'address', 'address', 'uint256'].map((type) => ({ type }));
    for (const { id, params } of moolahMarkets) {
      expect(keccak256(encodeAbiParameters(types, Object.values(params)))).toBe(id);
    }
  });

  it('has debt and collateral apart, which make up what the adapter reads, to the unit', async () => {
    const loan = await loanOf(bob);
    expect(loan.markets).toMatchObject([
      { market: loanPart, token: tokens.USDT, supplied: 0n },
      { market: collateralPart, token: tokens.ETH, debt: 0n, supplied: parseEther('10') },
    ]);
    expect(Number(loan.healthWad) / 1e18).toBeCloseTo(32 / 28, 5);
    expect(loan.weightedUsdWad).toBe(parseEther('32000'));
    const call = { address: entry().adapter, abi: lendingMarketAbi, functionName: 'accrueAndRead' } as const;
    const { result } = await client().simulateContract({ ...call, args: [bob, market.id] });
    const [debt, collateral] = loan.parts ?? [];
    expect(collateral?.weightedAt(collateral.priceWad)).toBe(result.weightedCollateralValue);
    expect(debt?.debtAt(debt.priceWad)).toBe(loan.markets[0]?.debt);
    expect(debt?.weightedAt(debt.priceWad)).toBe(0n);
    expect(loan.minDebts).toEqual({ [market.id]: 15n * WAD + 2n });
    expect(Number(loan.chainlinkHealthWad) / 1e18).toBeCloseTo(32 / 28, 5);
  });

  it('is the weakest of a borrower’s, by its own name', async () => {
    const loan = await reader().loan(bob);
    expect(loan).toMatchObject({ borrower: bob, protocol: 'Lista ETH/USDT', forcedDebts: [] });
    expect(Number(loan.healthWad) / 1e18).toBeCloseTo(32 / 28, 5);
    expect(loan.parts?.map(({ token }) => token)).toEqual([tokens.USDT, tokens.ETH]);
    // Guards of other loans do not count.
    expect(await reader().guardsOf(bob, 9, loan.account)).toMatchObject({ total: 1 });
    const [venus] = world.book.lending;
    expect(await reader().guardsOf(bob, 9, venus)).toMatchObject({ total: 0 });
    expect(await reader().guardsOf(bob, 9, { ...venus, ...entry(), market: moolahMarketOf('BTCB').id })).toMatchObject({
      total: 0,
    });
  });

  it('is tried at other prices by the contracts themselves', async () => {
    const loan = await loanOf(bob);
    const [guard] = (await reader().guardsOf(bob, 1)).guards;
    if (guard === undefined) throw new Error('There is no guard.');
    const prices = [{ market: collateralPart, token: tokens.ETH, priceWad: parseEther('3700') }];
    const { account, rescues } = await previewAt(client(), world.book.own, loan, [guard], prices);
    expect(account.weightedUsdWad).toBe(valuesAt(loan, prices).weightedUsdWad);
    const [rescue] = rescues;
    expect(rescue?.isDone).toBe(true);
    if (rescue?.isDone) expect(Number(rescue.after.healthWad) / 1e18).toBeCloseTo(1.25, 6);
  });

  it('tells a pause', async () => {
    const { chain, book } = world;
    const [guard] = (await reader().guardsOf(bob, 1)).guards;
    if (guard === undefined) throw new Error('There is no guard.');
    const places = { loanGuard: book.own.loanGuard, lending: book.lending };
    expect(await readMeans(client(), places, guard)).toMatchObject({ isRepayPaused: false, marketToken: tokens.USDT });
    await pause(true);
    expect(await readMeans(client(), places, guard)).toMatchObject({ isRepayPaused: true });
    await pause(false);
    async function pause(isPaused: boolean) {
      await chain.send(alice, market.moolah, { abi: moolahAbi, functionName: 'setPaused', args: [isPaused] });
    }
  });

  it('is refused by name where a broker repays', async () => {
    const { chain } = world;
    const setBroker = (broker: Address) =>
      chain.send(alice, market.moolah, { abi: moolahAbi, functionName: 'setBroker', args: [market.id, broker] });
    await setBroker(alice);
    await expect(reader().loan(bob)).rejects.toMatchObject({
      code: 'market_unavailable',
      message: "Lista ETH/USDT cannot report this account's health now (market_brokered).",
    });
    await setBroker('0x0000000000000000000000000000000000000000');
  });

  it('is read by its id in a market that the registry does not list', async () => {
    const { chain, book } = world;
    const own = { ...market.params, lltv: parseEther('0.7') };
    const id = keccak256(
      encodeAbiParameters(
        ['address', 'address', 'address', 'address', 'uint256'].map((type) => ({ type })),
        Object.values(own),
      ),
    );
    for (const [functionName, args] of [
      ['enableLltv', [own.lltv]],
      ['createMarket', [own]],
    ] as const) {
      await chain.send(treasurer, market.moolah, { abi: moolahAbi, functionName, args } as never);
    }
    const lent = parseEther('1000');
    await approve(chain, treasurer, 'USDT', market.moolah, lent);
    await chain.send(treasurer, market.moolah, {
      ...{ abi: moolahAbi, functionName: 'supply', args: [own, lent, 0n, treasurer, '0x'] },
    } as never);
    const deposit = await give(chain, carol, 'ETH', '1');
    await chain.sendTogether(carol, borrowInMoolah({ ...market, id, params: own }, carol, deposit, lent));
    const protocol = protocolAt(book.lending, { adapter: entry().adapter, market: id });
    expect(protocol).toMatchObject({ name: `Lista ${id.slice(0, 10)}`, market: id });
    if (protocol === undefined) throw new Error('The protocol is not found.');
    const loan = await loanOf(carol, protocol);
    expect(Number(loan.healthWad) / 1e18).toBeCloseTo(2.8, 5);
    await setGuard(world, carol, { adapter: entry().adapter, market: id });
    const [guard] = (await reader().guardsOf(carol, 1)).guards;
    if (guard === undefined) throw new Error('There is no guard.');
    expect(await reader().healthOf(guard)).toMatchObject({ protocol: `Lista ${id.slice(0, 10)}` });
  });

  it('falls with the price of its collateral', async () => {
    await setPrice(world.chain, alice, 'ETH', 3_500_00000000n);
    expect(Number((await reader().loan(bob)).healthWad) / 1e18).toBeCloseTo(1, 5);
    await setPrice(world.chain, alice, 'ETH', 4_000_00000000n);
  });
});
