import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chainName } from '../addresses.ts';
import { type Child, startChild } from './child.ts';
import { machineSettings } from './environment.ts';

export interface PagePlan {
  readonly port: number;
  readonly agentUrl: string;
  /** By which the agent knows the page; absent, it does not. */
  readonly pageSecret?: string;
  readonly rpcUrl: string;
  /** Nodes that an audit may read from besides. */
  readonly auditNodes?: string;
  /** Origins that may frame the page as Safe's web app does. */
  readonly safeApps?: string;
  /** By which wallets on other devices are reached. */
  readonly walletConnect?: { readonly projectId: string; readonly relay: string };
  readonly marketUrl: string;
  /** Key for the exchange. The local one needs none. */
  readonly marketDataKey?: string;
  /** Folder of the deployment record, relative to the project's folder. */
  readonly deployments: string;
  /** See ChildPlan. */
  readonly onEnd?: ((why: string) => void) | undefined;
}

interface Page extends Child {
  readonly url: string;
  /** Folder of the built files. */
  readonly files: string;
}

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Builds the page, which takes less than a second, and starts its server. */
export async function startPage(plan: PagePlan): Promise<Page> {
  // A folder of its own: otherwise two starts at the same time would empty each other's.
  const files = at(`.cache/pages/${plan.port}`);
  const url = `http://127.0.0.1:${plan.port}`;
  // The build takes the server's settings, so that it pins the server's contracts.
  const env = {
    ...machineSettings(process.env),
    CHAIN: chainName,
    WEB_HOST: '127.0.0.1',
    WEB_PORT: String(plan.port),
    AGENT_URL: plan.agentUrl,
    PAGE_SECRET: plan.pageSecret ?? '',
    WEB_RPC_URL: plan.rpcUrl,
    WEB_AUDIT_NODES: plan.auditNodes ?? '',
    SAFE_APPS: plan.safeApps ?? '',
    WALLETCONNECT_PROJECT_ID: plan.walletConnect?.projectId ?? '',
    WALLETCONNECT_RELAY: plan.walletConnect?.relay ?? '',
    MARKET_DATA_URL: plan.marketUrl,
    MARKET_DATA_KEY: plan.marketDataKey ?? '',
    DEPLOYMENTS_DIR: plan.deployments,
  };
  const vite = ['build', '--config', at('web/vite.config.ts'), '--outDir', files, '--logLevel', 'silent'];
  await promisify(execFile)(process.execPath, [at('node_modules/vite/bin/vite.js'), ...vite], { env });
  const child = await startChild({
    name: 'web server',
    command: [process.execPath, at('web/server/main.ts'), files],
    env,
    ready: `${url}/config.json`,
    onLine: () => {},
    onEnd: plan.onEnd,
  });
  const stop = async () => {
    await child.stop();
    rmSync(files, { recursive: true, force: true });
  };
  return { url, files, ended: child.ended, stop };
}
