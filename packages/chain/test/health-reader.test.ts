import type { Guard } from '@bowline/core/domain/permissions';
import { type Address, type Hex, pad, parseEther, toFunctionSelector, zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comptrollerAbi, vTokenAbi } from '../../../lab/world/abis.ts';
import { feeds, venus } from '../../../lab/world/addresses.ts';
import { feedsOf, setAnswer, setPrice } from '../../../lab/world/oracle.ts';
import { alice, approve, bob, carol, give } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { createGuardReader } from '../guard-reader.ts';
import { createHealthReader } from '../health-reader.ts';
import { type DeployedChain, startDeployedChain } from './deployed-chain.ts';
import { refuse, startRpcProxy } from './rpc-proxy.ts';

const { vBTC, vUSDT } = venus.markets;
/** An adapter that burns all gas on every reading. */
const glutton = '0x00000000000000000000000000000000000000f1';

/** An adapter that delegates `accrueAndRead` and ends every other call with the code `end`. */
const halfBroken = '0x00000000000000000000000000000000000000f3';
const broken = (adapter: Address, end: string): Hex => {
  const selector = toFunctionSelector('accrueAndRead(address,bytes32)').slice(2);
  const pass = `365f5f375f5f365f73${adapter.slice(2)}5af43d5f5f3e3d5ff3`;
  // Jumps past the ending if the selector matches.
  const at = (14 + end.length / 2).toString(16).padStart(2, '0');
  return `0x5f3560e01c63${selector}1460${at}57${end}5b${pass}` as Hex;
};

let deployed: DeployedChain;
beforeAll(async () => {
  deployed = await startDeployedChain();
  const { chain } = deployed;
  for (const [borrower, usdt] of [
    [bob, '50000'],
    [carol, '64000'],
  ] as const) {
    const amount = await give(chain, borrower, 'BTCB', '1');
    await approve(chain, borrower, 'BTCB', vBTC, amount);
    await chain.send(borrower, vBTC, { abi: vTokenAbi, functionName: 'mint', args: [amount] });
    const enter = { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vBTC]] } as const;
    await chain.send(borrower, venus.comptroller, enter);
    await chain.send(borrower, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther(usdt)] });
  }
  await chain.setCode({ address: glutton, bytecode: '0xfe' });
});
afterAll(() => deployed?.stop());

const loan = (borrower: Address, adapter: Address = deployed.book.own.venusMarket): Guard => ({
  id: 1n,
  borrower,
  funder: borrower,
  adapter,
  market: pad(vUSDT),
  repayToken: zeroAddress,
  triggerHealthWad: 1n,
  targetHealthWad: 1n,
  capPerRescue: 1n,
  capPerDay: 1n,
  minRepay: 1n,
  cooldownSeconds: 0n,
  expiresAt: 0n,
  status: 'active',
  lastRescueAt: 0n,
  day: 0n,
  takenInDay: 0n,
  rescues: 0,
});

/** The healths, and how many requests the node got. */
async function ask(guards: readonly Guard[]) {
  const proxy = await startRpcProxy(deployed.url);
  try {
    const healths = await createHealthReader(connectChain(proxy.url)).healths(guards);
    return { healths, asked: proxy.methods.length };
  } finally {
    await proxy.stop();
  }
}

test('health is what LoanGuard reads, to the unit', async () => {
  const { url, book } = deployed;
  const reader = createGuardReader(connectChain(url), book, alice);
  const { healths, asked } = await ask([loan(bob), loan(alice), loan(carol)]);
  expect(healths).toEqual([(await reader.loan(bob)).healthWad, 'no_debt', (await reader.loan(carol)).healthWad]);
  expect(Number(healths[2]) / 1e18).toBeCloseTo(1.25, 5);
  expect(asked).toBe(1);
});

test('two hundred loans are four questions', async () => {
  const { healths, asked } = await ask(Array.from({ length: 200 }, (_, at) => loan(at % 2 === 0 ? bob : carol)));
  expect(new Set(healths).size).toBe(2);
  expect(asked).toBe(4);
});

test('no loans are no question', async () => {
  expect(await ask([])).toEqual({ healths: [], asked: 0 });
});

test('accounts that take all the gas leave the others readable', async () => {
  for (const bad of [[0], [49], [0, 1, 2], [3, 30, 31]]) {
    const guards = Array.from({ length: 50 }, (_, at) => loan(bob, bad.includes(at) ? glutton : undefined));
    const { healths, asked } = await ask(guards);
    const unreadable = [...healths.keys()].filter((at) => healths[at] === 'unreadable');
    expect(unreadable).toEqual(bad);
    expect(asked).toBeLessThanOrEqual(25);
  }
});

test('an account that finds too little gas left is read again', async () => {
  // Loops until 400,000 gas are left: enough for one more account and not for two.
  const hog = '0x00000000000000000000000000000000000000f2';
  await deployed.chain.setCode({ address: hog, bytecode: '0x5b62061a805a115f575f5ffd' });
  const { healths, asked } = await ask([loan(bob, hog), loan(bob, hog), loan(carol), loan(bob)]);
  expect(healths).toEqual(['unreadable', 'unreadable', expect.any(BigInt), expect.any(BigInt)]);
  expect(asked).toBeLessThanOrEqual(7);
});

