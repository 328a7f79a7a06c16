import { chainIds } from '@bowline/http/common-settings';
import { type Environment, formerSettings, readEnvFile, readEnvironment } from '@bowline/http/environment';
import { placeIn } from '@bowline/http/place';
import type { Secret } from '@bowline/http/secret';
import { allowedHosts } from '@bowline/http/setting-schemas';
import { former, settings } from './settings.ts';

export interface Config {
  readonly chainId: number;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Accepted host names: lower case, without port; `*` means all. */
  readonly allowedHosts: readonly string[];
  /** Proxies in front that append the caller's address to X-Forwarded-For. */
  readonly trustedProxies: number;
  readonly agentUrl: Secret;
  /** Absent: the agent does not recognise this server. */
  readonly pageSecret?: Secret;
  /** The public node URL that the page reads the chain with. */
  readonly rpcUrl: string;
  /** Other nodes that an audit may read from; absent: none. */
  readonly auditNodes?: readonly string[];
  /** Origins of Safe's web app that may frame the page; absent: none. */
  readonly safeApps?: readonly string[];
  /** Absent: not offered. */
  readonly walletConnect?: { readonly projectId: string; readonly relay: string };
  /** Absent: there is no exchange. */
  readonly marketDataUrl?: Secret;
  readonly marketDataKey?: Secret;
  readonly deployments: URL;
}

const root = new URL('../../', import.meta.url);

/**
 * The configuration in the environment.
 * @throws an error whose message has one line per missing or malformed setting. No line repeats a value.
 */
export function loadConfig(environment: Environment = readEnvFile()): Config {
  const env = readEnvironment(settings, environment, () => formerSettings(former, environment));
  return {
    chainId: chainIds[env.CHAIN],
    host: env.WEB_HOST,
    port: env.WEB_PORT,
    allowedHosts: allowedHosts(env.WEB_HOST, env.ALLOWED_HOSTS ?? []),
    trustedProxies: env.TRUSTED_PROXIES,
    agentUrl: env.AGENT_URL,
    ...(env.PAGE_SECRET && { pageSecret: env.PAGE_SECRET }),
    rpcUrl: env.WEB_RPC_URL,
    ...(env.WEB_AUDIT_NODES && { auditNodes: env.WEB_AUDIT_NODES }),
    ...(env.SAFE_APPS && { safeApps: env.SAFE_APPS }),
    ...(env.WALLETCONNECT_PROJECT_ID && {
      walletConnect: { projectId: env.WALLETCONNECT_PROJECT_ID, relay: env.WALLETCONNECT_RELAY },
    }),
    ...(env.MARKET_DATA_URL.reveal() !== 'off' && { marketDataUrl: env.MARKET_DATA_URL }),
    ...(env.MARKET_DATA_KEY && { marketDataKey: env.MARKET_DATA_KEY }),
    deployments: placeIn(root, `${env.DEPLOYMENTS_DIR}/`),
  };
}
