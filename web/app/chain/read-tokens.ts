import { erc20Abi } from '@bowline/chain/erc20-abi';
import type { Reading } from '@bowline/chain/one-call';
import { readInPages } from '@bowline/chain/paginated-reads';
import type { Address } from 'viem';
import { marketAbi, usdWad } from '../../read-market.ts';
import type { Asset } from '../api/settings.ts';
import { AT_ONCE, type ChainClient, inOneCall } from './client.ts';

/** Balances per call. */
const PAGE = 25;

/** By symbol, in base units. @throws if a balance cannot be read: an unknown balance is never shown as zero. */
export async function readTokens(
  client: ChainClient,
  assets: readonly Asset[],
  owner: Address,
): Promise<Readonly<Record<string, bigint>>> {
  const { items, cause } = await readInPages(
    assets,
    PAGE,
    (page) =>
      client.multicall({
        ...inOneCall,
        allowFailure: false,
        contracts: page.map(
          ({ address }) => ({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }) as const,
        ),
      }),
    AT_ONCE,
  );
  if (cause) throw cause;
  return Object.fromEntries([...items].map(([{ symbol }, balance]) => [symbol, balance]));
}

/**
 * Chainlink's price of an asset: USD per whole token with 18 decimals; undefined if the feed has no current price.
 * @throws if the feed or the node does not answer.
 */
export async function readFeed(reading: Reading<ChainClient>, asset: Asset): Promise<bigint | undefined> {
  const round = await reading.client.readContract({
    address: asset.feed,
    abi: marketAbi,
    functionName: 'latestRoundData',
  });
  return usdWad(asset, reading.time() ?? 0n, round);
}
