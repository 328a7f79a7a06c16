import { commonSettings } from '@bowline/http/common-settings';
import { group } from '@bowline/http/environment';
import { apiKey, host, isWebSocketUrl, secret, url, wholeNumber, words } from '@bowline/http/setting-schemas';
import { z } from 'zod';

// The settings of the page server, each declared once. After a change, run npm run lab -- settings.

/** Only an origin may get into the content policy, no other text. */
const isOrigin = (text: string): boolean => URL.parse(text)?.origin === text;

export const settings = {
  ...commonSettings,
  ...group('Price sources', {
    MARKET_DATA_KEY: {
      about:
        "Key of the exchange's API, if it requires one: printable ASCII without spaces. It stays on the page server.",
      schema: secret(apiKey).optional(),
    },
  }),
  ...group('Page server', {
    WEB_HOST: {
      about:
        'Address that the page server listens on. Set it where visitors are on other machines: nobody else reaches the default.',
      schema: host,
      default: '127.0.0.1',
    },
    WEB_PORT: {
      about: 'Port that the page server listens on. Set it if another program has the default. 0 takes any free port.',
      schema: wholeNumber(0, 65_535),
      default: '3000',
    },
    AGENT_URL: {
      about: 'Address of the agent. Set it if the agent runs elsewhere: without an agent, the page has no verdicts.',
      schema: secret(url),
      default: 'http://127.0.0.1:4020',
    },
    WEB_RPC_URL: {
      about:
        'JSON-RPC address of the node from which the page reads the chain. It is public. The build pins it into the page, together with CHAIN and the contracts, and the page refuses to work with a server that has other values: after a change, build again.',
      schema: url,
      default: { local: 'http://127.0.0.1:8545' },
    },
    WEB_AUDIT_NODES: {
      about:
        "Other nodes that a visitor may name for an audit: origins such as https://bsc.example, or https: for any. For an operator who lets visitors audit without the operator's own node. The page's content policy then lets it reach them, so any code in the page could, too. After a change, build again.",
      schema: words(
        (word) => word === 'https:' || isOrigin(word),
        'must be origins such as https://bsc.example, or https:',
      ).optional(),
    },
  }),
  ...group('Other wallets', {
    SAFE_APPS: {
      about:
        "Origins of Safe's web app in which a Safe's owners may open the page, such as https://app.safe.global. Nobody else may frame it. After a change, build again.",
      schema: words(isOrigin, 'must be origins such as https://app.safe.global').optional(),
    },
    WALLETCONNECT_PROJECT_ID: {
      about:
        'WalletConnect project id, which is public. With it, the page offers wallets on other devices through a QR code, and its content policy lets it reach the relay and the verification frame. Nothing of it is loaded until a visitor asks for it. After a change, build again.',
      schema: z
        .string()
        .regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits')
        .optional(),
    },
    WALLETCONNECT_RELAY: {
      about:
        'Relay of WalletConnect. Set it where the default cannot be reached, for example wss://relay.walletconnect.com. After a change, build again.',
      schema: z
        .string()
        .refine((text) => isWebSocketUrl(text) && isOrigin(text), 'must be an origin such as wss://relay.example'),
      default: 'wss://relay.walletconnect.org',
    },
  }),
};

/** Former settings, and the ones that replace them. */
export const former = {
  WEB_ALLOWED_HOSTS: 'ALLOWED_HOSTS',
  WEB_TRUSTED_PROXIES: 'TRUSTED_PROXIES',
  LENDING_OFF: '',
  WEB_FILES: '',
};
