import { defineChain } from 'viem';
import { createConfig, http } from 'wagmi';
import { injected } from 'wagmi/connectors/injected';
import type { Settings } from '../api/settings.ts';

/** One chain; the wallets are those that announce themselves (EIP-6963), with window.ethereum for the older ones. */
export function walletConfig({ chainId: id, chainName: name, rpcUrl, explorerUrl }: Settings) {
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    ...(explorerUrl && { blockExplorers: { default: { name: 'Explorer', url: explorerUrl } } }),
  });
  return createConfig({
    chains: [chain],
    connectors: [injected()],
    multiInjectedProviderDiscovery: true,
    // A price or a balance of four seconds ago is a wrong one when blocks come every half second.
    cacheTime: 0,
    pollingInterval: 1_000,
    // Merged reads come back as one answer, which fails as a whole beyond 24 kB: see chain/in-pages.ts.
    batch: { multicall: false },
    transports: { [id]: http(rpcUrl, { timeout: 8_000 }) },
  });
}
