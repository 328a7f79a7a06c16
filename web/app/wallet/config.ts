import { defineChain } from 'viem';
import { createConfig, createStorage, http } from 'wagmi';
import { injected } from 'wagmi/connectors/injected';
import type { Settings } from '../api/settings.ts';
import type { Line } from '../chain/line.ts';
import { browserStorage } from '../storage.ts';
import { demoConnectors } from './demo.ts';
import { otherConnectors } from './other-connectors.ts';

/** How one chain is read. */
function reading({ chainId: id, chainName: name, rpcUrl, explorerUrl }: Settings, line: Line) {
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    ...(explorerUrl && { blockExplorers: { default: { name: 'Explorer', url: explorerUrl } } }),
  });
  return {
    chains: [chain] as const,
    // With a block every half second, a price or balance from four seconds ago is wrong.
    cacheTime: 0,
    pollingInterval: 1_000,
    // Merged reads return as one answer, which fails as a whole above 24 kB: see packages/chain/paginated-reads.ts.
    batch: { multicall: false },
    transports: { [id]: line.watch(http(rpcUrl, { timeout: 8_000 })) },
  };
}

/** Offers wallets that announce themselves (EIP-6963), and window.ethereum for older ones. */
export const walletConfig = (settings: Settings, line: Line) =>
  createConfig({
    ...reading(settings, line),
    connectors: [injected(), ...demoConnectors(settings.rpcUrl), ...otherConnectors(settings)],
    multiInjectedProviderDiscovery: true,
    storage: createStorage({ storage: browserStorage }),
  });

/** Read-only: no wallet, and nothing stored in the browser. */
export const nodeConfig = (settings: Settings, line: Line) =>
  createConfig({
    ...reading(settings, line),
    connectors: [],
    multiInjectedProviderDiscovery: false,
    storage: null,
  });
