import { bscChainId, bscTestnetChainId, localChainId } from '@bowline/core/domain/chains';
import { optionalLending } from '@bowline/core/registry/lending';
import { z } from 'zod';
import { group } from './environment.ts';
import { pageSecret, secret, urlOrOff, words } from './setting-schemas.ts';

const chains = ['local', 'bsc', 'bsc-testnet'] as const;

/** Chain IDs of CHAIN's values. */
export const chainIds = { local: localChainId, bsc: bscChainId, 'bsc-testnet': bscTestnetChainId } as const;

/** Settings that the agent and the page server both read. */
export const commonSettings = {
  ...group('Chain', {
    CHAIN: {
      about: 'local: a chain on this machine with id 31337. bsc: BNB Chain. bsc-testnet: its test network.',
      schema: z.enum(chains, `must be one of ${chains.join(', ')}`),
      default: 'local',
    },
    DEPLOYMENTS_DIR: {
      about: 'Folder of the deployment records that npx bowline deploy writes, relative to the project.',
      schema: z.string(),
      default: 'script/deployments',
    },
    LENDING_OFF: {
      about: `Lending protocols that are not used although their adapters are deployed, separated by commas: of ${optionalLending.join(', ')}. Their contracts are not looked for at the start, and their loans are neither read nor offered a guard. A guard that exists is still served.`,
      schema: words((word) => optionalLending.includes(word), `must be of ${optionalLending.join(', ')}`).optional(),
    },
  }),
  ...group('Price sources', {
    MARKET_DATA_URL: {
      about:
        'REST address of the exchange whose prices verdicts use, or off. The default on bsc serves only public prices and needs no key.',
      schema: secret(urlOrOff),
      default: { local: 'http://127.0.0.1:4030', bsc: 'https://data-api.binance.vision' },
    },
  }),
  ...group('Agent server', {
    PAGE_SECRET: {
      about:
        'Secret by which the agent recognises its page server, which sends it with each request: 32 or more printable ASCII characters without spaces, the same for both (openssl rand -hex 32). Use https between the two unless nobody else is on their network. Without it, the page server is a caller like any other.',
      schema: secret(pageSecret).optional(),
    },
  }),
};
