import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Address } from 'viem';
import { connect } from '../chain.ts';
import { deployEscrow, type Escrow } from '../escrow.ts';
import { localChainId } from '../fork.ts';
import { treasurer } from '../replica.ts';

/** Where this project's contracts stand, and the escrow in which its agent's work is bought. */
export type Contracts = Record<
  | 'venusMarket'
  | 'loanGuard'
  | 'venusPriceSource'
  | 'chainlinkPriceSource'
  | 'planRegistry'
  | 'swapExecutor'
  | 'quoteDesk',
  Address
> & { readonly escrow: Escrow };

/** Seven days on BNB Chain. */
const disputeWindowSeconds = 20;

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Deploys as `npm run deploy` does, with the well-known keys of a local chain, and the escrow beside it, and writes that into
 * the same record.
 * @throws what forge said, when it fails.
 */
export async function deployContracts(
  rpcUrl: string,
  signal: AbortSignal,
  folder = process.env.DEPLOYMENTS_DIR || 'script/deployments',
): Promise<Contracts> {
  const { OPERATOR: _operator, ROTATOR: _rotator, DESK_MAKER: _maker, ...own } = process.env;
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
  const record = `${root}${folder}/${localChainId}.json`;
  const escrow = await deployEscrow(connect(rpcUrl), disputeWindowSeconds);
  const contracts = { ...JSON.parse(readFileSync(record, 'utf8')), escrow };
  writeFileSync(record, `${JSON.stringify(contracts, null, 2)}\n`);
  return contracts;
}
