import type { ContractFunctionReturnType } from 'viem';
import type { Asset } from '../domain/assets.ts';
import type { ChainFacts, Reference, Side, Size, SwapQuote } from '../domain/facts.ts';
import type { MarketReader } from '../domain/ports.ts';
import { type Address, mulDivDown, mulDivUp, WAD } from '../domain/units.ts';
import type { AddressBook } from './address-book.ts';
import { chainlinkOracleAbi, feedAbi, oracleAbi, poolAbi, quoterAbi } from './chain-abis.ts';
import { asking, type ChainClient, inOneCall, newestBlock } from './chain-client.ts';
import { refusalOf } from './contract-error.ts';
import { meanTickDown, type PoolSide, poolPriceWadDown, sqrtPriceX96AtTick } from './pool-price.ts';

const TWAP_SECONDS = 600n;

type Round = ContractFunctionReturnType<typeof feedAbi, 'view', 'latestRoundData'>;

/** What the chain says of prices. A source that fails, reverts or answers nonsense is an absent fact. */
export function createMarketReader(
  client: ChainClient,
  { venus, pancake }: Pick<AddressBook, 'venus' | 'pancake'>,
): MarketReader {
  const readFeed = ({ feed }: Asset) => ({ address: feed, abi: feedAbi, functionName: 'latestRoundData' }) as const;

  async function usdWadOf(asset: Asset): Promise<bigint> {
    const round = await client.readContract(readFeed(asset)).catch(unlessRefused);
    return (round && answerWad(round, asset)) ?? 0n;
  }

  /**
   * What is paid; 0 where no feed says how much that is. The pool must be asked for an amount of tokens, and feeds alone
   * say how many a dollar is, or another token is worth. This reading only sizes the question: every fact, prices included,
   * comes from the one call.
   */
  async function paidOf(size: Size, side: Side, asset: Asset, quoteAsset: Asset): Promise<bigint> {
    if ('paid' in size) return size.paid;
    const paid = side === 'buy' ? quoteAsset : asset;
    const unit = 10n ** BigInt(paid.decimals);
    if ('usdWad' in size) {
      const usdWad = await usdWadOf(paid);
      return usdWad === 0n ? 0n : mulDivDown(size.usdWad, unit, usdWad);
    }
    if (side === 'sell') return size.asset;
    const [assetWad, quoteWad] = await Promise.all([usdWadOf(asset), usdWadOf(quoteAsset)]);
    return quoteWad === 0n ? 0n : mulDivUp(size.asset * assetWad, unit, quoteWad * 10n ** BigInt(asset.decimals));
  }

  return {
    facts: (asset, quoteAsset, side, size) =>
      asking(async () => {
        const [paid, received] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
        const [block, amountIn] = await Promise.all([newestBlock(client), paidOf(size, side, asset, quoteAsset)]);
        const { address: pool, feeMillionths: fee } = asset.pool;
        const order = { tokenIn: paid.address, tokenOut: received.address, amountIn, fee, sqrtPriceLimitX96: 0n };
        const answers = await client.multicall({
          ...inOneCall,
          blockNumber: block.number,
          contracts: [
            readFeed(asset),
            readFeed(quoteAsset),
            { address: venus.resilientOracle, abi: oracleAbi, functionName: 'getPrice', args: [asset.address] },
            { address: venus.resilientOracle, abi: oracleAbi, functionName: 'getTokenConfig', args: [asset.address] },
            {
              address: venus.chainlinkOracle,
              abi: chainlinkOracleAbi,
              functionName: 'tokenConfigs',
              args: [asset.address],
            },
            { address: pool, abi: poolAbi, functionName: 'slot0' },
            { address: pool, abi: poolAbi, functionName: 'observe', args: [[Number(TWAP_SECONDS), 0]] },
            // Last: the one that can use up the call's gas.
            { address: pancake.quoter, abi: quoterAbi, functionName: 'quoteExactInputSingle', args: [order] },
          ],
        });
        const [round, quoteRound, oraclePrice, oracles, feedOfOracle, slot0, observed, quoted] = answers;
        // Each answer failing is the node's failure, not all the sources'.
        if (answers.every(({ status }) => status === 'failure')) throw answers[0].error;

        // Venus asks its main oracle first. Which feed another than ChainlinkOracle reads is not known.
        const isChainlink = oracles.result?.oracles[0] === venus.chainlinkOracle && oracles.result.enabled[0];
        const venusFeed = isChainlink ? feedOfOracle.result?.[1] : undefined;
        const chainlink = chainlinkReference(round.result, asset);
        const poolSide = sideOf(asset, quoteAsset);
        const sqrtPriceX96 = slot0.result?.[0] ?? 0n;
        const [before, after] = observed.result?.[0] ?? [];
        const amountOut = quoted.result?.[0] ?? 0n;
        return {
          block,
          ...present('chainlink', chainlink),
          ...present('venus', venusReference(oraclePrice.result, asset, venusFeed, chainlink)),
          ...present('quoteToken', chainlinkReference(quoteRound.result, quoteAsset)),
          ...present('spotWad', sqrtPriceX96 > 0n ? poolPriceWadDown(sqrtPriceX96, poolSide) : undefined),
          ...present('twapWad', twapWad(before, after, poolSide)),
          twapSeconds: TWAP_SECONDS,
          ...present('quote', quoteOf(side, paid.address, received.address, amountIn, amountOut)),
        } satisfies ChainFacts;
      }),
  };
}

