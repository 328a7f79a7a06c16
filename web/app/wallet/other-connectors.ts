import type { CreateConnectorFn } from 'wagmi';
import type { Settings } from '../api/settings.ts';

/** Connector types that no announced wallet has. */
export const WALLET_CONNECT = 'walletConnect';
export const SAFE = 'safe';

/** Tests without browser types also read this file. */
const isFramed = (): boolean => {
  const { parent, self } = globalThis as { readonly parent?: unknown; readonly self?: unknown };
  return parent !== self;
};

/** Wallets outside this browser. Each is offered if the operator has set it, and loaded when it is used. */
export function otherConnectors({ walletConnect, safeApps }: Settings): CreateConnectorFn[] {
  const connectors: CreateConnectorFn[] = [];
  if (walletConnect)
    connectors.push(
      lateConnector({
        ...{ id: WALLET_CONNECT, name: 'WalletConnect' },
        load: async () => (await import('./other-wallets.ts')).viaRelay(walletConnect),
        // The connector itself stores the chains of its session; there are none after the session has ended.
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

interface Late {
  readonly id: string;
  readonly name: string;
  readonly load: () => Promise<CreateConnectorFn>;
  /** Whether it may hold a connection from an earlier visit. If not, its code is not loaded before a press. */
  readonly mayHold: (config: Parameters<CreateConnectorFn>[0]) => Promise<boolean>;
}

/** A connector whose code is loaded on first use. Its type is its id. */
export function lateConnector({ id, name, load, mayHold }: Late): CreateConnectorFn {
  return (config) => {
    let loading: Promise<Record<string, ((...parameters: unknown[]) => unknown) | undefined>> | undefined;
    async function loaded() {
      loading ??= load().then((create) => {
        const connector = create(config);
        void connector.setup?.();
        return connector as never;
      });
      try {
        return await loading;
      } catch (error) {
        // The next attempt may load its code.
        loading = undefined;
        throw error;
      }
    }
    const late =
      (method: string) =>
      async (...parameters: unknown[]) => {
        const connector = await loaded();
        if (!connector[method]) throw new Error(`${name} has no ${method}.`);
        return connector[method](...parameters);
      };
    const ifHeld = (method: string) => async () => (loading || (await mayHold(config)) ? late(method)() : undefined);
    const connector = {
      ...{ id, name, type: id, connect: late('connect'), disconnect: late('disconnect') },
      ...{ getAccounts: late('getAccounts'), getChainId: late('getChainId'), switchChain: late('switchChain') },
      ...{ getProvider: ifHeld('getProvider'), isAuthorized: ifHeld('isAuthorized') },
      ...{ onAccountsChanged() {}, onChainChanged() {}, onDisconnect() {} },
    };
    return connector as never;
  };
}
