// Test guards that pay out of a loan's own collateral.

import { type Address, maxUint128, pad, parseEther, zeroAddress } from 'viem';
import { collateralGuardAbi } from '../../abis/index.ts';
import { erc20Abi } from '../../lab/world/abis.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import type { Chain } from '../../lab/world/chain.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { borrow } from './loans.ts';

/** A chain with our contracts. */
interface World {
  readonly chain: Chain;
  readonly book: {
    readonly own: {
      readonly collateralGuard?: Address;
      readonly venusCollateral?: Address;
      readonly chainlinkPriceSource: Address;
    };
  };
}

const { vUSDT, vETH } = venus.markets;

export const noRoute = { firstFee: 0, firstToken: zeroAddress, secondFee: 0, secondToken: zeroAddress, thirdFee: 0 };

/** The contracts of COLLATERAL_GUARD. */
export function saleContracts({ book }: World): {
  readonly collateralGuard: Address;
  readonly venusCollateral: Address;
} {
  const { collateralGuard, venusCollateral } = book.own;
  if (collateralGuard === undefined || venusCollateral === undefined)
    throw new Error('COLLATERAL_GUARD is not deployed.');
  return { collateralGuard, venusCollateral };
}

/** Triggers below 1.08 and targets 1.15 over the five-basis-point pool, at 2 % at most, for a day. Anybody may call. */
export const saleTerms = (world: World, borrower: Address, now: bigint, changes: object = {}) =>
  ({
    borrower,
    funder: borrower,
    adapter: saleContracts(world).venusCollateral,
    debtMarket: pad(vUSDT),
    collateralMarket: pad(vETH),
    keeper: zeroAddress as Address,
    priceSource: world.book.own.chainlinkPriceSource,
    triggerHealthWad: parseEther('1.08'),
    targetHealthWad: parseEther('1.15'),
    maxCostBps: 200,
    capPerRescue: parseEther('50000'),
    capPerDay: parseEther('50000'),
    minRepay: parseEther('10'),
    cooldownSeconds: 600,
    expiresAt: Number(now) + 86_400,
    route: { ...noRoute, firstFee: 500 },
    ...changes,
  }) as const;

/** Registers such a guard and approves the deposit's receipts for it. */
export async function setSale(world: World, borrower: Address, changes: object = {}): Promise<void> {
  const { chain } = world;
  const { collateralGuard } = saleContracts(world);
  const { timestamp } = await chain.getBlock();
  const args = [saleTerms(world, borrower, timestamp, changes)] as const;
  await chain.send(borrower, vETH, { abi: erc20Abi, functionName: 'approve', args: [collateralGuard, maxUint128] });
  await chain.send(borrower, collateralGuard, { abi: collateralGuardAbi, functionName: 'register', args });
}

/** Ten ETH of collateral, 80 % of whose 40,000 USD count; borrows that many USDT, which leave the borrower. */
export async function borrowAndSpend(chain: Chain, borrower: Address, usdt: string): Promise<void> {
  await borrow(chain, borrower, usdt, { ETH: '10' });
  const args = [treasurer, parseEther(usdt)] as const;
  await chain.send(borrower, tokens.USDT, { abi: erc20Abi, functionName: 'transfer', args });
}

/** A guard's rescues as recorded, oldest first. */
export function salesOf(world: World, guardId: bigint) {
  const call = { abi: collateralGuardAbi, functionName: 'rescues', args: [guardId, 0n, 10n] } as const;
  return world.chain.readContract({ address: saleContracts(world).collateralGuard, ...call });
}
