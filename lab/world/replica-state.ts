import { gunzipSync } from 'node:zlib';
import { hexToBytes } from 'viem';
import { deployAccountAbstraction } from './account-abstraction.ts';
import { isTestnet } from './addresses.ts';
import { startAnvil } from './anvil.ts';
import { connect } from './chain.ts';
import { deployMoolah } from './moolah.ts';
import { addLiquidity, createPools, deployPancake } from './pancake.ts';
import { replicaSettings, treasurer } from './replica.ts';
import { deployTokens } from './tokens.ts';
import { deployVenus } from './venus.ts';

const minute = 60;

/**
 * A dump without the build's transactions, which are more than half of it. The headers stay: for its first minute a fork's
 * final block is one of them, and contracts read their hashes.
 */
function withoutBodies(dump: Uint8Array): string {
  const state = JSON.parse(new TextDecoder().decode(dump)) as { blocks: { transactions: unknown[] }[] };
  const blocks = state.blocks.map((block) => ({ ...block, transactions: [] }));
  return JSON.stringify({ ...state, blocks, transactions: [] });
}

/**
 * Builds the replica from its packages, with an hour of history, and returns its state in anvil's format.
 * @param at unix seconds at which the history ends, in blocks one second apart: every build is then equal. Default: now.
 */
export async function buildState(at?: number): Promise<string> {
  const now = at ?? Math.floor(Date.now() / 1000);
  const anvil = await startAnvil([...replicaSettings, '--timestamp', String(now - 60 * minute)]);
  try {
    const chain = connect(anvil.url);
    if (at !== undefined) await chain.setBlockTimestampInterval({ interval: 1 });
    await deployTokens(chain, treasurer, treasurer);
    await deployPancake(chain, treasurer);
    await createPools(chain, treasurer);
    // A pool writes one observation per second, so this must not be the second that created the pool.
    const { timestamp } = await chain.getBlock();
    await chain.setNextBlockTimestamp({ timestamp: timestamp + BigInt(minute) });
    await addLiquidity(chain, treasurer);
    // Pools are now an hour old, as a TWAP requires.
    await chain.setNextBlockTimestamp({ timestamp: BigInt(now) });
    await deployVenus(chain, treasurer);
    if (!isTestnet) await deployMoolah(chain, treasurer);
    await deployAccountAbstraction(chain, treasurer);
    return withoutBodies(gunzipSync(hexToBytes(await chain.dumpState())));
  } finally {
    await anvil.stop();
  }
}
