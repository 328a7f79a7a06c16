import { type Address, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  comptrollerAbi,
  erc20Abi,
  feedAbi,
  liquidatorAbi,
  oracleAbi,
  vaiControllerAbi,
  vBnbAbi,
  vTokenAbi,
} from '../../lab/world/abis.ts';
import { feeds, type TokenSymbol, tokens, venus } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { priceUsd8 } from '../../lab/world/prices.ts';
import { alice, approve, balance, bob, carol, debt, give } from './accounts.ts';

const { vUSDT, vUSDC, vBTC, vETH, vWBNB, vBNB } = venus.markets;

let local: LocalChain;
let chain: Chain;
let clean: `0x${string}`;
beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
});
afterAll(() => local?.stop());
beforeEach(async () => {
  clean = await chain.snapshot();
});
afterEach(() => chain.revert({ id: clean }));

/** One BTCB of collateral, worth 100,000 USD, of which 80 % count. */
async function depositOneBtcb(borrower: Address): Promise<void> {
  const amount = await give(chain, borrower, 'BTCB', '1');
  await approve(chain, borrower, 'BTCB', vBTC, amount);
  await chain.send(borrower, vBTC, { abi: vTokenAbi, functionName: 'mint', args: [amount] });
  await chain.send(borrower, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vBTC]] });
}

async function borrow(borrower: Address, market: Address, amount: string): Promise<void> {
  await chain.send(borrower, market, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther(amount)] });
}

/** Liquidity and shortfall in USD, 18 decimals. */
async function liquidity(account: Address): Promise<{ liquidity: bigint; shortfall: bigint }> {
  const functionName = 'getAccountLiquidity';
  const call = { address: venus.comptroller, abi: comptrollerAbi, functionName, args: [account] } as const;
  const [code, left, shortfall] = await chain.readContract(call);
  expect(code).toBe(0n);
  return { liquidity: left, shortfall };
}

describe('markets', () => {
  it('lists the six markets, each with its asset and a price of its feed', async () => {
    const call = { address: venus.comptroller, abi: comptrollerAbi, functionName: 'getAllMarkets' } as const;
    expect(await chain.readContract(call)).toEqual([vUSDT, vUSDC, vBTC, vETH, vWBNB, vBNB]);
    const assets = { vUSDT: 'USDT', vUSDC: 'USDC', vBTC: 'BTCB', vETH: 'ETH', vWBNB: 'WBNB', vBNB: 'WBNB' } as const;
    const oracle = await chain.readContract({ ...call, functionName: 'oracle' });
    for (const [symbol, asset] of Object.entries(assets)) {
      const market = venus.markets[symbol as keyof typeof assets];
      const priced = { address: oracle, abi: oracleAbi, functionName: 'getUnderlyingPrice', args: [market] } as const;
      expect(await chain.readContract(priced)).toBe(priceUsd8[asset] * 10n ** 10n);
      if (market === vBNB) continue;
      const underlying = await chain.readContract({ address: market, abi: vTokenAbi, functionName: 'underlying' });
      expect(underlying).toBe(tokens[asset]);
    }
  });

  it.each(['vUSDT', 'vUSDC', 'vBTC', 'vETH', 'vWBNB', 'vBNB'] as const)('lends from %s', async (symbol) => {
    await depositOneBtcb(alice);
    const market = venus.markets[symbol];
    await borrow(alice, market, '0.1');
    expect(await debt(chain, market, alice)).toBe(parseEther('0.1'));
  });

  it('judges by the liquidation threshold and refuses to lend beyond the collateral factor', async () => {
    await depositOneBtcb(alice);
    await borrow(alice, vUSDT, '70000');
    expect(await liquidity(alice)).toEqual({ liquidity: parseEther('10000'), shortfall: 0n });
    await expect(borrow(alice, vUSDT, '10001')).rejects.toThrow(/borrow on 0xfD58.* reverted/);
  });

  it('charges interest', async () => {
    await depositOneBtcb(alice);
    await borrow(alice, vUSDT, '70000');
    await chain.mine({ blocks: 100 });
    expect(await debt(chain, vUSDT, alice)).toBe(parseEther('70000'));
    await chain.send(bob, vUSDT, { abi: vTokenAbi, functionName: 'accrueInterest' });
    expect(await debt(chain, vUSDT, alice)).toBeGreaterThan(parseEther('70000'));
  });
});

