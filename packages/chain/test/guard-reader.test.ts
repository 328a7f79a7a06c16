import type { Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { type Address, type Hex, pad, parseAbi, parseEther, toFunctionSelector, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loanGuardAbi, revocationsAbi } from '../../../abis/index.ts';
import { rescuesOf } from '../../../agent/test/loans.ts';
import { comptrollerAbi, erc20Abi, vTokenAbi } from '../../../lab/world/abis.ts';
import { feeds, tokens, venus } from '../../../lab/world/addresses.ts';
import { feedsOf, setAnswer, setPrice } from '../../../lab/world/oracle.ts';
import { alice, approve, bob, carol, debt, give } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { createGuardFunds } from '../guard-funds.ts';
import { createGuardReader } from '../guard-reader.ts';
import type { GuardReader } from '../readers.ts';
import { type DeployedChain, startDeployedChain } from './deployed-chain.ts';
import { startRpcProxy } from './rpc-proxy.ts';

const { vBTC, vUSDT } = venus.markets;

let deployed: DeployedChain;
let reader: GuardReader;
beforeAll(async () => {
  deployed = await startDeployedChain();
  const { url, book } = deployed;
  reader = createGuardReader(connectChain(url), book, alice);
});
afterAll(() => deployed?.stop());

/** Anvil's fifth account. */
const dave: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const unlisted: Address = '0x00000000000000000000000000000000000005ec';

/** Code that runs `answer` for calls of one function, and the adapter's own code for all others. */
function adapterBut(adapter: Address, signature: string, answer: string): Hex {
  const selector = toFunctionSelector(signature).slice(2);
  const pass = `365f5f375f5f365f73${adapter.slice(2)}5af43d5f5f3e3d5ff3`;
  const at = (15 + answer.length / 2).toString(16).padStart(2, '0');
  return `0x5f3560e01c63${selector}141560${at}57${answer}5b${pass}` as Hex;
}

/** Borrows 50,000 USDT against one BTCB of 100,000 USD, weighted at 80 %: health 1.6. Keeps 20,000 for rescues. */
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

// The tests build on each other's state, in this order.
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
    const loan = await reader.loan(bob);
    expect(loan).toMatchObject({ borrower: bob, block: { number: (await chain.getBlock()).number } });
    expect(Number(loan.healthWad) / 1e18).toBeCloseTo(1.6, 6);
    expect(loan.debtUsdWad).toBeGreaterThanOrEqual(await debt(chain, vUSDT, bob));
    const call = { address: venus.comptroller, abi: comptrollerAbi, functionName: 'getAccountLiquidity' } as const;
    const [, liquidity] = await chain.readContract({ ...call, args: [bob] });
    const fromVenus = loan.weightedCollateralUsdWad - loan.debtUsdWad;
    expect(Number(liquidity - fromVenus) / 1e18).toBeCloseTo(0, 3);
    expect(await reader.preview(1n)).toEqual({ error: 'health_not_below_trigger' });
    expect(await reader.preview(2n)).toEqual({ error: 'not_keeper' });
  });

  it('LG-25: can be liquidated at any health where the protocol forces it', async () => {
    const { chain } = deployed;
    expect((await reader.loan(bob)).forcedDebts).toEqual([]);
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
    expect((await reader.loan(bob)).forcedDebts).toEqual([tokens.USDT]);
    await force(false);
  });

  it('LG-25: has a health also while the protocol does not say whether it forces liquidation', async () => {
    const { url, book } = deployed;
    const proxy = await startRpcProxy(url);
    const asked = toFunctionSelector('forcedMarkets(address)').slice(2);
    proxy.fate = (_, body) => (body.includes(asked) ? 'called_known' : 'answered');
    try {
      const loan = await createGuardReader(connectChain(proxy.url), book, alice).loan(bob);
      expect(Number(loan.healthWad) / 1e18).toBeCloseTo(1.6, 6);
      expect('forcedDebts' in loan).toBe(false);
    } finally {
      await proxy.stop();
    }
  });

  it('of an adapter that is not listed is read through that adapter, and named by its address', async () => {
    const { chain, book } = deployed;
    const code = adapterBut(book.own.venusMarket, 'numeraire(bytes32)', '5f5ffd');
    await chain.setCode({ address: unlisted, bytecode: code });
    const guard = await reader.guard(1n);
    const { healthWad } = await reader.loan(bob);
    expect(await reader.healthOf(guard)).toMatchObject({
      borrower: bob,
      protocol: 'Venus',
      healthWad,
      forcedDebts: [],
    });
    const other = await reader.healthOf({ ...guard, adapter: unlisted });
    expect(other).toMatchObject({ borrower: bob, protocol: '0x0000…05ec', healthWad, forcedDebts: [] });
    // Health has no unit, but values do, and nothing says that this adapter's are dollars.
    expect('debtUsdWad' in other).toBe(false);
    const silent = adapterBut(book.own.venusMarket, 'accrueAndRead(address,bytes32)', '5f5ffd');
    await chain.setCode({ address: unlisted, bytecode: silent });
    await expect(reader.healthOf({ ...guard, adapter: unlisted })).rejects.toMatchObject({
      code: 'market_unavailable',
      message: "0x0000…05ec cannot report this account's health now (unknown_error).",
    });
  });

  it('is the weakest of several protocols, and none of one that does not count in US dollars', async () => {
    const { url, chain, book } = deployed;
    const [first] = book.lending;
    const second = { ...first, name: 'Acme', adapter: unlisted };
    const both = createGuardReader(connectChain(url), { ...book, lending: [first, second] }, alice);
    const answers = async (signature: string, answer: string) => {
      const bytecode = adapterBut(book.own.venusMarket, signature, answer);
      await chain.setCode({ address: unlisted, bytecode });
    };
    // A debt of 10 and a weighted collateral of 9; then of 99.
    await answers('accrueAndRead(address,bytes32)', '600a60205260096040525f60605260e05ff3');
    expect(await both.loan(bob)).toMatchObject({ protocol: 'Acme', debtUsdWad: 10n, healthWad: (WAD * 9n) / 10n });
    await answers('accrueAndRead(address,bytes32)', '600a60205260636040525f60605260e05ff3');
    expect(await both.loan(bob)).toMatchObject({ protocol: 'Venus' });
    expect(await both.loan(carol)).toMatchObject({ protocol: 'Acme' });
    // One debt that can be liquidated at any health.
    await answers('forcedMarkets(address)', `60205f52600160205273${vUSDT.slice(2)}60405260605ff3`);
    expect(await both.loan(bob)).toMatchObject({ protocol: 'Acme', forcedDebts: [tokens.USDT] });
    await answers('numeraire(bytes32)', '60015f5260205ff3');
    await expect(both.loan(bob)).rejects.toMatchObject({
      code: 'market_unavailable',
      message: 'Acme does not value loans in US dollars.',
    });
  });

  it('is due when its health has fallen, by as much as the rescue then takes', async () => {
    const { chain, book } = deployed;
    await setPrice(chain, alice, 'BTCB', 65_000_00000000n);
    expect(Number((await reader.loan(bob)).healthWad) / 1e18).toBeCloseTo(1.04, 6);
    const preview = await reader.preview(1n);
    // Lowers the debt from 50,000 to 52,000 / 1.25.
    const repay = 'repay' in preview ? preview.repay : 0n;
    expect(Number(repay) / 1e18).toBeCloseTo(8_400, 1);

    await chain.send(alice, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [1n] });
    const { timestamp } = await chain.getBlock();
    const [rescue, ...more] = await rescuesOf(deployed, 1n);
    expect(more).toEqual([]);
    expect(rescue).toMatchObject({ outcome: 1, time: Number(timestamp) });
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
    expect(await reader.preview(1n)).toEqual({ error: 'cooling_down' });
  });

  it('has no health while the protocol cannot price it, and says so', async () => {
    const { chain } = deployed;
    const id = await chain.snapshot();
    for (const address of feedsOf('BTCB')) await chain.setCode({ address, bytecode: '0x5f5ffd' });
    await expect(reader.loan(bob)).rejects.toMatchObject({
      code: 'market_unavailable',
      message: "Venus cannot report this account's health now (price_unavailable).",
    });
    await chain.revert({ id });
  });

  it('is cancelled when its owner says so', async () => {
    const { chain, book } = deployed;
    await chain.send(bob, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'cancel', args: [2n] });
    expect(await reader.guard(2n)).toMatchObject({ status: 'cancelled' });
    expect(await reader.preview(2n)).toEqual({ error: 'guard_not_active' });
  });
});

