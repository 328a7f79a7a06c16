import type { Asset } from '@bowline/core/domain/assets';
import type { ChainFacts, Multiplier, Play, Reference } from '@bowline/core/domain/facts';
import { type Address, mulDivDown, WAD } from '@bowline/core/domain/units';
import { isTick, meanTickDown, type PoolSide, poolPriceWadDown, sqrtPriceX96AtTick } from './pool-price.ts';

// From what contracts answer to facts. What no sense can be made of is no fact.

/** roundId, answer, startedAt, updatedAt, answeredInRound. */
export type Round = readonly [bigint, bigint, bigint, bigint, bigint];

export const present = <Name extends string, Fact>(name: Name, fact: Fact | undefined) =>
  (fact === undefined ? {} : { [name]: fact }) as { [_ in Name]?: Fact };

/** What multiplies a feed's answer to USD with 18 decimals. */
export const feedScale = ({ feedDecimals }: Asset): bigint => 10n ** BigInt(18 - feedDecimals);

export function chainlinkReference(round: Round | undefined, asset: Asset): Reference | undefined {
  // A round without a time has not been answered yet.
  if (round === undefined || round[1] <= 0n || round[3] === 0n) return undefined;
  return { source: 'chainlink', feed: asset.feed, usdWad: round[1] * feedScale(asset), updatedAt: round[3] };
}

/** As Venus keeps them for each token: whom it asks, and whether it does. */
interface OraclesOfVenus {
  readonly oracles: readonly Address[];
  readonly enabled: readonly boolean[];
}

/** The feed that Venus reads: it asks its main oracle first, and which feed another than ChainlinkOracle reads is not known. */
export function feedOfVenus(
  chainlinkOracle: Address,
  config: OraclesOfVenus | undefined,
  tokenConfig: readonly [Address, Address, bigint] | undefined,
): Address | undefined {
  const isChainlink = config?.oracles[0] === chainlinkOracle && config.enabled[0];
  return isChainlink ? tokenConfig?.[1] : undefined;
}

/** The oracle does not tell the age of what it says; where it passes on the very feed, that is the feed's. */
export function venusReference(
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

export function sideOf(asset: Asset, quoteAsset: Asset): PoolSide {
  // A pool sorts its two tokens by address.
  const assetIsToken0 = BigInt(asset.address) < BigInt(quoteAsset.address);
  return { assetIsToken0, assetDecimals: asset.decimals, quoteDecimals: quoteAsset.decimals };
}

export function spotWad(slot0: readonly [bigint, ...unknown[]] | undefined, side: PoolSide): bigint | undefined {
  const sqrtPriceX96 = slot0?.[0] ?? 0n;
  return sqrtPriceX96 > 0n ? poolPriceWadDown(sqrtPriceX96, side) : undefined;
}

/** What a pool remembers of two moments: sums of its tick, and of seconds by its liquidity with 128 fractional bits. */
type Observed = readonly [readonly bigint[], readonly bigint[]];

export function twapWad(observed: Observed | undefined, seconds: bigint, side: PoolSide): bigint | undefined {
  const [before, after] = observed?.[0] ?? [];
  if (before === undefined || after === undefined) return undefined;
  const tick = meanTickDown(before, after, seconds);
  return isTick(tick) ? poolPriceWadDown(sqrtPriceX96AtTick(tick), side) : undefined;
}

/** @param observed at the start and at the end of the `seconds` that it is held against. */
export function liquidityOf(
  now: bigint | undefined,
  observed: Observed | undefined,
  seconds: bigint,
): ChainFacts['liquidity'] {
  const [before, after] = observed?.[1] ?? [];
  if (now === undefined || before === undefined || after === undefined) return undefined;
  // The sum runs over at 160 bits.
  const sum = BigInt.asUintN(160, after - before);
  return sum === 0n ? undefined : { now, mean: (seconds << 128n) / sum };
}

export function multiplierOf(answer: readonly [bigint, bigint, bigint, boolean] | undefined): Multiplier | undefined {
  if (answer === undefined || answer[0] === 0n) return undefined;
  const [wad, beforeWad, changedAt, isHalted] = answer;
  return { wad, beforeWad, changedAt, isHalted };
}

/** As script/probe/MarketProbe.sol numbers them. */
const outcomes = ['unknown', 'refused', 'no_way_back', 'there_and_back'] as const;

export function playOf(sight: {
  readonly outcome: number;
  readonly received: bigint;
  readonly returned: bigint;
}): Play | undefined {
  const { received, returned } = sight;
  switch (outcomes[sight.outcome]) {
    case 'refused':
      return 'refused';
    case 'no_way_back':
      return { received };
    case 'there_and_back':
      return { received, returned };
    default:
      return undefined;
  }
}
