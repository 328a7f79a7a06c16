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
  /** Identifies the page to the agent. Absent: it does not. */
  readonly pageSecret?: string;
  readonly rpcUrl: string;
  /** Further nodes that an audit may read from. */
  readonly auditNodes?: string;
  /** Origins that may frame the page as Safe's web app does. */
  readonly safeApps?: string;
  /** Reaches wallets on other devices. */
  readonly walletConnect?: { readonly projectId: string; readonly relay: string };
  readonly marketUrl: string;
  /** Key for the exchange. The local one needs none. */
  readonly marketDataKey?: string;
  /** Folder of the deployment record, relative to the project's folder. */
  readonly deployments: string;
  /** See ChildPlan. */
  readonly onEnd?: ((why: string) => void) | undefined;
}

export interface Page extends Child {
  readonly url: string;
  /** Folder of the built files. */
  readonly files: string;
}

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Builds the page and starts its server. */
export async function startPage(plan: PagePlan): Promise<Page> {
  // A separate folder: otherwise two starts at the same time would empty each other's.
  const files = at(`.cache/pages/${plan.port}`);
  await buildPage(plan, files);
  const page = await servePage(plan, files);
  const stop = async () => {
    await page.stop();
    rmSync(files, { recursive: true, force: true });
  };
  return { ...page, stop };
}

/** Builds into a folder. Takes the server's settings, so that the build pins the server's contracts. */
export async function buildPage(plan: PagePlan, files: string): Promise<void> {
  const vite = ['build', '--config', at('web/vite.config.ts'), '--outDir', files, '--logLevel', 'silent'];
  const command = [at('node_modules/vite/bin/vite.js'), ...vite];
  await promisify(execFile)(process.execPath, command, { env: settingsOf(plan) });
}

/** Starts the server of a page that was built for the same plan. */
export async function servePage(plan: PagePlan, files: string): Promise<Page> {
  const url = `http://127.0.0.1:${plan.port}`;
  const { ended, stop } = await startChild({
    name: 'web server',
    command: [process.execPath, at('web/server/main.ts'), files],
    env: settingsOf(plan),
    ready: `${url}/config.json`,
    onLine: () => {},
    onEnd: plan.onEnd,
  });
  return { url, files, ended, stop };
}

const settingsOf = (plan: PagePlan): NodeJS.ProcessEnv => ({
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
});
