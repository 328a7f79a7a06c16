import type { Reading } from '@bowline/chain/one-call';
import { parseAbi } from 'viem';
import { usdWad } from '../../read-market.ts';
import type { Asset } from '../api/settings.ts';
import type { ChainClient } from './client.ts';

const abi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/**
 * Chainlink's price of an asset: USD per whole token with 18 decimals; undefined if the feed gives no price of now.
 * @throws if the feed or the node does not answer.
 */
export async function readFeed(reading: Reading<ChainClient>, asset: Asset): Promise<bigint | undefined> {
  const round = await reading.client.readContract({ address: asset.feed, abi, functionName: 'latestRoundData' });
  return usdWad(asset, reading.time() ?? 0n, round);
}
