import { timers } from '@bowline/http/clock';
import { type Address, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { erc20Abi } from '../../../lab/world/abis.ts';
import { tokens } from '../../../lab/world/addresses.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { compile } from '../../../lab/world/compile.ts';
import { type LocalChain, startLocalChain } from '../../../lab/world/fork.ts';
import { alice, bob } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { createBalanceStorage } from '../market-lens.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

let local: LocalChain;
let proxy: RpcProxy;
let chain: Chain;
beforeAll(async () => {
  local = await startLocalChain();
  proxy = await startRpcProxy(local.url);
  chain = connect(local.url);
});
afterAll(async () => {
  await proxy?.stop();
  await local?.stop();
});

const token: Address = '0x00000000000000000000000000000000000070Ce';
const plenty = 2n ** 127n - 1n;
const openZeppelin5 = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;
const kept = await compile(new URL('../../../test/mocks/KeptBalances.sol', import.meta.url));
const slotsOf = () => createBalanceStorage(connectChain(proxy.url, true), timers);

async function held(slots: ReturnType<typeof slotsOf>, of: Address, holder: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] });
  const stateOverride = [...(await slots.plentyOf(of, holder))];
  return BigInt((await chain.call({ to: of, data, stateOverride })).data ?? '0x');
}

it.each([
  [0n, false, 1n, plenty],
  [30n, false, 1n, plenty],
  [31n, false, 1n, 0n],
  [51n, false, 1n, plenty],
  [0n, true, 1n, plenty],
  [30n, true, 1n, plenty],
  [31n, true, 1n, 0n],
  [openZeppelin5, false, 1n, plenty],
  // A token whose balance is shares times the worth of a share.
  [9n, false, 4n, 4n * plenty],
])('finds slot %d, Vyper’s way %s, times %d: holds %d', async (slot, isVyper, multiplier, balance) => {
  await chain.place(token, kept, [slot, isVyper, multiplier], alice);
  expect(await held(slotsOf(), token, alice)).toBe(balance);
});

it.each(Object.entries(tokens))('finds where %s keeps them', async (_, address) => {
  expect(await held(slotsOf(), address, bob)).toBe(plenty);
});

it('asks once for each token, and anew when it is to forget', async () => {
  const slots = slotsOf();
  proxy.requests = 0;
  for (const holder of [alice, bob, alice]) await slots.plentyOf(tokens.USDT, holder);
  expect(proxy.requests).toBe(1);
  await slots.plentyOf(tokens.WBNB, alice);
  expect(proxy.requests).toBe(2);
  slots.forget(tokens.USDT);
  for (const _ of [1, 2]) await slots.plentyOf(tokens.USDT, alice);
  expect(proxy.requests).toBe(3);
});

it('knows nothing of a token that uses up its gas, and asks again in five minutes; the node’s silence is another matter', async () => {
  await chain.setCode({ address: token, bytecode: '0x5b5f56' });
  let now = 0;
  const slots = createBalanceStorage(connectChain(proxy.url, true), { now: () => now });
  expect(await slots.plentyOf(token, alice)).toEqual([]);
  await chain.place(token, kept, [0n, false, 1n], alice);
  proxy.requests = 0;
  now = 299_999;
  // forget() has no effect on a token whose slots are unknown.
  slots.forget(token);
  expect(await slots.plentyOf(token, alice)).toEqual([]);
  expect(proxy.requests).toBe(0);
  now = 300_000;
  expect(await slots.plentyOf(token, alice)).toHaveLength(1);
  proxy.fate = () => 'refused_unnumbered';
  await expect(slots.plentyOf(tokens.BTCB, alice)).rejects.toThrow();
  proxy.fate = () => 'lost';
  await expect(slots.plentyOf(tokens.BTCB, alice)).rejects.toThrow('HTTP request failed');
  proxy.fate = () => 'answered';
  expect(await slots.plentyOf(tokens.BTCB, alice)).toHaveLength(1);
});
