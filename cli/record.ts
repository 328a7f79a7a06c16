import { existsSync, readFileSync } from 'node:fs';
import type { Address } from 'viem';

/** A deployment record, as script/Deploy.s.sol writes it. */
export interface Deployment {
  readonly chainId: number;
  readonly revocations: Address;
  readonly venusMarket: Address;
  readonly loanGuard: Address;
  readonly venusPriceSource: Address;
  readonly chainlinkPriceSource: Address;
  readonly planRegistry: Address;
  readonly swapExecutor: Address;
  readonly quoteDesk?: Address;
}

export type Name = Exclude<keyof Deployment, 'chainId'>;

const root = new URL('../', import.meta.url);

/**
 * The deployment record at a path from the project's folder.
 * @throws a sentence, if there is none or it is not JSON.
 */
export function recordAt(path: string): Deployment {
  const file = new URL(path, root);
  if (!existsSync(file)) throw new Error(`No deployment record at ${path}. Name one with --deployment.`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${path} is not JSON.`, { cause });
  }
}
