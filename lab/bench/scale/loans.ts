// Thousands of real loans on Venus, each with its own account and its own guard.

import { type Address, parseEther, toHex } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { guardTerms } from '../../../agent/test/loans.ts';
import type { DeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { give } from '../../../test/local/accounts.ts';
import { comptrollerAbi, erc20Abi, vTokenAbi } from '../../world/abis.ts';
import { tokens, venus } from '../../world/addresses.ts';
import { call, type EncodedCall } from '../../world/chain.ts';
import { answering, feedsOf } from '../../world/oracle.ts';
import { equip, script, sendMany } from './scripts.ts';

const { vUSDT, vBTC, vETH } = venus.markets;
const collaterals = { BTCB: vBTC, ETH: vETH } as const;

export interface Terms {
  readonly collateral: keyof typeof collaterals;
  /** Whole tokens. */
  readonly amount: string;
  /** Whole USDT. */
  readonly debt: string;
}

/** An account that `makeLoans` equips. */
export const borrowerAt = (at: number): Address => toHex(2n ** 151n + BigInt(at), { size: 20 });

/** Hands out the collateral. */
const giver = borrowerAt(1_000_000);

/** A loan and its guard take 801,000 gas together (measured). */
const perTransaction = 18;

/**
 * Makes a loan in USDT for each account, `borrowerAt(0)` first, and a guard for it with the terms of the tests. Guards
 * are numbered in that order. Needs a chain that mines at once.
 */
export async function makeLoans(world: DeployedChain, loans: readonly Terms[]): Promise<void> {
  const { chain, book } = world;
  const borrowers = loans.map((_, at) => borrowerAt(at));
  await equip(chain, [giver, ...borrowers]);
  for (const symbol of Object.keys(collaterals) as (keyof typeof collaterals)[]) {
    const of = loans.filter(({ collateral }) => collateral === symbol);
    const whole = of.reduce((sum, { amount }) => sum + Number(amount), 0);
    await give(chain, giver, symbol, String(Math.ceil(whole)));
  }
  const { timestamp } = await chain.getBlock();
  const each = loans.map(({ collateral, amount, debt }, at): readonly EncodedCall[] => {
    const borrower = borrowers[at] as Address;
    const [token, vToken] = [tokens[collateral], collaterals[collateral]];
    const value = parseEther(amount);
    const own = script([
      call(token, erc20Abi, 'approve', [vToken, value]),
      call(vToken, vTokenAbi, 'mint', [value]),
      call(venus.comptroller, comptrollerAbi, 'enterMarkets', [[vToken]]),
      borrowing(debt),
      call(tokens.USDT, erc20Abi, 'approve', [book.own.loanGuard, parseEther('50000')]),
      call(book.own.loanGuard, loanGuardAbi, 'register', [guardTerms(world, borrower, timestamp)]),
    ]);
    return [call(token, erc20Abi, 'transfer', [borrower, value]), { to: borrower, data: own }];
  });
  const calls: EncodedCall[] = [];
  for (let from = 0; from < each.length; from += perTransaction) {
    calls.push({ to: giver, data: script(each.slice(from, from + perTransaction).flat()) });
  }
  await sendMany(chain, calls);
}

/** Changes an asset's price in every feed in one block; otherwise the oracle would have no price in between. */
export function priceChange(symbol: keyof typeof collaterals, usd8: bigint): EncodedCall {
  return { to: giver, data: script(feedsOf(symbol).map((feed) => answering(feed, usd8))) };
}

/** A transaction by which an account borrows more. */
export const borrowMore = (account: Address, usdt: string): EncodedCall => {
  return { to: account, data: script([borrowing(usdt)]) };
};

const borrowing = (usdt: string): EncodedCall => call(vUSDT, vTokenAbi, 'borrow', [parseEther(usdt)]);
