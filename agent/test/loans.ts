// Test loans: one way to borrow, and one way to register a guard.

import { type Address, pad, parseEther, toHex, zeroAddress } from 'viem';
import { loanGuardAbi } from '../../abis/index.ts';
import { comptrollerAbi, vTokenAbi } from '../../lab/world/abis.ts';
import { venus } from '../../lab/world/addresses.ts';
import type { Chain } from '../../lab/world/chain.ts';
import { approve, give } from '../../test/local/accounts.ts';

/** A chain with our contracts. */
interface World {
  readonly chain: Chain;
  readonly book: { readonly own: { readonly loanGuard: Address; readonly venusMarket: Address } };
}

const { vUSDT, vBTC, vETH } = venus.markets;

/** An account without a key, for which the node signs. */
export const stranger = (at: number): Address => pad(toHex(0xc0ffee00n + BigInt(at)), { size: 20 });

/** Lets the node sign for a stranger, and gives it gas. */
export async function introduce(chain: Chain, address: Address): Promise<void> {
  await chain.impersonateAccount({ address });
  await chain.setBalance({ address, value: parseEther('100') });
}

const collaterals = { BTCB: vBTC, ETH: vETH } as const;

type Collateral = Readonly<Partial<Record<keyof typeof collaterals, string>>>;

/** Supplies whole tokens of collateral, in markets that the account enters. */
export async function supply(chain: Chain, borrower: Address, collateral: Collateral = { BTCB: '1' }): Promise<void> {
  const vTokens: Address[] = [];
  for (const [symbol, amount] of Object.entries(collateral) as [keyof typeof collaterals, string][]) {
    const vToken = collaterals[symbol];
    const value = await give(chain, borrower, symbol, amount);
    await approve(chain, borrower, symbol, vToken, value);
    await chain.send(borrower, vToken, { abi: vTokenAbi, functionName: 'mint', args: [value] });
    vTokens.push(vToken);
  }
  await chain.send(borrower, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [vTokens] });
}

/** Supplies collateral, one BTCB by default, and borrows USDT against it, which the borrower keeps. */
export async function borrow(chain: Chain, borrower: Address, usdt: string, collateral?: Collateral): Promise<void> {
  await supply(chain, borrower, collateral);
  await chain.send(borrower, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther(usdt)] });
}

/** Borrows USDT against ten ETH, at a health of 1.15. */
export async function borrowNearTrigger(chain: Chain, borrower: Address): Promise<void> {
  await supply(chain, borrower, { ETH: '10' });
  const liquidity = { address: venus.comptroller, abi: comptrollerAbi, functionName: 'getAccountLiquidity' } as const;
  const [, worth] = (await chain.readContract({ ...liquidity, args: [borrower] })) as readonly [bigint, bigint, bigint];
  await chain.send(borrower, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [(worth * 100n) / 115n] });
}

/** A guard's rescues as recorded, oldest first. */
export function rescuesOf({ chain, book }: World, guardId: bigint) {
  const { loanGuard: address } = book.own;
  return chain.readContract({ address, abi: loanGuardAbi, functionName: 'rescues', args: [guardId, 0n, 10n] });
}

/** Triggers below a health of 1.1 and targets 1.25, at most every ten minutes, for a day. */
export const guardTerms = (
  { book }: World,
  borrower: Address,
  now: bigint,
  changes: Readonly<Record<string, unknown>> = {},
) =>
  ({
    borrower,
    funder: borrower,
    adapter: book.own.venusMarket,
    market: pad(vUSDT),
    keeper: zeroAddress,
    priceSource: zeroAddress as Address,
    triggerHealthWad: parseEther('1.1'),
    targetHealthWad: parseEther('1.25'),
    capPerRescue: parseEther('50000'),
    capPerDay: parseEther('50000'),
    minRepay: parseEther('10'),
    cooldownSeconds: 600,
    expiresAt: Number(now) + 86_400,
    ...changes,
  }) as const;

/** A guard's caps, in whole USDT. */
export const capped = (usdt: number) => ({ capPerRescue: parseEther(`${usdt}`), capPerDay: parseEther(`${usdt}`) });

/** Registers a guard that its borrower funds with up to 50,000 USDT. */
export async function setGuard(world: World, borrower: Address, changes = {}): Promise<void> {
  const { chain, book } = world;
  const { timestamp } = await chain.getBlock();
  await approve(chain, borrower, 'USDT', book.own.loanGuard, parseEther('50000'));
  const args = [guardTerms(world, borrower, timestamp, changes)] as const;
  await chain.send(borrower, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'register', args });
}
