import { addressOf } from '@bowline/chain/drafts/address';
import type { Deployment } from '@bowline/chain/drafts/deployment';
import { refusalOf } from '@bowline/chain/errors';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, type PublicClient, parseAbi } from 'viem';
import { z } from 'zod';
import { AgentError, connectAgent } from './agent.ts';

/** An agent of ERC-8004's registry. */
export interface FoundAgent {
  /** For `connectAgent`. */
  readonly url: string;
  readonly name: string;
  /** Owns the entry, and vouches for all that the agent states about itself. */
  readonly owner: Address;
  /** Its other protocols, e.g. `MCP` and `A2A`, with their endpoints. */
  readonly services: readonly { readonly name: string; readonly endpoint: string }[];
  readonly deployment: Deployment;
}

const registryAbi = parseAbi([
  'function tokenURI(uint256 agentId) view returns (string)',
  'function ownerOf(uint256 agentId) view returns (address)',
]);

/** ERC-8004's registration file. */
const registration = z.looseObject({
  name: z.string(),
  active: z.boolean(),
  services: z.array(z.looseObject({ name: z.string(), endpoint: z.string() })),
  registrations: z.array(z.looseObject({ agentId: z.union([z.int(), z.string()]), agentRegistry: z.string() })),
});

/** Path below a Bowline agent's address where it states its deployment. */
const STATEMENT = '/.well-known/bowline.json';
const PATIENCE_MS = 10_000;

/**
 * Finds a Bowline agent by its entry in a registry of ERC-8004, and reads where it is and which contracts it serves.
 * @param fetch replaces the platform's.
 * @throws AgentError: `not_registered`, `not_active`, `other_registration` if its file does not name the entry, `other_deployment` if it
 *   serves another chain or, where the package knows the deployment, other contracts, `unreachable`; and viem's errors of the node.
 */
export async function findAgent(
  client: Pick<PublicClient, 'readContract' | 'getChainId'>,
  registry: Address,
  agentId: bigint,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<FoundAgent> {
  const address = addressOf('registry', registry);
  const entry = `eip155:${await client.getChainId()}:${address}`;
  const read = (functionName: 'tokenURI' | 'ownerOf') =>
    client.readContract({ address, abi: registryAbi, functionName, args: [agentId] });
  const [uri, owner] = await Promise.all([read('tokenURI'), read('ownerOf')]).catch((cause: unknown) => {
    if (refusalOf(cause) === undefined) throw cause;
    throw new AgentError('not_registered', `${entry} has no agent ${agentId}.`, { cause });
  });
  const { name, active, services, registrations } = await registrationAt(uri, fetch);
  const isThis = ({ agentId: id, agentRegistry }: { agentId: number | string; agentRegistry: string }) =>
    String(id) === agentId.toString() && sameAddress(agentRegistry, entry);
  if (!registrations.some(isThis)) {
    throw new AgentError('other_registration', `${uri} does not belong to agent ${agentId} of ${entry}.`);
  }
  if (!active) throw new AgentError('not_active', `Agent ${agentId} of ${entry} says that it is not active.`);
  const stated = services.find((service) => service.name === 'bowline' && service.endpoint.endsWith(STATEMENT));
  if (stated === undefined) throw new AgentError('unreachable', `${uri} names no Bowline agent.`);
  const url = stated.endpoint.slice(0, -STATEMENT.length);
  const deployment = await connectAgent(url, fetch).deployment();
  if (!entry.startsWith(`eip155:${deployment.chainId}:`)) {
    throw new AgentError('other_deployment', `${url} serves chain ${deployment.chainId}, not the registry's.`);
  }
  return { url, name, owner: owner as Address, services, deployment };
}

async function registrationAt(uri: string, fetch: typeof globalThis.fetch) {
  try {
    const response = await fetch(uri, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return registration.parse(await response.json());
  } catch (cause) {
    throw new AgentError('unreachable', `There is no registration file at ${uri.slice(0, 200)}.`, { cause });
  }
}
