import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Address } from 'viem';
import { connect } from '../chain.ts';
import { deployEscrow, type Escrow } from '../escrow.ts';
import { localChainId } from '../fork.ts';
import { treasurer } from '../replica.ts';
import { machineSettings } from './environment.ts';

/** Where this project's contracts stand, and the escrow in which its agent's work is bought. */
export type Contracts = Record<
  | 'revocations'
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

/** Anvil's second account, whose key the agent has on a local chain. It makes the desk's quotes, too. */
export const keeper: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Anvil's twelfth account, with which the agent of `npm start` carries rescues. Its key is public. */
export const rescuer = {
  address: '0x71bE63f3384f5fb98995898A86B02Fb2426c5788',
  key: '0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82',
} as const;

/** As on every local chain. Named, since forge would take others from a `.env`. */
const keys = {
  OPERATOR: keeper,
  ROTATOR: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  DESK_MAKER: keeper,
};

/**
 * Deploys as `npm run deploy` does, with the well-known keys of a local chain, and the escrow beside it, and writes that into
 * the same record.
 * @param deployments folder for the record, from the project's own.
 * @param operator of SwapExecutor.
 * @throws what forge said, when it fails.
 */
export async function deployContracts(
  rpcUrl: string,
  deployments: string,
  signal: AbortSignal,
  operator: Address = keeper,
): Promise<Contracts> {
  const env = { ...machineSettings(process.env), ...keys, OPERATOR: operator, DEPLOYMENTS_DIR: deployments };
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
  const record = `${root}${deployments}/${localChainId}.json`;
  const escrow = await deployEscrow(connect(rpcUrl), disputeWindowSeconds);
  const contracts = { ...JSON.parse(readFileSync(record, 'utf8')), escrow };
  writeFileSync(record, `${JSON.stringify(contracts, null, 2)}\n`);
  return contracts;
}
