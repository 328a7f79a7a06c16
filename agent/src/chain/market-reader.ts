import type { Asset, TradedAsset } from '@bowline/core/domain/assets';
import type { ChainFacts, Side, Size } from '@bowline/core/domain/facts';
import type { MarketReader, Timers } from '@bowline/core/domain/ports';
import type { Address } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import {
  type Abi,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  isHex,
  zeroAddress,
} from 'viem';
import { chainlinkOracleAbi, feedAbi, multiplierAbi, oracleAbi, poolAbi, quoterAbi } from './chain-abis.ts';
import { asking, type ChainClient, nobody } from './chain-client.ts';
import {
  chainlinkReference,
  feedOfVenus,
  feedScale,
  liquidityOf,
  multiplierOf,
  present,
  sideOf,
  simulationOf,
  spotWad,
  twapWad,
  venusReference,
} from './market-facts.ts';
import { callLens, createBalanceStorage } from './market-lens.ts';

const TWAP_SECONDS = 600n;

/**
 * Reads all on-chain price facts at one block. A source that fails, reverts or returns nonsense is an absent fact.
 * @param client batches requests, so that all reads are one request. The first read of a token adds one.
 */
export function createMarketReader(
  client: ChainClient,
  book: Pick<AddressBook, 'venus' | 'secondFeeds' | 'pancake'>,
  timers: Pick<Timers, 'now'>,
): MarketReader {
  const balances = createBalanceStorage(client, timers);
  return {
    facts: (asset, quoteAsset, side, size) =>
      asking(async () => {
        const [paid, received] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
        const { quoter, router } = book.pancake;
        const trade = {
          ...{ paid: tokenOf(paid), received: tokenOf(received), isBuy: side === 'buy', ...amountOf(size, side) },
          ...{ fee: asset.pool.feeMillionths, quoter, router },
        };
        const at = nobody();
        const supposed = await balances.plentyOf(paid.address, at);
        const [snapshot, finalBlock] = await Promise.all([
          callLens(client, 'read', [trade, readsOf(asset, book)], at, supposed),
          newestFinal(client),
        ]);
        const simulation = simulationOf(snapshot);
        // A failed simulation may mean that the token moved its balance slot, unless no price gave an amount to pay.
        if (simulation === undefined && snapshot.amountIn > 0n) balances.forget(paid.address);

        const { amountIn, number, timestamp, parentHash } = snapshot;
        const [price, oracles, feedOfOracle, slot0, liquidity, observed, observedBefore, otherRound] = snapshot.answers;
        const round = decoded(feedAbi, 'latestRoundData', snapshot.round);
        const chainlink = chainlinkReference(round, asset);
        const quoteToken = chainlinkReference(decoded(feedAbi, 'latestRoundData', snapshot.quoteRound), quoteAsset);
        const before = chainlinkReference(decoded(feedAbi, 'latestRoundData', snapshot.roundBefore), asset);
        const venusFeed = feedOfVenus(
          book.venus.chainlinkOracle,
          decoded(oracleAbi, 'getTokenConfig', oracles),
          decoded(chainlinkOracleAbi, 'tokenConfigs', feedOfOracle),
        );
        const venus = venusReference(decoded(oracleAbi, 'getPrice', price), asset, venusFeed, [
          { feed: asset.feed, round },
          { feed: book.secondFeeds[asset.symbol], round: decoded(feedAbi, 'latestRoundData', otherRound) },
        ]);
        const poolSide = sideOf(asset, quoteAsset);
        const sums = decoded(poolAbi, 'observe', observed);
        const sumsBefore = decoded(poolAbi, 'observe', observedBefore);
        const inRange = decoded(poolAbi, 'liquidity', liquidity);
        const amountOut = decoded(quoterAbi, 'quoteExactInputSingle', snapshot.quote)?.[0] ?? 0n;
        const quote = { side, tokenIn: paid.address, tokenOut: received.address, amountIn, amountOut };
        return {
          block: { number, timestamp, parentHash },
          ...present('chainlink', chainlink),
          ...present('venus', venus),
          ...present('quoteToken', quoteToken),
          ...present('spotWad', spotWad(decoded(poolAbi, 'slot0', slot0), poolSide)),
          ...present('twapWad', twapWad(sums, TWAP_SECONDS, poolSide)),
          twapSeconds: TWAP_SECONDS,
          ...present('quote', amountIn > 0n && amountOut > 0n ? quote : undefined),
          ...present('chainlinkBeforeWad', before?.usdWad),
          ...present('liquidity', liquidityOf(inRange, sumsBefore, TWAP_SECONDS)),
          // A final block ahead of the facts' block comes from another node, possibly on another fork.
          ...present('finalBlock', finalBlock !== undefined && finalBlock <= number ? finalBlock : undefined),
          ...present('multiplier', multiplierOf(decoded(multiplierAbi, 'multiplier', snapshot.multiplier))),
          ...present('play', simulation),
        } satisfies ChainFacts;
      }),
  };
}

