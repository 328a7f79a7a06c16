import type { CreateConnectorFn } from 'wagmi';

interface Late {
  readonly id: string;
  readonly name: string;
  readonly load: () => Promise<CreateConnectorFn>;
  /** Whether it may hold a connection from an earlier visit. Otherwise nothing of it is loaded before a press. */
  readonly mayHold: (config: Parameters<CreateConnectorFn>[0]) => Promise<boolean>;
}

/** A connector whose code is loaded when it is used. Its type is its id. */
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
        // Its code may arrive the next time.
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