/** A contract that refuses has no answer; a node that does not answer is another matter. */
function unlessRefused(error: unknown): undefined {
  if (refusalOf(error) === undefined) throw error;
}

const present = <Name extends string, Fact>(name: Name, fact: Fact | undefined) =>
  (fact === undefined ? {} : { [name]: fact }) as { [_ in Name]?: Fact };

/** USD of one whole unit; undefined for an answer that is none. */
function answerWad([, answer]: Round, { feedDecimals }: Asset): bigint | undefined {
  return answer > 0n ? answer * 10n ** BigInt(18 - feedDecimals) : undefined;
}

function chainlinkReference(round: Round | undefined, asset: Asset): Reference | undefined {
  const usdWad = round && answerWad(round, asset);
  // A round without a time has not been answered yet.
  if (round === undefined || usdWad === undefined || round[3] === 0n) return undefined;
  return { source: 'chainlink', feed: asset.feed, usdWad, updatedAt: round[3] };
}

/** The oracle does not tell the age of what it says; where it passes on the very feed, that is the feed's. */
function venusReference(
  price: bigint | undefined,
  { decimals }: Asset,
  feed: Address | undefined,
  chainlink: Reference | undefined,
): Reference | undefined {
  const usdWad = mulDivDown(price ?? 0n, 10n ** BigInt(decimals), WAD);
  if (usdWad === 0n) return undefined;
  const updatedAt = feed !== undefined && feed === chainlink?.feed ? chainlink.updatedAt : undefined;
  return { source: 'venus', usdWad, ...present('feed', feed), ...present('updatedAt', updatedAt) };
}

function sideOf(asset: Asset, quoteAsset: Asset): PoolSide {
  // A pool sorts its two tokens by address.
  const assetIsToken0 = BigInt(asset.address) < BigInt(quoteAsset.address);
  return { assetIsToken0, assetDecimals: asset.decimals, quoteDecimals: quoteAsset.decimals };
}

function twapWad(before: bigint | undefined, after: bigint | undefined, side: PoolSide): bigint | undefined {
  if (before === undefined || after === undefined) return undefined;
  return poolPriceWadDown(sqrtPriceX96AtTick(meanTickDown(before, after, TWAP_SECONDS)), side);
}

function quoteOf(
  side: Side,
  tokenIn: Address,
  tokenOut: Address,
  amountIn: bigint,
  amountOut: bigint,
): SwapQuote | undefined {
  return amountIn > 0n && amountOut > 0n ? { side, tokenIn, tokenOut, amountIn, amountOut } : undefined;
}