const tokenOf = (asset: Asset) => ({
  token: asset.address,
  unit: 10n ** BigInt(asset.decimals),
  feed: asset.feed,
  feedScale: feedScale(asset),
  multiplier: asset.multiplier ?? zeroAddress,
});

/** Encoding of contracts/lens/MarketLens.sol. */
const sizeIn = { paid: 0, usd: 1, received: 2 } as const;

/** A pool quotes the amount paid; only feeds convert it to dollars or to the other token. */
function amountOf(size: Size, side: Side): { readonly sizeIn: number; readonly size: bigint } {
  if ('paid' in size) return { sizeIn: sizeIn.paid, size: size.paid };
  if ('usdWad' in size) return { sizeIn: sizeIn.usd, size: size.usdWad };
  return { sizeIn: side === 'sell' ? sizeIn.paid : sizeIn.received, size: size.asset };
}

/** Reads beside those the lens makes itself: feeds, multiplier, quote and simulation. */
function readsOf(asset: TradedAsset, { venus, secondFeeds }: Pick<AddressBook, 'venus' | 'secondFeeds'>) {
  const { resilientOracle, chainlinkOracle } = venus;
  const { address, pool } = asset;
  const other = secondFeeds[asset.symbol];
  return [
    read(resilientOracle, { abi: oracleAbi, functionName: 'getPrice', args: [address] }),
    read(resilientOracle, { abi: oracleAbi, functionName: 'getTokenConfig', args: [address] }),
    read(chainlinkOracle, { abi: chainlinkOracleAbi, functionName: 'tokenConfigs', args: [address] }),
    read(pool.address, { abi: poolAbi, functionName: 'slot0' }),
    read(pool.address, { abi: poolAbi, functionName: 'liquidity' }),
    read(pool.address, { abi: poolAbi, functionName: 'observe', args: [[Number(TWAP_SECONDS), 0]] }),
    // A separate read: a pool with a short observation history still has a mean price.
    read(pool.address, {
      abi: poolAbi,
      functionName: 'observe',
      args: [[2 * Number(TWAP_SECONDS), Number(TWAP_SECONDS)]],
    }),
    ...(other ? [read(other, { abi: feedAbi, functionName: 'latestRoundData' })] : []),
  ];
}

const read = <const abi extends Abi, name extends ContractFunctionName<abi>>(
  source: Address,
  question: EncodeFunctionDataParameters<abi, name>,
) => ({ source, question: encodeFunctionData(question as never) });

/** Undefined if the answer cannot be decoded. */
function decoded<const abi extends Abi, name extends ContractFunctionName<abi, 'view'>>(
  abi: abi,
  functionName: name,
  data: Hex = '0x',
): ContractFunctionReturnType<abi, 'view', name> | undefined {
  if (data === '0x') return undefined;
  try {
    return decodeFunctionResult({ abi, functionName, data } as never) as never;
  } catch {
    return undefined;
  }
}

/** Undefined if the node does not support it. The request beside this one shows whether the node answers at all. */
async function newestFinal(client: ChainClient): Promise<bigint | undefined> {
  const params: ['finalized', false] = ['finalized', false];
  const block = await client.request({ method: 'eth_getBlockByNumber', params }).catch(() => null);
  return isHex(block?.number) ? hexToBigInt(block.number) : undefined;
}
