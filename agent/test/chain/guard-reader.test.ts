import type { GuardReader, RescueReader } from '@bowline/core/domain/ports';
import { WAD } from '@bowline/core/domain/units';
import { type Address, pad, parseAbi, parseEther, toFunctionSelector, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loanGuardAbi } from '../../../abis/index.ts';
import { comptrollerAbi, vTokenAbi } from '../../../script/local/abis.ts';
import { tokens, venus } from '../../../script/local/addresses.ts';
import { feedsOf, setPrice } from '../../../script/local/oracle.ts';
import { alice, approve, bob, carol, debt, give } from '../../../test/local/accounts.ts';
import { connectChain } from '../../src/chain/chain-client.ts';
import { createGuardReader } from '../../src/chain/guard-reader.ts';
import { type DeployedChain, startDeployedChain } from './deployed-chain.ts';
import { startRpcProxy } from './rpc-proxy.ts';

const { vBTC, vUSDT } = venus.markets;

let deployed: DeployedChain;
let reader: GuardReader & RescueReader;
beforeAll(async () => {
  deployed = await startDeployedChain();
  const { url, book } = deployed;
  reader = createGuardReader(connectChain(url), { ...book.own, vUsdt: book.venus.vUsdt }, alice);
});
afterAll(() => deployed?.stop());

/** Owes 50,000 USDT against one BTCB, of whose 100,000 USD 80 % count: health 1.6. Keeps 20,000 for rescues. */
async function borrow(borrower: Address): Promise<void> {
  const { chain, book } = deployed;
  const amount = await give(chain, borrower, 'BTCB', '1');
  await approve(chain, borrower, 'BTCB', vBTC, amount);
  await chain.send(borrower, vBTC, { abi: vTokenAbi, functionName: 'mint', args: [amount] });
  await chain.send(borrower, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vBTC]] });
  await chain.send(borrower, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther('50000')] });
  await give(chain, borrower, 'USDT', '20000');
  await approve(chain, borrower, 'USDT', book.own.loanGuard, parseEther('20000'));
}

async function register(borrower: Address, changes: object = {}): Promise<void> {
  const { chain, book } = deployed;
  const { timestamp } = await chain.getBlock();
  const terms = {
    borrower,
    funder: borrower,
    adapter: book.own.venusMarket,
    market: pad(vUSDT),
    keeper: zeroAddress,
    priceSource: zeroAddress,
    triggerHealthWad: (WAD * 110n) / 100n,
    targetHealthWad: (WAD * 125n) / 100n,
    capPerRescue: parseEther('20000'),
    capPerDay: parseEther('20000'),
    minRepay: parseEther('1'),
    cooldownSeconds: 600,
    expiresAt: Number(timestamp) + 86_400,
    ...changes,
  };
  await chain.send(borrower, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'register', args: [terms] });
}

