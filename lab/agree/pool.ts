import type { Abi, Hex } from 'viem';
import { factoryAbi } from '../world/abis.ts';
import { loadPackage } from '../world/artifacts.ts';
import { compiledOf } from '../world/compiled.ts';
import { pancakeCore } from '../world/packages.ts';
import { poolDeployer } from '../world/pancake.ts';
import type { Contract, Deployer } from './deployer.ts';

// PancakeSwap's own pool of two of the stage's tokens. A case sets its price and its depth.

/** In hundredths of a basis point. */
export const POOL_FEE = 500;
const plenty = 10n ** 40n;
const creationCodeAt = `0x${'c0de'.repeat(10)}` as const;

export interface Pool extends Contract {
  readonly deployer: Contract;
}

/** A pool without a price, with enough of both tokens. */
export async function createPool(by: Deployer, a: Contract, b: Contract): Promise<Pool> {
  const { Factory, Pool } = loadPackage(pancakeCore);
  await by.chain.setCode({ address: creationCodeAt, bytecode: Pool.bytecode });
  const deployer = await by.create(await compiledOf(poolDeployer), [creationCodeAt]);
  const factory = await by.create(Factory, [deployer.address]);
  await by.transact(deployer, 'setFactoryAddress', factory.address);
  await by.transact(factory, 'createPool', a.address, b.address, POOL_FEE);
  const address = await by.chain.readContract({
    address: factory.address,
    abi: factoryAbi,
    functionName: 'getPool',
    args: [a.address, b.address, POOL_FEE],
  });
  for (const token of [a, b]) await by.transact(token, 'mint', address, plenty);
  return { address, abi: Pool.abi as Abi, deployer };
}

/** Slot of the pool's `liquidity`. It has no other, so it is equally deep at every price. */
export const liquiditySlot: Hex = `0x${'5'.padStart(64, '0')}`;
