import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connectChain } from '@bowline/chain/chain-client';
import { checkChain } from '@bowline/chain/check-address-book';
import { bscChainId, localChainId } from '@bowline/core/domain/chains';
import { type Environment, readEnvFile } from '@bowline/http/environment';
import { type Address, BaseError, type LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { hostOf } from './host.ts';
import { onlyOptions } from './options.ts';
import { type Registration, register } from './register/register.ts';
import { registries } from './register/registries.ts';
import { boundsIn } from './sending/bounds.ts';
import { accountsOf } from './sending/keys.ts';

// `npx bowline register --agent URL`: puts the agent into ERC-8004's registry, in the name of the seller's key
// (SELLER_PRIVATE_KEY, or its file or remote signer), once. The agent then shows its number in /.well-known/agent-registration.json.

const root = new URL('../', import.meta.url);
/** The seller's public key of local chains, as in agent/src/settings.ts. */
const localSeller = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e';

try {
  const host = hostOf();
  const options = onlyOptions('npx bowline register', {
    agent: host.agentUrl,
    rpc: '',
    chain: '',
    deployments: host.deployments,
    data: host.data,
    id: '',
  });
  const client = connectChain(options.rpc || host.rpcUrls()[0]);
  // Keys come from the shell alone.
  const shell = { ...process.env };
  const bounds = boundsIn(readEnvFile(), options.chain);
  const { chainId } = bounds;
  await checkChain(client, chainId);
  const { registration: file } = dataPlaces(options.data, root);
  const registry = registryOf(chainId, new URL(`${options.deployments}/`, root));
  const { registration, done } = await register({
    client,
    bounds,
    registry,
    seller: sellerIn(shell, chainId),
    publicUrl: publicUrlOf(options.agent, chainId),
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
} catch (error) {
  // Of the node's client the first line alone: others quote the request and the address.
  const { message } = error as Error;
  process.stderr.write(`${error instanceof BaseError ? message.split('\n')[0] : message}\n`);
  process.exitCode = 1;
}

function readKnown(file: URL): Registration | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Registration) : undefined;
}

function registryOf(chainId: number, deployments: URL): Address {
  const known = registries[chainId];
  if (known !== undefined) return known;
  const file = new URL(`${chainId}.json`, deployments);
  const { identity } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { identity: undefined };
  if (identity === undefined) throw new Error(`Chain ${chainId} has no registry of agents that is known here.`);
  return identity;
}

function sellerIn(environment: Environment, chainId: number): LocalAccount {
  const account = accountsOf(['SELLER_PRIVATE_KEY'], environment, chainId)('SELLER_PRIVATE_KEY');
  if (account !== undefined) return account;
  if (chainId === localChainId) return privateKeyToAccount(localSeller);
  throw new Error('SELLER_PRIVATE_KEY is missing, or SELLER_PRIVATE_KEY_FILE.');
}

/** Strangers will look for it there. */
function publicUrlOf(agent: string, chainId: number): string {
  const url = URL.parse(agent);
  if (url === null || /[?#]|\/$/.test(agent))
    throw new Error('--agent must be a URL without a slash at its end, ? or #.');
  if (chainId === bscChainId && url.protocol !== 'https:') throw new Error('--agent must use https on BNB Chain.');
  return agent;
}
