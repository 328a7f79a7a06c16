import type { AddressBook } from '@bowline/core/registry/address-book';
import { chainlinkOracleAbi, feedAbi, oracleAbi, poolAbi } from './chain-abis.ts';
import { asking, type ChainClient, inOneCall, newestBlock } from './chain-client.ts';
import { chainlinkReference, feedOfVenus, present, sideOf, spotWad, venusReference } from './market-facts.ts';
import type { PriceReader } from './readers.ts';

/**
 * Reads the on-chain price facts of an asset without simulating a swap. A source that fails or returns nonsense is an
 * absent fact.
 */
export function createPriceReader(
  client: ChainClient,
  { venus, secondFeeds }: Pick<AddressBook, 'venus' | 'secondFeeds'>,
): PriceReader {
  const { resilientOracle, chainlinkOracle } = venus;
  return {
    price: (asset, quoteAsset) =>
      asking(async () => {
        const block = await newestBlock(client);
        const args = [asset.address] as const;
        const other = secondFeeds[asset.symbol];
        const answers = await client.multicall({
          ...inOneCall,
          blockNumber: block.number,
          contracts: [
            { address: asset.feed, abi: feedAbi, functionName: 'latestRoundData' },
            { address: resilientOracle, abi: oracleAbi, functionName: 'getPrice', args },
            { address: resilientOracle, abi: oracleAbi, functionName: 'getTokenConfig', args },
            { address: chainlinkOracle, abi: chainlinkOracleAbi, functionName: 'tokenConfigs', args },
            // Where the asset lacks a source, the token is a placeholder whose answer is ignored.
            { address: quoteAsset?.feed ?? asset.address, abi: feedAbi, functionName: 'latestRoundData' },
            { address: asset.pool?.address ?? asset.address, abi: poolAbi, functionName: 'slot0' },
            { address: other ?? asset.address, abi: feedAbi, functionName: 'latestRoundData' },
          ],
        });
        // If every read failed, the node failed rather than all sources.
        if (answers.every(({ status }) => status === 'failure')) throw answers[0].error;
        const [round, price, config, feedOfOracle, quoteRound, slot0, otherRound] = answers;
        const chainlink = chainlinkReference(round.result, asset);
        const venusFeed = feedOfVenus(chainlinkOracle, config.result, feedOfOracle.result);
        const quoteToken = quoteAsset && chainlinkReference(quoteRound.result, quoteAsset);
        const ofSameSource = [
          { feed: asset.feed, round: round.result },
          { feed: other, round: otherRound.result },
        ];
        return {
          block,
          ...present('chainlink', chainlink),
          ...present('venus', venusReference(price.result, asset, venusFeed, ofSameSource)),
          ...present('quoteToken', quoteToken),
          ...present('spotWad', quoteAsset && spotWad(slot0.result, sideOf(asset, quoteAsset))),
        };
      }),
  };
}