// One story: the tests stand on each other's state, in this order.
describe('a guarded loan', () => {
  beforeAll(async () => {
    await borrow(bob);
    await register(bob, { keeper: alice });
    await register(bob, { keeper: carol, minRepay: parseEther('2') });
  });

  it('has the guards as the contract has them', async () => {
    const { chain, book } = deployed;
    const { block, guards } = await reader.guards();
    expect(block.number).toBe((await chain.getBlock()).number);
    expect(guards).toHaveLength(2);
    expect(guards[0]).toEqual({
      id: 1n,
      borrower: bob,
      funder: bob,
      adapter: book.own.venusMarket,
      market: pad(vUSDT).toLowerCase(),
      keeper: alice,
      repayToken: book.assets.find(({ symbol }) => symbol === 'USDT')?.address,
      triggerHealthWad: (WAD * 110n) / 100n,
      targetHealthWad: (WAD * 125n) / 100n,
      capPerRescue: parseEther('20000'),
      capPerDay: parseEther('20000'),
      minRepay: parseEther('1'),
      cooldownSeconds: 600n,
      expiresAt: expect.any(BigInt),
      status: 'active',
      lastRescueAt: 0n,
      day: 0n,
      takenInDay: 0n,
      rescues: 0,
    });
    expect(guards[1]).toMatchObject({ id: 2n, keeper: carol, minRepay: parseEther('2') });
  });

  it('is healthy, by the protocol’s own numbers', async () => {
    const { chain } = deployed;
    const loan = await reader.health(bob);
    expect(loan).toMatchObject({ borrower: bob, block: { number: (await chain.getBlock()).number } });
    expect(Number(loan.healthWad) / 1e18).toBeCloseTo(1.6, 6);
    expect(loan.debtUsdWad).toBeGreaterThanOrEqual(await debt(chain, vUSDT, bob));
    const call = { address: venus.comptroller, abi: comptrollerAbi, functionName: 'getAccountLiquidity' } as const;
    const [, liquidity] = await chain.readContract({ ...call, args: [bob] });
    const fromVenus = loan.weightedCollateralUsdWad - loan.debtUsdWad;
    expect(Number(liquidity - fromVenus) / 1e18).toBeCloseTo(0, 3);
    expect(await reader.preview(1n)).toEqual({ guardId: 1n, due: false, error: 'health_not_below_trigger' });
    expect(await reader.preview(2n)).toEqual({ guardId: 2n, due: false, error: 'not_keeper' });
  });

  it('LG-25: can be liquidated at any health where the protocol forces it', async () => {
    const { chain } = deployed;
    expect((await reader.health(bob)).forcedDebts).toEqual([]);
    const permitAbi = parseAbi(['function giveCallPermission(address target, string signature, address account)']);
    const abi = parseAbi(['function _setForcedLiquidationForUser(address borrower, address vToken, bool enable)']);
    await chain.impersonateAccount({ address: venus.timelock });
    await chain.send(venus.timelock, venus.accessControl, {
      abi: permitAbi,
      functionName: 'giveCallPermission',
      args: [venus.comptroller, '_setForcedLiquidationForUser(address,address,bool)', venus.timelock],
    });
    const force = (enable: boolean) =>
      chain.send(venus.timelock, venus.comptroller, {
        abi,
        functionName: '_setForcedLiquidationForUser',
        args: [bob, vUSDT, enable],
      });
    await force(true);
    expect((await reader.health(bob)).forcedDebts).toEqual([tokens.USDT]);
    await force(false);
  });

  it('LG-25: has a health also while the protocol does not say whether it forces liquidation', async () => {
    const { url, book } = deployed;
    const proxy = await startRpcProxy(url);
    const asked = toFunctionSelector('forcedMarkets(address)').slice(2);
    proxy.fate = (_, body) => (body.includes(asked) ? 'called_known' : 'answered');
    try {
      const contracts = { ...book.own, vUsdt: book.venus.vUsdt };
      const loan = await createGuardReader(connectChain(proxy.url), contracts, alice).health(bob);
      expect(Number(loan.healthWad) / 1e18).toBeCloseTo(1.6, 6);
      expect('forcedDebts' in loan).toBe(false);
    } finally {
      await proxy.stop();
    }
  });

  it('is due when its health has fallen, by as much as the rescue then takes', async () => {
    const { chain, book } = deployed;
    await setPrice(chain, alice, 'BTCB', 65_000_00000000n);
    expect(Number((await reader.health(bob)).healthWad) / 1e18).toBeCloseTo(1.04, 6);
    const preview = await reader.preview(1n);
    // From 50,000 to 52,000 / 1.25.
    expect(preview).toMatchObject({ guardId: 1n, due: true });
    const repay = preview.due ? preview.repay : 0n;
    expect(Number(repay) / 1e18).toBeCloseTo(8_400, 1);

    expect(await reader.rescues(1n, 0, 9)).toEqual([]);
    await chain.send(alice, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [1n] });
    const { timestamp } = await chain.getBlock();
    const [rescue, ...more] = await reader.rescues(1n, 0, 9);
    expect(more).toEqual([]);
    expect(rescue).toMatchObject({ outcome: 'full', time: timestamp });
    // A second's interest lies between the preview and the rescue.
    expect(Number((rescue?.repaid ?? 0n) - repay) / 1e18).toBeCloseTo(0, 1);
    expect(Number(rescue?.healthBeforeWad) / 1e18).toBeCloseTo(1.04, 6);
    expect(Number(rescue?.healthAfterWad) / 1e18).toBeCloseTo(1.25, 9);
    expect((await reader.guards()).guards[0]).toMatchObject({
      rescues: 1,
      takenInDay: rescue?.repaid,
      lastRescueAt: timestamp,
      day: timestamp / 86_400n,
    });
    expect(await reader.preview(1n)).toEqual({ guardId: 1n, due: false, error: 'cooling_down' });
  });

  it('has no health while the protocol cannot price it, and says so', async () => {
    const { chain } = deployed;
    const id = await chain.snapshot();
    for (const address of feedsOf('BTCB')) await chain.setCode({ address, bytecode: '0x5f5ffd' });
    await expect(reader.health(bob)).rejects.toMatchObject({
      code: 'market_unavailable',
      message: "Venus cannot report this account's health now (price_unavailable).",
    });
    await chain.revert({ id });
  });

  it('is cancelled when its owner says so', async () => {
    const { chain, book } = deployed;
    await chain.send(bob, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'cancel', args: [2n] });
    expect(await reader.guard(2n)).toMatchObject({ status: 'cancelled' });
    expect(await reader.preview(2n)).toMatchObject({ due: false, error: 'guard_not_active' });
  });
});

it('reads all guards, beyond one page', async () => {
  const { chain } = deployed;
  const id = await chain.snapshot();
  const { guards: before } = await reader.guards();
  for (let more = 0; more < 50; more++) await register(carol);
  const { guards } = await reader.guards();
  expect(guards.slice(0, before.length)).toEqual(before);
  // Anyone may rescue.
  expect(guards.slice(before.length).every((guard) => !('keeper' in guard))).toBe(true);
  expect(guards.map((guard) => guard.id)).toEqual(
    Array.from({ length: before.length + 50 }, (_, at) => BigInt(at + 1)),
  );
  await chain.revert({ id });
});

it('finds no health where there is no debt', async () => {
  const loan = await reader.health(carol);
  expect(loan).toMatchObject({ debtUsdWad: 0n, weightedCollateralUsdWad: 0n });
  expect('healthWad' in loan).toBe(false);
});

it('knows no guard that does not exist', async () => {
  const unknown = { code: 'unknown_guard', message: 'There is no guard 99.' };
  await expect(reader.preview(99n)).rejects.toMatchObject(unknown);
  await expect(reader.rescues(99n, 0, 1)).rejects.toMatchObject(unknown);
});

it('says chain_unavailable when no node answers', async () => {
  const { book } = deployed;
  const contracts = { ...book.own, vUsdt: book.venus.vUsdt };
  const nobody = createGuardReader(connectChain('http://127.0.0.1:9'), contracts, alice);
  const unavailable = { code: 'chain_unavailable', retryable: true };
  await expect(nobody.guards()).rejects.toMatchObject(unavailable);
  await expect(nobody.health(bob)).rejects.toMatchObject(unavailable);
  await expect(nobody.preview(1n)).rejects.toMatchObject(unavailable);
  await expect(nobody.rescues(1n, 0, 1)).rejects.toMatchObject(unavailable);
});
