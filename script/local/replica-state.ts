import { gunzipSync } from 'node:zlib';
import { bscChainId, bscTestnetChainId } from '@bowline/core/domain/chains';
import { type Address, hexToBytes } from 'viem';
import { deployAccountAbstraction } from './account-abstraction.ts';
import { isTestnet } from './addresses.ts';
import { startAnvil } from './anvil.ts';
import { fetchPackage } from './artifacts.ts';
import { connect } from './chain.ts';
import { packages } from './packages.ts';
import { addLiquidity, createPools, deployPancake } from './pancake.ts';
import { deployShare } from './share.ts';
import { deployTokens } from './tokens.ts';
import { deployVenus } from './venus.ts';

/** Anvil's first account, whose key is public. It owns the replica's liquidity and a large balance of every token. */
export const treasurer: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const minute = 60;

export const replicaSettings = [
  ...['--chain-id', String(isTestnet ? bscTestnetChainId : bscChainId)],
  // Contracts are placed in the name of their mainnet owners, who pay no gas.
  ...['--auto-impersonate', '--base-fee', '0', '--gas-price', '0', '--gas-limit', '140000000'],
];

/**
 * A dump without the transactions of the build, which are more than half of it. The headers stay: a fork asks for the final block,
 * which is one of them for its first minute, and contracts for their hashes.
 */
function withoutBodies(dump: Uint8Array): string {
  const state = JSON.parse(new TextDecoder().decode(dump)) as { blocks: { transactions: unknown[] }[] };
  const blocks = state.blocks.map((block) => ({ ...block, transactions: [] }));
  return JSON.stringify({ ...state, blocks, transactions: [] });
}

/** Builds the replica from its packages, with an hour of history, and answers its state as anvil loads it. */
export async function buildState(): Promise<string> {
  // Before the clock is read: a slow download would leave the replica behind the present.
  await Promise.all(packages.map((pkg) => fetchPackage(pkg)));
  const now = Math.floor(Date.now() / 1000);
  const anvil = await startAnvil([...replicaSettings, '--timestamp', String(now - 60 * minute)]);
  try {
    const chain = connect(anvil.url);
    await deployTokens(chain, treasurer, treasurer);
    await deployShare(chain, treasurer, treasurer);
    await deployPancake(chain, treasurer);
    await createPools(chain, treasurer);
    // A pool writes one observation per second, so this must not be the second that created the pool.
    await chain.increaseTime({ seconds: minute });
    await addLiquidity(chain, treasurer);
    // Pools are now an hour old, as a TWAP requires.
    await chain.setNextBlockTimestamp({ timestamp: BigInt(now) });
    await deployVenus(chain, treasurer);
    await deployAccountAbstraction(chain, treasurer);
    return withoutBodies(gunzipSync(hexToBytes(await chain.dumpState())));
  } finally {
    await anvil.stop();
  }
}
