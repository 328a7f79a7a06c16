import { bscChainId, bscTestnetChainId, localChainId } from '@bowline/core/domain/chains';
import { z } from 'zod';
import { group } from './environment.ts';
import { hosts, pageSecret, secret, urlOrOff, wholeNumber } from './setting-schemas.ts';

const chains = ['local', 'bsc', 'bsc-testnet'] as const;

/** Chain IDs of CHAIN's values. */
export const chainIds = { local: localChainId, bsc: bscChainId, 'bsc-testnet': bscTestnetChainId } as const;

/** Settings that the agent and the page server both read. */
export const commonSettings = {
  ...group('Chain', {
    CHAIN: {
      about:
        'local: a chain on this machine with id 31337. bsc: BNB Chain. bsc-testnet: its test network. Set it for anything but a trial on this machine.',
      schema: z.enum(chains, `must be one of ${chains.join(', ')}`),
      default: 'local',
    },
    DEPLOYMENTS_DIR: {
      about:
        'Folder of the deployment records that npx bowline deploy writes, relative to the project. Set it if they are kept elsewhere, for example with an installed archive: without a record, neither program starts.',
      schema: z.string(),
      default: 'script/deployments',
    },
  }),
  ...group('Price sources', {
    MARKET_DATA_URL: {
      about:
        'REST address of the exchange whose prices verdicts use, or off. The default on bsc serves only public prices and needs no key. Set it where that is not reachable: with off, verdicts rest on one fewer source.',
      schema: secret(urlOrOff),
      default: { local: 'http://127.0.0.1:4030', bsc: 'https://data-api.binance.vision' },
    },
  }),
  ...group('Agent server', {
    PAGE_SECRET: {
      about:
        "Secret by which the agent recognises its page server, which sends it with each request: 32 or more printable ASCII characters without spaces, the same for both (openssl rand -hex 32). For an operator of both: with it, the page's questions and drafts are free; without it, the page server is a caller like any other, which pays where there is a price, and all its visitors share one caller's limits. Use https between the two unless nobody else is on their network.",
      schema: secret(pageSecret).optional(),
    },
    ALLOWED_HOSTS: {
      about:
        "Additional host names and addresses, without a port, that requests and calling web pages may use. Needed to serve the agent or page under its own name: the address that it listens on and this machine's own names are always allowed; all others get host_not_allowed, except for the documents, terms and verdicts that any page may read. * allows all: use it only behind a gateway that checks hosts itself.",
      schema: hosts.optional(),
    },
  }),
  ...group('Request limits', {
    TRUSTED_PROXIES: {
      about:
        'Number of proxies in front of the server. Needed behind a proxy: without it, all callers count as one. Each must append the address of its caller to X-Forwarded-For. Limits identify a caller by the address that the outermost proxy reports: an IPv4 address, or an IPv6 /64. If the number is too high, a caller can forge its address.',
      schema: wholeNumber(0, 10),
      default: '0',
    },
  }),
};
