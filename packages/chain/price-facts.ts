import type { Asset } from '@bowline/core/domain/assets';
import type { Priced } from '@bowline/core/domain/facts';
import type { Address } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import {
  type Abi,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
} from 'viem';
import { chainlinkOracleAbi, feedAbi, oracleAbi } from './chain-abis.ts';
import {
  chainlinkReference,
  feedOfVenus,
  feedScale,
  operatorReference,
  present,
  venusReference,
} from './market-facts.ts';
import { decoded, type Snapshot } from './market-lens.ts';

// Prices in a snapshot of contracts/lens/MarketLens.sol, with a trade and without.

export type PriceBook = Pick<AddressBook, 'venus' | 'secondFeeds'>;

export const tokenOf = (asset: Asset) => ({
  token: asset.address,
  unit: 10n ** BigInt(asset.decimals),
  feed: asset.feed,
  feedScale: feedScale(asset),
});

export const oraclesOf = ({ venus }: PriceBook) => ({ redStone: venus.redStoneOracle, binance: venus.binanceOracle });

/** Reads in addition to the lens's own; `priceFacts` knows their order. */
export function readsOf(asset: Asset, { venus, secondFeeds }: PriceBook) {
  const { resilientOracle, chainlinkOracle } = venus;
  const { address, symbol } = asset;
  const args = [address] as const;
  const other = secondFeeds[symbol];
  return [
    read(resilientOracle, { abi: oracleAbi, functionName: 'getPrice', args }),
    read(resilientOracle, { abi: oracleAbi, functionName: 'getTokenConfig', args }),
    read(chainlinkOracle, { abi: chainlinkOracleAbi, functionName: 'tokenConfigs', args }),
    ...(other ? [read(other, { abi: feedAbi, functionName: 'latestRoundData' })] : []),
  ];
}

export const read = <const abi extends Abi, name extends ContractFunctionName<abi>>(
  source: Address,
  question: EncodeFunctionDataParameters<abi, name>,
): { readonly source: Address; readonly question: Hex } => ({
  source,
  question: encodeFunctionData(question as never),
});

/** @param quoteAsset absent: no price of it is wanted. */
export function priceFacts(
  { answers, round: newest, quoteRound, heard, quoteHeard }: Snapshot,
  asset: Asset,
  quoteAsset: Asset | undefined,
  { venus: { chainlinkOracle }, secondFeeds }: PriceBook,
): Omit<Priced['chain'], 'block' | 'spotWad'> {
  const [price, oracles, feedOfOracle, otherRound] = answers;
  const round = decoded(feedAbi, 'latestRoundData', newest);
  const venusFeed = feedOfVenus(
    chainlinkOracle,
    decoded(oracleAbi, 'getTokenConfig', oracles),
    decoded(chainlinkOracleAbi, 'tokenConfigs', feedOfOracle),
  );
  const ofSameSource = [
    { feed: asset.feed, round },
    { feed: secondFeeds[asset.symbol], round: decoded(feedAbi, 'latestRoundData', otherRound) },
  ];
  return {
    ...present('chainlink', chainlinkReference(round, asset)),
    ...present('venus', venusReference(decoded(oracleAbi, 'getPrice', price), asset, venusFeed, ofSameSource)),
    ...present('redStone', operatorReference('redstone', heard.redStone, asset)),
    ...present('binanceOracle', operatorReference('binance_oracle', heard.binance, asset)),
    ...(quoteAsset && {
      ...present('quoteToken', chainlinkReference(decoded(feedAbi, 'latestRoundData', quoteRound), quoteAsset)),
      ...present('quoteRedStone', operatorReference('redstone', quoteHeard.redStone, quoteAsset)),
      ...present('quoteBinanceOracle', operatorReference('binance_oracle', quoteHeard.binance, quoteAsset)),
    }),
  };
}
