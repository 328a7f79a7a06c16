import type { PriceReader } from '../domain/ports.ts';
import type { AddressBook } from './address-book.ts';
import { chainlinkOracleAbi, feedAbi, multiplierAbi, oracleAbi } from './chain-abis.ts';
import { asking, type ChainClient, inOneCall, newestBlock } from './chain-client.ts';
import { chainlinkReference, feedOfVenus, multiplierOf, present, venusReference } from './market-facts.ts';

/** What the chain says of the price of an asset, apart from any pool. A source that fails or answers nonsense is an absent fact. */
export function createPriceReader(client: ChainClient, { venus }: Pick<AddressBook, 'venus'>): PriceReader {
  const { resilientOracle, chainlinkOracle } = venus;
  return {
    price: (asset) =>
      asking(async () => {
        const block = await newestBlock(client);
        const args = [asset.address] as const;
        const answers = await client.multicall({
          ...inOneCall,
          blockNumber: block.number,
          contracts: [
            { address: asset.feed, abi: feedAbi, functionName: 'latestRoundData' },
            { address: resilientOracle, abi: oracleAbi, functionName: 'getPrice', args },
            { address: resilientOracle, abi: oracleAbi, functionName: 'getTokenConfig', args },
            { address: chainlinkOracle, abi: chainlinkOracleAbi, functionName: 'tokenConfigs', args },
            // Nobody's, where it stands for nothing: what it then answers is not looked at.
            { address: asset.multiplier ?? asset.address, abi: multiplierAbi, functionName: 'multiplier' },
          ],
        });
        // Each answer failing is the node's failure, not all the sources'.
        if (answers.every(({ status }) => status === 'failure')) throw answers[0].error;
        const [round, price, config, feedOfOracle, multiplier] = answers;
        const chainlink = chainlinkReference(round.result, asset);
        const venusFeed = feedOfVenus(chainlinkOracle, config.result, feedOfOracle.result);
        return {
          block,
          ...present('chainlink', chainlink),
          ...present('venus', venusReference(price.result, asset, venusFeed, chainlink)),
          ...present('multiplier', asset.multiplier && multiplierOf(multiplier.result)),
        };
      }),
  };
}
