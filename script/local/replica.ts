import type { Address } from 'viem';
import { deployAccountAbstraction } from './account-abstraction.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { fetchPackage } from './artifacts.ts';
import { connect } from './chain.ts';
import { packages } from './packages.ts';
import { addLiquidity, createPools, deployPancake } from './pancake.ts';
import { deployShare } from './share.ts';
import { deployTokens } from './tokens.ts';
import { deployVenus } from './venus.ts';

/** Anvil's first account, whose key is public: it owns the replica's liquidity and a fortune in every token. */
export const treasurer: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const minute = 60;

/**
 * Builds the replica of BNB Chain, chain id 56. Once built it stands still: forks read from it as they go, and lose
 * their footing when it moves on.
 * @param clock seconds since the epoch. The replica's own clock ends there, and its history is an hour long.
 */
export async function startReplica(clock: () => number): Promise<Anvil> {
  // Before the clock is read: a slow download would leave the replica behind the present.
  await Promise.all(packages.map((pkg) => fetchPackage(pkg)));
  const now = clock();
  const history = 60 * minute;
  const anvil = await startAnvil([
    ...['--chain-id', '56', '--timestamp', String(now - history), '--hardfork', 'prague'],
    // Contracts are placed in the name of their mainnet owners, who pay nothing.
    ...['--auto-impersonate', '--base-fee', '0', '--gas-price', '0', '--gas-limit', '140000000'],
  ]);
  try {
    const chain = connect(anvil.url);
    await deployTokens(chain, treasurer, treasurer);
    await deployShare(chain, treasurer, treasurer);
    await deployPancake(chain, treasurer);
    await createPools(chain, treasurer);
    // A pool takes one observation in a second, so the second must not fall into the one that created it.
    await chain.increaseTime({ seconds: minute });
    await addLiquidity(chain, treasurer);
    // Pools are by now an hour old, as a TWAP needs; feeds are written last, because an old price is no price.
    await chain.setNextBlockTimestamp({ timestamp: BigInt(now) });
    await deployVenus(chain, treasurer);
    await deployAccountAbstraction(chain, treasurer);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  return anvil;
}