it('reads guards as the contract has them, on a node that supports state overrides and on one that does not', async () => {
  const { chain, book, url } = deployed;
  const id = await chain.snapshot();
  await register(carol);
  await register(dave);
  await reader.guards();
  await chain.send(dave, book.own.revocations, { abi: revocationsAbi, functionName: 'revokeAll' });
  const lesser = await startRpcProxy(url);
  lesser.fate = () => 'nothing_supposed';
  // Leaves out the guard that names another keeper: the reader keeps it as it was last read.
  const ours = async (each: GuardReader) => (await each.guards()).guards.filter((guard) => guard.id !== 2n);
  const guards = await ours(reader);
  expect(guards.map(({ status, rescues }) => `${status} ${rescues}`)).toEqual(['active 1', 'active 0', 'revoked 0']);
  expect(await ours(createGuardReader(connectChain(lesser.url), book, alice))).toEqual(guards);
  await lesser.stop();
  await chain.revert({ id });
  expect((await reader.guards()).guards).toHaveLength(2);
  // Another guard takes the number of one that a reorg undid.
  await register(dave);
  expect((await reader.guards()).guards.at(-1)).toMatchObject({ id: 3n, borrower: dave });
  await chain.revert({ id });
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

it('finds what rescues would find, in one call: the funder’s money, the market’s token, and a pause', async () => {
  const { chain, url, book } = deployed;
  const id = await chain.snapshot();
  const proxy = await startRpcProxy(url);
  const [guard] = (await reader.guards()).guards as [Guard];
  const [balance, allowance] = await Promise.all(
    (['balanceOf', 'allowance'] as const).map((functionName) =>
      chain.readContract({
        ...{ address: tokens.USDT, abi: erc20Abi, functionName },
        args: functionName === 'balanceOf' ? [bob] : [bob, book.own.loanGuard],
      } as never),
    ),
  );
  const found = { balance, allowance, marketToken: tokens.USDT, isRepayPaused: false };
  const funds = createGuardFunds(connectChain(proxy.url), book);
  const unread = { ...guard, repayToken: unlisted };
  expect(await funds.guardFunds([guard, unread, { ...guard, id: 9n }])).toEqual([found, undefined, found]);
  expect(proxy.methods).toEqual(['eth_call']);
  const [broken] = await funds.guardFunds([{ ...guard, market: pad(bob) }]);
  expect(broken).toBeUndefined();
  await chain.impersonateAccount({ address: venus.timelock });
  await chain.send(venus.timelock, venus.accessControl, {
    abi: parseAbi(['function giveCallPermission(address target, string signature, address account)']),
    functionName: 'giveCallPermission',
    args: [venus.comptroller, '_setActionsPaused(address[],uint8[],bool)', venus.timelock],
  });
  await chain.send(venus.timelock, venus.comptroller, {
    abi: parseAbi(['function _setActionsPaused(address[] markets, uint8[] actions, bool paused)']),
    functionName: '_setActionsPaused',
    args: [[vUSDT], [3], true],
  });
  expect(await funds.guardFunds([guard])).toEqual([{ ...found, isRepayPaused: true }]);
  // Nothing tells whether an unlisted protocol takes repayments.
  const elsewhere = createGuardFunds(connectChain(url), {
    ...book,
    lending: [{ ...book.lending[0], adapter: unlisted }],
  });
  expect(await elsewhere.guardFunds([guard])).toEqual([{ ...found, isRepayPaused: undefined }]);
  const silent = createGuardFunds(connectChain('http://127.0.0.1:9'), book);
  await expect(silent.guardFunds([guard])).rejects.toMatchObject({ code: 'chain_unavailable' });
  await proxy.stop();
  await chain.revert({ id });
});

it('reads a guarded loan by Chainlink’s prices, too, where they trigger the guard, and by no other source’s', async () => {
  const { chain, book } = deployed;
  const id = await chain.snapshot();
  const guard = await reader.guard(1n);
  await setAnswer(chain, alice, feeds.BTCB, 32_500_00000000n);
  const priceSource = book.own.chainlinkPriceSource;
  const { healthWad = 0n, chainlinkHealthWad } = await reader.guardedLoan({ ...guard, priceSource });
  expect(Number(chainlinkHealthWad) / Number(healthWad)).toBeCloseTo(0.5, 9);
  expect((await reader.guardedLoan(guard)).chainlinkHealthWad).toBeUndefined();
  const other = book.own.venusPriceSource;
  expect((await reader.guardedLoan({ ...guard, priceSource: other })).chainlinkHealthWad).toBeUndefined();
  await chain.revert({ id });
});

it('finds no health where there is no debt', async () => {
  const loan = await reader.loan(carol);
  expect(loan).toMatchObject({ debtUsdWad: 0n, weightedCollateralUsdWad: 0n });
  expect('healthWad' in loan).toBe(false);
});

it('knows no guard that does not exist', async () => {
  const unknown = { code: 'unknown_guard', message: 'There is no guard 99.' };
  await expect(reader.preview(99n)).rejects.toMatchObject(unknown);
});

it('says chain_unavailable when no node answers', async () => {
  const { book } = deployed;
  const nobody = createGuardReader(connectChain('http://127.0.0.1:9'), book, alice);
  const unavailable = { code: 'chain_unavailable', retryable: true };
  await expect(nobody.guards()).rejects.toMatchObject(unavailable);
  await expect(nobody.loan(bob)).rejects.toMatchObject(unavailable);
  await expect(nobody.preview(1n)).rejects.toMatchObject(unavailable);
});
