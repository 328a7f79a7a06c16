import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Address } from 'viem';
import { connect } from '../chain.ts';
import { deployOwn, keeper, type OwnContracts } from '../deployment.ts';
import { deployEscrow, type Escrow } from '../escrow.ts';
import { localChainId } from '../fork.ts';
import { deployIdentity } from '../identity.ts';

/** Where this project's contracts stand, and the escrow in which its agent's work is bought. */
export type Contracts = OwnContracts & {
  readonly escrow: Escrow;
  /** The registry of agents (ERC-8004). */
  readonly identity: Address;
};

/** Seven days on BNB Chain. */
const disputeWindowSeconds = 20;

const root = fileURLToPath(new URL('../../../', import.meta.url));

export { keeper };

/** Anvil's twelfth account, which submits rescues for the agent of `npm start`. Its key is public. */
export const rescuer = {
  address: '0x71bE63f3384f5fb98995898A86B02Fb2426c5788',
  key: '0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82',
} as const;

/** Signs the verdicts of an agent on a local chain, by a key that is public (`localKeys` in agent/src/settings.ts). */
const verdictSigner: Address = '0x91B0Ed52A74b4f28559EE833CfB04312776e8EE6';

/**
 * Puts the contracts of script/Deploy.s.sol (`deployOwn`) and the escrow on a local chain, with its well-known keys, and
 * writes the record that the script's `record` would write there, with the escrow and the signer of verdicts added.
 * @param deployments folder for the record, from the project's own.
 * @param operator of SwapExecutor.
 * @throws forge's own error output.
 */
export async function deployContracts(
  rpcUrl: string,
  deployments: string,
  signal: AbortSignal,
  operator: Address = keeper,
): Promise<Contracts> {
  const own = await deployOwn(rpcUrl, operator, signal).catch((error: Error) => {
    throw new Error(`The contracts could not be deployed:\n${error.message.trim()}`);
  });
  const chain = connect(rpcUrl);
  const escrow = await deployEscrow(chain, disputeWindowSeconds);
  const contracts = { ...own, escrow, identity: await deployIdentity(chain) };
  mkdirSync(`${root}${deployments}`, { recursive: true });
  const record = { chainId: localChainId, ...contracts, verdictSigners: [verdictSigner] };
  writeFileSync(`${root}${deployments}/${localChainId}.json`, `${JSON.stringify(record, null, 2)}\n`);
  return contracts;
}