test('a crowd of them costs no more than so many questions', async () => {
  const guards = Array.from({ length: 50 }, (_, at) => loan(bob, at % 2 === 0 ? glutton : undefined));
  const { healths, asked } = await ask(guards);
  expect(asked).toBe(25);
  expect(healths.some((health) => typeof health === 'bigint')).toBe(true);
});

test('an account that cannot be read says so, and is not asked again', async () => {
  const { chain } = deployed;
  const bytecode = await chain.getCode({ address: feeds.BTCB });
  if (bytecode === undefined) throw new Error('no feed');
  for (const address of feedsOf('BTCB')) await chain.setCode({ address, bytecode: '0xfd' });
  const broken = await ask([loan(bob), loan(alice), loan(carol)]);
  for (const address of feedsOf('BTCB')) await chain.setCode({ address, bytecode });
  await setPrice(chain, alice, 'BTCB', 100_000n * 10n ** 8n);
  expect(broken.healths).toEqual(['unreadable', 'no_debt', 'unreadable']);
  expect(broken.asked).toBe(1);
  expect((await ask([loan(bob)])).healths).toEqual([expect.any(BigInt)]);
});

test('LG-26: of a guard with a source it is the worse health, where that decides', async () => {
  const { chain, book } = deployed;
  const { chainlinkPriceSource: priceSource, venusPriceSource } = book.own;
  const range = { triggerHealthWad: parseEther('1.2'), targetHealthWad: parseEther('1.5') };
  const watching = { ...loan(carol), ...range, priceSource };
  await setAnswer(chain, alice, feeds.BTCB, 90_000n * 10n ** 8n);
  const [own] = (await ask([loan(carol)])).healths as [bigint];
  expect(Number(own) / 1e18).toBeCloseTo(1.25, 5);
  const { healths, asked } = await ask([
    watching,
    { ...loan(carol), ...range },
    { ...watching, priceSource: venusPriceSource },
    // The source is not asked below the guard's trigger or at its target.
    { ...watching, triggerHealthWad: parseEther('1.3') },
    { ...watching, targetHealthWad: parseEther('1.21') },
  ]);
  expect(Number(healths[0]) / 1e18).toBeCloseTo((Number(own) / 1e18) * 0.9, 5);
  expect(healths.slice(1)).toEqual([own, own, own, own]);
  expect(asked).toBe(1);
  // If the source has no prices, the protocol's own health counts.
  expect((await ask([{ ...watching, priceSource: zeroAddress }])).healths).toEqual([own]);
  await setAnswer(chain, alice, feeds.BTCB, 100_000n * 10n ** 8n);
});

test('LG-26: a source that cannot be read, or takes all the gas, leaves the protocol’s healths', async () => {
  const { chain, book } = deployed;
  const { chainlinkPriceSource: priceSource } = book.own;
  const range = { triggerHealthWad: parseEther('1.2'), targetHealthWad: parseEther('1.5') };
  const [own] = (await ask([loan(carol)])).healths as [bigint];
  // Only the reading by the source fails. It gives a reason, so LoanGuard lets the source trigger nothing.
  await chain.setCode({ address: halfBroken, bytecode: broken(book.own.venusMarket, '60015f526004601cfd') });
  const refusing = { ...loan(carol, halfBroken), ...range, priceSource };
  expect(await ask([refusing])).toEqual({ healths: [own], asked: 1 });

  // Such a source costs the others nothing, and a guard below its trigger does not wait for it.
  await chain.setCode({ address: halfBroken, bytecode: broken(book.own.venusMarket, 'fe') });
  const burning = { ...loan(carol, halfBroken), ...range, priceSource };
  await setAnswer(chain, alice, feeds.BTCB, 90_000n * 10n ** 8n);
  const { healths, asked } = await ask([
    { ...burning, triggerHealthWad: parseEther('1.3') },
    burning,
    { ...loan(carol), ...range, priceSource },
    loan(carol),
  ]);
  const last = healths.at(-1) as bigint;
  expect(healths.slice(0, 2)).toEqual([last, 'unreadable']);
  expect(Number(healths[2]) / Number(last)).toBeCloseTo(0.9, 8);
  expect(asked).toBeLessThanOrEqual(4);
  await setAnswer(chain, alice, feeds.BTCB, 100_000n * 10n ** 8n);
});

test.each(['lost', 'called_known', 'limited'] as const)(
  'a node whose answers are %s is told from loans that cannot be read',
  async (fate) => {
    const proxy = await startRpcProxy(deployed.url);
    if (fate === 'limited') proxy.tell = (_call, answer) => refuse(answer, -32_007, 'request limit reached');
    else proxy.fate = () => fate;
    try {
      const { healths } = createHealthReader(connectChain(proxy.url));
      const failed = healths(Array.from({ length: 200 }, () => loan(bob)));
      await expect(failed).rejects.toMatchObject({ code: 'chain_unavailable', retryable: true });
      expect(proxy.methods.length).toBeLessThanOrEqual(28);
    } finally {
      await proxy.stop();
    }
  },
);
