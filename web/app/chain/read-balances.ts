import { erc20Abi } from '@bowline/chain/erc20-abi';
import type { Address } from 'viem';
import type { Asset } from '../api/settings.ts';
import { type ChainClient, inOneCall } from './client.ts';
import { inPages } from './in-pages.ts';

export interface Balances {
  /** BNB itself, in wei, which pays fees; undefined until it is known. */
  readonly native: bigint | undefined;
  /** By symbol, in base units. */
  readonly of: Readonly<Record<string, bigint>>;
}

/** @throws if a balance cannot be read: an unknown balance is never shown as zero. */
export async function readTokens(
  client: ChainClient,
  assets: readonly Asset[],
  owner: Address,
): Promise<Balances['of']> {
  const { found, unread, cause } = await inPages(assets, async (page) => {
    const balances = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: page.map(
        ({ address }) => ({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }) as const,
      ),
    });
    return page.map(({ symbol }, at) => [symbol, balances[at] as bigint] as const);
  });
  if (unread.length > 0) throw cause;
  return Object.fromEntries(found);
}
