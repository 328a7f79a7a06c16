import type { Hex } from 'viem';
import { injected } from 'wagmi/connectors/injected';
import { tabStorage } from '../storage.ts';

/** True only in a build for the local chain; every other build leaves this wallet out. Undefined without a build. */
declare const BOWLINE_HAS_DEMO_WALLET: boolean;

/** Only this connector has this type: wagmi creates the ones of announced wallets, with its own type. */
export const DEMO_TYPE = 'bowline-demo';
/** Storage key for the connected state, so that the connection survives a reload. */
const KEY = 'bowline.demo';

interface Asked {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/**
 * A wallet with a publicly known key of the local chain. It signs without asking.
 * @param rpcUrl a node; each time, it is asked whether it is on the local chain.
 */
function demoProvider(rpcUrl: string) {
  return {
    async request({ method, params = [] }: Asked): Promise<unknown> {
      // wagmi asks for accounts at each visit. Without a connection, answer without loading the wallet.
      if (method === 'eth_accounts' && tabStorage.getItem(KEY) === null) return [];
      const { createDemo } = await import('./demo-account.ts');
      const demo = createDemo(rpcUrl);
      switch (method) {
        case 'eth_requestAccounts':
          await demo.assertLocal();
          tabStorage.setItem(KEY, 'yes');
          return [demo.address];
        case 'eth_accounts':
          return [demo.address];
        case 'wallet_revokePermissions':
          tabStorage.removeItem(KEY);
          return null;
        case 'eth_sendTransaction':
          return demo.send(params[0] as { to: Hex; data: Hex; value?: Hex });
        case 'eth_chainId':
        case 'eth_estimateGas':
          return demo.forward(method, params);
        default:
          throw Object.assign(new Error('The demo wallet does not know this.'), { code: -32_601 });
      }
    },
    on() {},
    removeListener() {},
  };
}

/** The demo wallet as a connector, in a build that has it. */
export function demoConnectors(rpcUrl: string) {
  if (typeof BOWLINE_HAS_DEMO_WALLET === 'undefined' || !BOWLINE_HAS_DEMO_WALLET) return [];
  const provider = demoProvider(rpcUrl) as never;
  const create = injected({ target: () => ({ id: 'demo', name: 'Demo wallet', provider }) });
  return [(config: Parameters<typeof create>[0]) => ({ ...create(config), type: DEMO_TYPE })];
}
