import type { ChainClient } from '@bowline/chain/chain-client';
import { refusalOf } from '@bowline/chain/errors';
import { sameAddress } from '@bowline/core/domain/same-address';
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  parseAbiItem,
  parseEventLogs,
} from 'viem';
import { type SendBounds, sendAs } from '../sending/send.ts';

/** An agent's entry in a registry of ERC-8004. */
export interface Registration {
  /** The first agent of a registry is number 0. */
  readonly agentId: string;
  /** As registration files name it: `eip155:<chain>:<registry>`. */
  readonly agentRegistry: string;
}

export interface RegisterOptions {
  readonly client: ChainClient;
  readonly bounds: SendBounds;
  readonly registry: Address;
  /** Becomes the entry's owner: the seller's, whose address offers recover to. */
  readonly seller: LocalAccount;
  /** Where the agent is reached, without a trailing slash. */
  readonly publicUrl: string;
  /** What was registered before; undefined if nothing is known of it. */
  readonly known: Registration | undefined;
}

const abi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function ownerOf(uint256 agentId) view returns (address)',
  'function tokenURI(uint256 agentId) view returns (string)',
  'function register(string agentURI) returns (uint256 agentId)',
  'function setAgentURI(uint256 agentId, string newURI)',
]);
const registered = parseAbiItem('event Registered(uint256 indexed agentId, string agentURI, address indexed owner)');

/**
 * Registers the agent, unless it is. Its entry names the agent's own document, so that it need not change when that does.
 * @returns the entry, and what was done for it.
 * @throws one line with the cause. Whether the owner has an entry is read from the chain: nothing is registered twice.
 */
export async function register(
  options: RegisterOptions,
): Promise<{ readonly registration: Registration; readonly done: 'registered' | 'updated' | 'nothing' }> {
  const { client, bounds, registry, seller, publicUrl, known } = options;
  const contract = { address: registry, abi } as const;
  if ((await client.getCode({ address: registry })) === undefined) {
    throw new Error(`The chain has no registry at ${registry}.`);
  }
  const owner = seller.address;
  const agentRegistry = `eip155:${bounds.chainId}:${registry}`;
  const uri = `${publicUrl}/.well-known/agent-registration.json`;

  const ownerOf = (id: bigint) =>
    client.readContract({ ...contract, functionName: 'ownerOf', args: [id] }).catch((error: unknown) => {
      // There is no such entry.
      if (refusalOf(error) !== undefined) return undefined;
      throw error;
    });

  async function found(): Promise<bigint | undefined> {
    if (known && sameAddress(agentRegistry, known.agentRegistry)) {
      const id = BigInt(known.agentId);
      if ((await ownerOf(id)) === owner) return id;
    }
    if ((await client.readContract({ ...contract, functionName: 'balanceOf', args: [owner] })) === 0n) return undefined;
    const logs = await client
      .getLogs({ address: registry, event: registered, args: { owner }, fromBlock: 0n })
      .catch(() => []);
    for (const { args } of logs.toReversed()) {
      if (args.agentId !== undefined && (await ownerOf(args.agentId)) === owner) return args.agentId;
    }
    throw new Error(`${owner} has an entry already, and the node does not say which: name it with --id.`);
  }

  const send = (data: Hex) => sendAs(client, seller, { to: registry, data }, bounds);
  const id = await found();
  if (id === undefined) {
    const { logs } = await send(encodeFunctionData({ abi, functionName: 'register', args: [uri] }));
    const own = parseEventLogs({ abi: [registered], logs }).find(
      ({ address, args }) => sameAddress(address, registry) && sameAddress(args.owner, owner),
    );
    if (own === undefined) throw new Error('The registration has no entry yet: run this again.');
    return { registration: { agentId: own.args.agentId.toString(), agentRegistry }, done: 'registered' };
  }
  const registration = { agentId: id.toString(), agentRegistry };
  if ((await client.readContract({ ...contract, functionName: 'tokenURI', args: [id] })) === uri) {
    return { registration, done: 'nothing' };
  }
  await send(encodeFunctionData({ abi, functionName: 'setAgentURI', args: [id, uri] }));
  return { registration, done: 'updated' };
}
