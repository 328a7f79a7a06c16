import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Address } from 'viem';
import { isTestnet } from '../addresses.ts';
import { connect } from '../chain.ts';
import { deployOwn, keeper, type OwnContracts } from '../deployment.ts';
import { deployEscrow, type Escrow } from '../escrow.ts';
import { localChainId } from '../fork.ts';
import { deployIdentity } from '../identity.ts';
import { minedAtOnce } from '../miner.ts';
import { type AgentKeys, publicKeys } from './agent-keys.ts';

/** The addresses of this project's contracts, and of the escrow in which its agent's work is bought. */
export type Contracts = OwnContracts & {
  readonly escrow: Escrow;
  /** The registry of agents (ERC-8004). */
  readonly identity: Address;
};

/** On BNB Chain, this is seven days. */
const disputeWindowSeconds = 10;

const root = fileURLToPath(new URL('../../../', import.meta.url));

export { keeper };

/**
 * Puts the contracts of script/Deploy.s.sol (`deployOwn`) and the escrow on a local chain, for an agent's keys, and
 * writes the record that the script's `record` would write there, with the escrow and the signer of verdicts added.
 * @param deployments folder for the record, from the project's own.
 * @param options their accounts. Without a maker there is no QuoteDesk: by default only the test network has one.
 * @throws forge's own error output.
 */
export async function deployContracts(
  rpcUrl: string,
  deployments: string,
  signal: AbortSignal,
  {
    operator = keeper,
    keys = publicKeys,
    maker = isTestnet ? keys.keeper.address : undefined,
  }: Partial<{ operator: Address; keys: AgentKeys; maker: Address | undefined }> = {},
): Promise<Contracts> {
  const chain = connect(rpcUrl);
  const contracts = await minedAtOnce(chain, async () => {
    const own = await deployOwn(rpcUrl, operator, signal, maker).catch((error: Error) => {
      throw new Error(`The contracts could not be deployed:\n${error.message.trim()}`);
    });
    const escrow = await deployEscrow(chain, disputeWindowSeconds);
    return { ...own, escrow, identity: await deployIdentity(chain) };
  });
  mkdirSync(`${root}${deployments}`, { recursive: true });
  const record = { chainId: localChainId, ...contracts, verdictSigners: [keys.verdictSigner.address] };
  writeFileSync(`${root}${deployments}/${localChainId}.json`, `${JSON.stringify(record, null, 2)}\n`);
  return contracts;
}
