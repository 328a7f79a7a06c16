import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { bscChainId, localChainId } from '@bowline/core/domain/chains';
import type { Address, LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { exitCodes, type Options, UsageError } from './commands.ts';
import { placeOf } from './home.ts';
import { hostOf } from './host.ts';
import { readRecord, recordPath } from './record.ts';
import { type Registration, register } from './register/register.ts';
import { registries } from './register/registries.ts';
import { openSending } from './sending/bounds.ts';
import { accountsOf } from './sending/keys.ts';

/** The seller's public key of local chains, as in agent/src/settings.ts. */
const localSeller = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e';

/**
 * `npx bowline register --agent URL`: puts the agent into ERC-8004's registry, in the name of the seller's key
 * (SELLER_PRIVATE_KEY, or its file or remote signer), once. The agent then shows its number in
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
    seller: sellerOf(chainId),
    publicUrl: publicUrlOf(options.agent ?? host.agentUrl, chainId),
    known: options.id ? { agentId: options.id, agentRegistry: `eip155:${chainId}:${registry}` } : readKnown(file),
  });
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(registration, null, 2)}\n`);
  const words = {
    registered: 'Registered',
    updated: 'Its address was updated; registered',
    nothing: 'Registered before',
  };
  process.stdout.write(`${words[done]} as agent ${registration.agentId} of ${registration.agentRegistry}.\n`);
  return exitCodes.done;
}

function readKnown(file: URL): Registration | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Registration) : undefined;
}

function registryOf(chainId: number, deployments: string): Address {
  const registry = registries[chainId] ?? readRecord(recordPath(chainId, deployments))?.identity;
  if (registry === undefined) throw new Error(`Chain ${chainId} has no registry of agents that is known here.`);
  return registry;
}

/** Its key comes from the shell alone. */
function sellerOf(chainId: number): LocalAccount {
  const account = accountsOf(['SELLER_PRIVATE_KEY'], process.env, chainId)('SELLER_PRIVATE_KEY');
  if (account !== undefined) return account;
  if (chainId === localChainId) return privateKeyToAccount(localSeller);
  throw new Error('SELLER_PRIVATE_KEY is missing, or SELLER_PRIVATE_KEY_FILE.');
}

/** Strangers will look for it there. */
function publicUrlOf(agent: string, chainId: number): string {
  const url = URL.parse(agent);
  if (url === null || /[?#]|\/$/.test(agent))
    throw new UsageError('--agent must be a URL without a slash at its end, ? or #.');
  if (chainId === bscChainId && url.protocol !== 'https:') throw new UsageError('--agent must use https on BNB Chain.');
  return agent;
}
