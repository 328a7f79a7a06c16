import { spawnSync } from 'node:child_process';
import { parseEther, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erc20Abi } from '../../lab/world/abis.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import { type Chain, connect, maxTransactionGas } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { alice, balance, give } from './accounts.ts';

let local: LocalChain;
let base: Chain;
let fork: Chain;
beforeAll(async () => {
  local = await startLocalChain();
  base = connect(local.baseUrl);
  fork = connect(local.url);
});
afterAll(() => local?.stop());

it('forks a base of chain id 56 under chain id 31337', async () => {
  expect(await base.getChainId()).toBe(56);
  expect(await fork.getChainId()).toBe(31_337);
});

it('leaves the base where it is while the fork moves', async () => {
  const [baseBlock, forkBlock] = [await base.getBlockNumber(), await fork.getBlockNumber()];
  const amount = await give(fork, alice, 'USDT', '5');
  await fork.mine({ blocks: 3 });
  expect(await fork.getBlockNumber()).toBe(forkBlock + 4n);
  expect(await balance(fork, alice, tokens.USDT)).toBe(amount);
  expect(await base.getBlockNumber()).toBe(baseBlock);
  expect(await balance(base, alice, tokens.USDT)).toBe(0n);
});

it('goes on answering while this process has no time for it', async () => {
  const script = `
    const params = [{ from: '${alice}', to: '${alice}', value: '0x1' }];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransactionSync', params });
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    for (let sent = 0; sent < 500; sent++) await (await fetch('${local.url}', request)).text();`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 15_000 });
  expect(status).toBe(0);
});

it('is at the present', async () => {
  const { timestamp } = await base.getBlock();
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60);
});

it('has the headers of its build, of which a fork asks for the final one, and none of the transactions', async () => {
  const newest = await base.getBlock();
  const final = await fork.getBlock({ blockNumber: newest.number - 64n });
  expect(final.timestamp).toBeLessThan(newest.timestamp);
  expect((await base.getBlock({ blockNumber: final.number })).transactions).toEqual([]);
});

it('charges for gas', async () => {
  const before = await fork.getBalance({ address: treasurer });
  const receipt = await fork.send(treasurer, tokens.USDT, {
    abi: erc20Abi,
    functionName: 'transfer',
    args: [alice, 0n],
  });
  const price = receipt.effectiveGasPrice;
  expect(price).toBeGreaterThan(0n);
  expect(before - (await fork.getBalance({ address: treasurer }))).toBe(receipt.gasUsed * price);
});

it('takes no transaction that offers nothing for its gas', async () => {
  const request = fork.request as (call: { method: string; params: unknown }) => Promise<unknown>;
  const free = { from: alice, to: alice, gasPrice: '0x0' };
  await expect(request({ method: 'eth_sendTransaction', params: [free] })).rejects.toThrow(/max fee per gas/);
});

describe('the gas of a transaction', () => {
  const gas = (amount: bigint) => [{ from: alice, to: alice, gas: toHex(amount) }];
  const requestOf = (chain: Chain) => chain.request as (call: { method: string; params: unknown }) => Promise<unknown>;

  it.each(['base', 'fork'] as const)('is at most 2^24 on the %s, and that of a call may be more', async (name) => {
    const request = requestOf({ base, fork }[name]);
    const send = (amount: bigint) => request({ method: 'eth_sendTransaction', params: gas(amount) });
    await expect(send(maxTransactionGas + 1n)).rejects.toThrow(/tx_gas_limit_cap/);
    // The verdict's reads ask for this much.
    expect(await request({ method: 'eth_call', params: [...gas(40_000_000n), 'latest'] })).toBe('0x');
    if (name === 'fork') expect(await send(maxTransactionGas)).toMatch(/^0x/);
  });

  it('does not bind a call that uses more', async () => {
    // Loops until less than 4,000,000 gas is left, then returns what is left.
    const burner = '0x00000000000000000000000000000000000000f2';
    await fork.setCode({ address: burner, bytecode: '0x5b5a623d0900105f575a5f5260205ff3' });
    await expect.poll(() => fork.getCode({ address: burner })).toBeDefined();
    const { data } = await fork.call({ to: burner, gas: 40_000_000n });
    const left = BigInt(data ?? '0x0');
    expect(left).toBeGreaterThan(3_900_000n);
    expect(40_000_000n - left).toBeGreaterThan(2n * maxTransactionGas);
  });

  it('comes with the rules of Osaka: CLZ is an instruction', async () => {
    const counter = '0x00000000000000000000000000000000000000f3';
    // PUSH1 1, CLZ, return: 255 leading zeros.
    await fork.setCode({ address: counter, bytecode: '0x60011e5f5260205ff3' });
    const { data } = await fork.call({ to: counter });
    expect(BigInt(data ?? '0x0')).toBe(255n);
  });
});

it('signs for nobody but the accounts whose keys are public', async () => {
  await fork.setBalance({ address: venus.timelock, value: parseEther('1') });
  const call = { abi: erc20Abi, functionName: 'transfer', args: [alice, 0n] } as const;
  await expect(fork.send(venus.timelock, tokens.USDT, call)).rejects.toThrow(/No Signer available/);
});
