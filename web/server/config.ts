import { chainIds } from '@bowline/http/common-settings';
import { type Environment, formerSettings, readEnvFile, readEnvironment } from '@bowline/http/environment';
import { placeIn } from '@bowline/http/place';
import { allowedHosts } from '@bowline/http/setting-schemas';
import { former, settings } from './settings.ts';

export type Config = ReturnType<typeof loadConfig>;

const root = new URL('../../', import.meta.url);

/**
 * The configuration in the environment.
 * @throws an error whose message has one line per missing or malformed setting. No line repeats a value.
 */
export function loadConfig(environment: Environment = readEnvFile()) {
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