describe('a falling price', () => {
  beforeEach(async () => {
    await depositOneBtcb(alice);
    await borrow(alice, vUSDT, '70000');
    await setPrice(chain, bob, 'BTCB', 81_000_00000000n);
  });

  it('leaves the borrower short by what the threshold says', async () => {
    // 81,000 × 0.8 − 70,000
    expect(await liquidity(alice)).toEqual({ liquidity: 0n, shortfall: parseEther('5200') });
  });

  it('lets anybody repay: the debt falls by exactly what was paid', async () => {
    const amount = await give(chain, bob, 'USDT', '10000');
    await approve(chain, bob, 'USDT', vUSDT, amount);
    const functionName = 'borrowBalanceCurrent';
    const before = { address: vUSDT, abi: vTokenAbi, functionName, args: [alice] } as const;
    // The debt one block later, when the repayment is mined.
    const owed = (await chain.simulateContract({ ...before, account: bob, blockTag: 'pending' })).result;
    const repay = { abi: vTokenAbi, functionName: 'repayBorrowBehalf', args: [alice, amount] } as const;
    await chain.send(bob, vUSDT, repay);
    expect(await debt(chain, vUSDT, alice)).toBe(owed - amount);
    expect(await balance(chain, bob, tokens.USDT)).toBe(0n);
    const { shortfall } = await liquidity(alice);
    expect(shortfall).toBe(0n);
  });

  it('refuses a liquidation that does not come through the Liquidator', async () => {
    const amount = await give(chain, carol, 'USDT', '5000');
    await approve(chain, carol, 'USDT', vUSDT, amount);
    const args = [alice, amount, vBTC] as const;
    const call = { address: vUSDT, abi: vTokenAbi, functionName: 'liquidateBorrow', args, account: carol } as const;
    const comptrollerRejection = 3n;
    expect((await chain.simulateContract(call)).result).toBe(comptrollerRejection);
    await chain.send(carol, vUSDT, { abi: vTokenAbi, functionName: 'liquidateBorrow', args });
    expect(await balance(chain, carol, vBTC)).toBe(0n);
    expect(await balance(chain, carol, tokens.USDT)).toBe(amount);
  });

  it('lets the Liquidator seize collateral with its bonus', async () => {
    const amount = await give(chain, carol, 'USDT', '5000');
    await approve(chain, carol, 'USDT', venus.liquidator, amount);
    const owed = await debt(chain, vUSDT, alice);
    const args = [vUSDT, alice, amount, vBTC] as const;
    await chain.send(carol, venus.liquidator, { abi: liquidatorAbi, functionName: 'liquidateBorrow', args });
    expect(await debt(chain, vUSDT, alice)).toBeLessThan(owed - parseEther('4999'));
    expect(await balance(chain, carol, vBTC)).toBeGreaterThan(0n);
  });

  it('leaves a healthy borrower alone', async () => {
    await setPrice(chain, bob, 'BTCB', priceUsd8.BTCB);
    const amount = await give(chain, carol, 'USDT', '5000');
    await approve(chain, carol, 'USDT', venus.liquidator, amount);
    const args = [vUSDT, alice, amount, vBTC] as const;
    const liquidate = chain.send(carol, venus.liquidator, {
      abi: liquidatorAbi,
      functionName: 'liquidateBorrow',
      args,
    });
    await expect(liquidate).rejects.toThrow('LiquidationFailed(3)');
  });
});

