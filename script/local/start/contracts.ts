import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Address } from 'viem';
import { localChainId } from '../fork.ts';
import { treasurer } from '../replica.ts';

/** Where this project's contracts stand. */
export type Contracts = Record<
  'venusMarket' | 'loanGuard' | 'venusPriceSource' | 'chainlinkPriceSource' | 'planRegistry' | 'swapExecutor',
  Address
>;

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Deploys as `npm run deploy` does, with the well-known keys of a local chain, and reads the record of it.
 * @throws what forge said, when it fails.
 */
export async function deployContracts(
  rpcUrl: string,
  signal: AbortSignal,
  folder = process.env.DEPLOYMENTS_DIR || 'script/deployments',
): Promise<Contracts> {
  const { OPERATOR: _operator, ROTATOR: _rotator, ...own } = process.env;
  const env = { ...own, DEPLOYMENTS_DIR: folder };
  const args = ['tools/deploy.mjs', '--rpc-url', rpcUrl, '--unlocked', '--sender', treasurer];
  // Its own process group, so that forge, a grandchild, is ended with it.
  const child = spawn(process.execPath, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  signal.removeEventListener('abort', end);
  if (code !== 0) throw new Error(`The contracts could not be deployed:\n${output.trim()}`);
  return JSON.parse(readFileSync(`${root}${folder}/${localChainId}.json`, 'utf8'));
}
