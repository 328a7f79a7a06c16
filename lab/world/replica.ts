import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bscChainId, bscTestnetChainId } from '@bowline/core/domain/chains';
import type { Address } from 'viem';
import { isTestnet } from './addresses.ts';
import { type Anvil, endWithThisProcess, startAnvil } from './anvil.ts';
import { blockGas } from './block.ts';
import { connect } from './chain.ts';
import { kept } from './kept.ts';
import { answerAnew } from './oracle.ts';

/** Anvil's first account, whose key is public. It owns the replica's liquidity and a large balance of every token. */
export const treasurer: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

export const replicaSettings = [
  ...['--chain-id', String(isTestnet ? bscTestnetChainId : bscChainId)],
  // Contracts are placed in the name of their mainnet owners, who pay no gas.
  ...['--auto-impersonate', '--base-fee', '0', '--gas-price', '0', '--gas-limit', String(blockGas)],
];

/** More seconds than the build has blocks after its history, at one a second. */
const buildingSeconds = 600;

/**
 * Starts the replica of BNB Chain, chain id 56, at the current time, or at a time given in unix seconds. It then mines no further blocks: forks read from
 * it lazily and would break if it advanced. The first start builds the replica and keeps its state; later starts load
 * that.
 */
export async function startReplica(at?: number): Promise<Anvil> {
  const setting = [...(isTestnet ? ['bsc-testnet'] : []), ...(at === undefined ? [] : [at])].join();
  const registry = ['assets', 'bsc', 'bsc-testnet'].map((name) => `packages/core/registry/${name}.json`);
  const state = await kept('replica', ['lab/world', 'test/mocks', ...registry], setting, () =>
    builtElsewhere(at === undefined ? undefined : at - buildingSeconds),
  );
  const anvil = await startAnvil([...replicaSettings, '--load-state', state]);
  try {
    const chain = connect(anvil.url);
    if (at !== undefined) await chain.setNextBlockTimestamp({ timestamp: BigInt(at) });
    // A loaded state may be old, and old prices would be refused.
    await answerAnew(chain);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  return anvil;
}

/**
 * Builds the state in its own process (build-replica.ts): here, the dump and the code that reads it would stay in memory
 * for as long as the chain runs.
 * @throws that process's own error output.
 */
async function builtElsewhere(at?: number): Promise<string> {
  const path = fileURLToPath(new URL('build-replica.ts', import.meta.url));
  const building = promisify(execFile)(process.execPath, [path, ...(at === undefined ? [] : [String(at)])], {
    maxBuffer: 2 ** 28,
  });
  endWithThisProcess(building.child);
  // Shows what it downloads.
  building.child.stderr?.pipe(process.stderr, { end: false });
  return (await building).stdout;
}