describe('VAI', () => {
  const owed = () =>
    chain.readContract({
      address: venus.vaiController,
      abi: vaiControllerAbi,
      functionName: 'getVAIRepayAmount',
      args: [alice],
    });

  it('is debt without a market, which counts in the account and grows', async () => {
    await depositOneBtcb(alice);
    const minted = parseEther('10000');
    await chain.send(alice, venus.vaiController, { abi: vaiControllerAbi, functionName: 'mintVAI', args: [minted] });
    expect(await balance(chain, alice, tokens.VAI)).toBe(minted);
    expect(await owed()).toBe(minted);
    expect(await liquidity(alice)).toEqual({ liquidity: parseEther('70000'), shortfall: 0n });

    await chain.mine({ blocks: 100 });
    await chain.send(bob, venus.vaiController, { abi: vaiControllerAbi, functionName: 'accrueVAIInterest' });
    expect(await owed()).toBeGreaterThan(minted);
  });

  it('can be repaid by another', async () => {
    await depositOneBtcb(alice);
    const minted = parseEther('10000');
    await chain.send(alice, venus.vaiController, { abi: vaiControllerAbi, functionName: 'mintVAI', args: [minted] });
    await depositOneBtcb(bob);
    const paid = parseEther('4000');
    await chain.send(bob, venus.vaiController, { abi: vaiControllerAbi, functionName: 'mintVAI', args: [paid] });
    await approve(chain, bob, 'VAI', venus.vaiController, paid);
    const repay = { abi: vaiControllerAbi, functionName: 'repayVAIBehalf', args: [alice, paid] } as const;
    await chain.send(bob, venus.vaiController, repay);
    // The controller splits a payment into debt and interest and rounds down: a few units stay with the payer.
    expect(await balance(chain, bob, tokens.VAI)).toBeLessThan(1_000_000n);
    const left = await owed();
    expect(left).toBeGreaterThanOrEqual(minted - paid);
    expect(left).toBeLessThan(minted - paid + parseEther('0.01'));
  });
});

describe('vBNB', () => {
  it('is repaid in BNB, and not beyond the debt', async () => {
    await depositOneBtcb(alice);
    await borrow(alice, vBNB, '3');
    const repay = { abi: vBnbAbi, functionName: 'repayBorrowBehalf', args: [alice] } as const;
    await expect(chain.send(bob, vBNB, repay, parseEther('4'))).rejects.toThrow(/repayBorrowBehalf on .* reverted/);
    const owed = await debt(chain, vBNB, alice);
    await chain.send(bob, vBNB, repay, parseEther('2'));
    const left = await debt(chain, vBNB, alice);
    expect(left).toBeGreaterThanOrEqual(owed - parseEther('2'));
    expect(left).toBeLessThan(owed - parseEther('2') + parseEther('0.001'));
  });
});

describe('feeds', () => {
  it.each(Object.keys(feeds) as (keyof typeof feeds)[])('answers for %s with a fresh price', async (symbol) => {
    const feed = { address: feeds[symbol], abi: feedAbi } as const;
    const [, answer, , updatedAt] = await chain.readContract({ ...feed, functionName: 'latestRoundData' });
    expect(answer).toBe(priceUsd8[symbol]);
    expect(await chain.readContract({ ...feed, functionName: 'decimals' })).toBe(8);
    const ageSeconds = Date.now() / 1000 - Number(updatedAt);
    expect(ageSeconds).toBeGreaterThan(-5);
    expect(ageSeconds).toBeLessThan(60);
  });

  it('calls the tokens by their names', async () => {
    for (const symbol of Object.keys(tokens) as TokenSymbol[]) {
      const token = { address: tokens[symbol], abi: erc20Abi } as const;
      expect(await chain.readContract({ ...token, functionName: 'symbol' })).toBe(symbol);
      expect(await chain.readContract({ ...token, functionName: 'decimals' })).toBe(18);
    }
  });
});
