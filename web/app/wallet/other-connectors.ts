import type { CreateConnectorFn } from 'wagmi';
import type { Settings } from '../api/settings.ts';
import { lateConnector } from './late-connector.ts';

/** Their types, which no wallet that announces itself has. */
export const WALLET_CONNECT = 'walletConnect';
export const SAFE = 'safe';

/** Tests without a browser's types read this file, too. */
const isFramed = (): boolean => {
  const { parent, self } = globalThis as { readonly parent?: unknown; readonly self?: unknown };
  return parent !== self;
};

/** Wallets that are not in this browser: each if the operator has set it, and loaded when it is used. */
export function otherConnectors({ walletConnect, safeApps }: Settings): CreateConnectorFn[] {
  const connectors: CreateConnectorFn[] = [];
  if (walletConnect)
    connectors.push(
      lateConnector({
        ...{ id: WALLET_CONNECT, name: 'WalletConnect' },
        load: async () => (await import('./other-wallets.ts')).viaRelay(walletConnect),
        // Kept by the connector itself: the chains of its session, none after it was ended.
        async mayHold({ storage }) {
          const chains: unknown = await storage?.getItem(`${WALLET_CONNECT}.requestedChains` as never);
          return Array.isArray(chains) && chains.length > 0;
        },
      }),
    );
  if (safeApps && isFramed())
    connectors.push(
      lateConnector({
        ...{ id: SAFE, name: 'Safe' },
        load: async () => (await import('./other-wallets.ts')).inSafe(safeApps),
        mayHold: async () => true,
      }),
    );
  return connectors;
}
