import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ChainClient } from '@bowline/chain/chain-client';
import { refusalOf } from '@bowline/chain/errors';
import { bscChainId, bscTestnetChainId } from '@bowline/core/domain/chains';
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
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { exitCodes, type Options, UsageError } from './commands.ts';
import { placeOf, say } from './home.ts';
import { hostOf } from './host.ts';
import { readRecord, recordPath } from './record.ts';
import { openSending } from './sending/bounds.ts';
import { accountsOf, neededOf } from './sending/keys.ts';
import { type SendBounds, sendAs } from './sending/send.ts';

/** ERC-8004's agent registries, by chain. */
export const registries: Readonly<Record<number, Address>> = {
  [bscChainId]: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
  [bscTestnetChainId]: '0x8004A818BFB912233c491871b3d84c89A494BD9e',
};

/**
 * `npx bowline register --agent URL`: registers the agent once in ERC-8004's registry, with the seller's key
 * (SELLER_PRIVATE_KEY, or its file or remote signer). The agent then shows its number in
 * /.well-known/agent-registration.json.
 */
export async function registerAgent(options: Options<'register'>) {
  const host = hostOf();
  const { client, bounds } = await openSending(host, options);
  const { chainId } = bounds;
  const { registration: file } = dataPlaces(placeOf(`${options.data ?? host.data}/`));
  const registry = registryOf(chainId, options.deployments ?? host.deployments);
  const { registration, done } = await register({
    client,
    bounds,
    registry,
    // Its key is read only from the shell.
    seller: neededOf(accountsOf(['SELLER_PRIVATE_KEY'], process.env, chainId), 'SELLER_PRIVATE_KEY'),
    publicUrl: publicUrlOf(options.agent ?? host.agentUrl, chainId),
    known: options.id ? { agentId: options.id, agentRegistry: `eip155:${chainId}:${registry}` } : readKnown(file),
  });
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(registration, null, 2)}\n`);
  const words = {
    registered: 'Registered',
    updated: 'Its address was updated; registered',
    nothing: 'Already registered',
  };
  say(`${words[done]} as agent ${registration.agentId} of ${registration.agentRegistry}.`);
  return exitCodes.done;
}

function readKnown(file: URL): Registration | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Registration) : undefined;
}

function registryOf(chainId: number, deployments: string): Address {
  const registry = registries[chainId] ?? readRecord(recordPath(chainId, deployments))?.identity;
  if (registry === undefined) throw new Error(`No agent registry is known on chain ${chainId}.`);
  return registry;
}

/** Strangers will look for the agent at this URL. */
function publicUrlOf(agent: string, chainId: number): string {
  const url = URL.parse(agent);
  if (url === null || /[?#]|\/$/.test(agent))
    throw new UsageError('--agent must be a URL without a trailing slash, ? or #.');
  if (chainId === bscChainId && url.protocol !== 'https:') throw new UsageError('--agent must use https on BNB Chain.');
  return agent;
}

/** An agent's entry in an ERC-8004 registry. */
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
  /** Becomes the entry's owner. It is the seller's, because offers recover to its address. */
  readonly seller: LocalAccount;
  /** The agent's URL, without a trailing slash. */
  readonly publicUrl: string;
  /** An earlier registration; undefined if none is known. */
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
 * Registers the agent unless it is registered. Its entry links to the agent's own document, so changes of the document
 * do not touch it. Reads from the chain whether the owner has an entry: nothing is registered twice.
 * @returns the entry, and what was done for it. @throws one line with the cause.
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
      // The entry does not exist.
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
    throw new Error(`${owner} already has an entry, but the node does not return its ID: pass it with --id.`);
  }

  const send = (data: Hex) => sendAs(client, seller, { to: registry, data }, bounds);
  const id = await found();
  if (id === undefined) {
    const { logs } = await send(encodeFunctionData({ abi, functionName: 'register', args: [uri] }));
    const own = parseEventLogs({ abi: [registered], logs }).find(
      ({ address, args }) => sameAddress(address, registry) && sameAddress(args.owner, owner),
    );
    if (own === undefined) throw new Error('The registration shows no entry of this owner: run this again.');
    return { registration: { agentId: own.args.agentId.toString(), agentRegistry }, done: 'registered' };
  }
  const registration = { agentId: id.toString(), agentRegistry };
  if ((await client.readContract({ ...contract, functionName: 'tokenURI', args: [id] })) === uri) {
    return { registration, done: 'nothing' };
  }
  await send(encodeFunctionData({ abi, functionName: 'setAgentURI', args: [id, uri] }));
  return { registration, done: 'updated' };
}
