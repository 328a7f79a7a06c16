import { defineChain } from 'viem';
import { createConfig, http } from 'wagmi';
import type { PageConfig } from '../../wire.ts';

/** Wallets announce themselves (EIP-6963). Reading goes past them, through the node that the server names. */
export function walletConfig({ chainId, chainName, rpcUrl }: PageConfig) {
  const chain = defineChain({
    id: chainId,
    name: chainName,
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  return createConfig({
    chains: [chain],
    transports: { [chain.id]: http(rpcUrl) },
    pollingInterval: 1_000,
    // Blocks come every half second, and a block number that is remembered is an old one.
    cacheTime: 0,
    multiInjectedProviderDiscovery: true,
  });
}
