import { type ChainClient, connectChain } from '@bowline/chain/chain-client';
import { checkChain } from '@bowline/chain/check-address-book';
import { chainIds } from '@bowline/http/common-settings';
import { readEnvironment } from '@bowline/http/environment';
import { settings } from '../../agent/src/settings.ts';
import type { Host } from '../host.ts';
import { chainOption } from '../values.ts';
import type { SendBounds } from './send.ts';

/**
 * The node that a command sends through, and its bounds. Both come from the agent's settings and never from the node,
 * because the node's answers decide what is signed.
 * @throws one line for each wrong setting, or if the node serves another chain.
 */
export async function openSending(
  host: Host,
  { rpc, chain }: { readonly rpc?: string; readonly chain?: string },
): Promise<{ readonly client: ChainClient; readonly bounds: SendBounds }> {
  const { CHAIN, MAX_GAS_PRICE_GWEI } = settings;
  const read = readEnvironment({ CHAIN, MAX_GAS_PRICE_GWEI }, host.environment);
  const chainId = chain === undefined ? chainIds[read.CHAIN] : chainOption(chain);
  const client = connectChain(rpc ?? host.rpcUrls()[0]);
  await checkChain(client, chainId);
  return { client, bounds: { chainId, maxGasPriceWei: read.MAX_GAS_PRICE_GWEI } };
}
