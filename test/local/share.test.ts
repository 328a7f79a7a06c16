import { type Hex, maxUint256, parseAbi, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { erc20Abi, routerAbi } from '../../script/local/abis.ts';
import { pancake, tokens } from '../../script/local/addresses.ts';
import { type Chain, connect, type EncodedCall } from '../../script/local/chain.ts';
import { type LocalChain, startLocalChain } from '../../script/local/fork.ts';
import { maker as issuer } from '../../script/local/market/maker.ts';
import { setHalted, setMultiplier, shareAbi, takeBackMultiplier } from '../../script/local/share.ts';
import { alice, approve, balance, bob, give } from './accounts.ts';

let local: LocalChain;
let chain: Chain;
let clean: Hex;
beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
});
afterAll(() => local?.stop());
beforeEach(async () => {
  clean = await chain.snapshot();
});
afterEach(() => chain.revert({ id: clean }));

const { ACMEX, USDT } = tokens;
const tokenAbi = [
  ...erc20Abi,
  ...shareAbi,
  ...parseAbi([
    'function transferFrom(address from, address to, uint256 amount) returns (bool)',
    'error BalanceTooLow(address owner, uint256 balance, uint256 amount)',
    'error AllowanceTooLow(address spender, uint256 allowance, uint256 amount)',
  ]),
];
const multiplier = () => chain.readContract({ address: ACMEX, abi: shareAbi, functionName: 'multiplier' });
const played = async ({ to, data }: EncodedCall) => {
  await chain.sendRaw(issuer, to, data);
  return (await chain.getBlock()).timestamp;
};
const transfer = (amount: bigint) =>
  chain.send(alice, ACMEX, { abi: tokenAbi, functionName: 'transfer', args: [bob, amount] });

/** Alice sells a share for USDT in its pool. */
const sell = () =>
  chain.send(alice, pancake.router, {
    abi: routerAbi,
    functionName: 'exactInputSingle',
    args: [
      {
        ...{ tokenIn: ACMEX, tokenOut: USDT, fee: 500, recipient: alice, deadline: maxUint256 },
        ...{ amountIn: parseEther('1'), amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
      },
    ],
  });

describe('the stand-in of a share', () => {
  it('stands for one share at first, and that has never changed', async () => {
    expect(await multiplier()).toEqual([parseEther('1'), parseEther('1'), 0n, false]);
  });

  it('remembers what it stood for before, and since when it no longer does', async () => {
    const first = await played(setMultiplier(parseEther('2')));
    expect(await multiplier()).toEqual([parseEther('2'), parseEther('1'), first, false]);
    const second = await played(setMultiplier(parseEther('3')));
    expect(await multiplier()).toEqual([parseEther('3'), parseEther('2'), second, false]);
  });

  it('forgets a change that is taken back', async () => {
    await played(setMultiplier(parseEther('2')));
    await played(takeBackMultiplier());
    expect(await multiplier()).toEqual([parseEther('1'), parseEther('1'), 0n, false]);
  });

  it('obeys its issuer alone', async () => {
    for (const { functionName, args } of [
      { functionName: 'setMultiplier', args: [2n] },
      { functionName: 'takeBackMultiplier', args: [] },
      { functionName: 'setHalted', args: [true] },
    ] as const) {
      const call = { abi: shareAbi, functionName, args } as never;
      await expect(chain.send(alice, ACMEX, call)).rejects.toThrow(`NotIssuer(${alice})`);
    }
  });

  it('never stands for nothing, nor changes to what it is', async () => {
    const set = (wad: bigint) => ({ abi: shareAbi, functionName: 'setMultiplier', args: [wad] }) as const;
    await expect(chain.send(issuer, ACMEX, set(0n))).rejects.toThrow('MultiplierZero()');
    await expect(chain.send(issuer, ACMEX, set(parseEther('1')))).rejects.toThrow(
      `MultiplierUnchanged(${parseEther('1')})`,
    );
  });
});

describe('its token', () => {
  it('moves as others do, and never more than there is or is allowed', async () => {
    const amount = await give(chain, alice, 'ACMEX', '5');
    await transfer(amount - 2n);
    expect(await balance(chain, bob, ACMEX)).toBe(amount - 2n);
    await expect(transfer(3n)).rejects.toThrow(`BalanceTooLow(${alice}, 2, 3)`);
    expect(await balance(chain, alice, ACMEX)).toBe(2n);

    await approve(chain, alice, 'ACMEX', bob, 1n);
    const take = (value: bigint) => {
      const args = [alice, bob, value] as const;
      return chain.send(bob, ACMEX, { abi: tokenAbi, functionName: 'transferFrom', args });
    };
    await expect(take(2n)).rejects.toThrow(`AllowanceTooLow(${bob}, 1, 2)`);
    await take(1n);
    expect(await balance(chain, bob, ACMEX)).toBe(amount - 1n);
    const allowance = { abi: erc20Abi, functionName: 'allowance', args: [alice, bob] } as const;
    expect(await chain.readContract({ address: ACMEX, ...allowance })).toBe(0n);
  });

  it('stands still while it is halted, in its pool as well, and only then', async () => {
    const amount = await give(chain, alice, 'ACMEX', '2');
    await approve(chain, alice, 'ACMEX', pancake.router, amount);
    await played(setHalted(true));
    expect((await multiplier())[3]).toBe(true);
    await expect(transfer(1n)).rejects.toThrow('TradingHalted()');
    await expect(sell()).rejects.toThrow('reverted');
    expect(await balance(chain, alice, ACMEX)).toBe(amount);

    await played(setHalted(false));
    await transfer(1n);
    await sell();
    // 200 USDT less the pool's fee of 0.05 %, and at most as much again for price impact.
    const received = await balance(chain, alice, USDT);
    expect(received).toBeGreaterThan(parseEther('199.8'));
    expect(received).toBeLessThan(parseEther('199.9'));
  });
});
