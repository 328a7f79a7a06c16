import type { Asset } from '@bowline/core/domain/assets';
import type { ChainFacts, Reference, Side, Simulation } from '@bowline/core/domain/facts';
import { type Address, mulDivDown, WAD } from '@bowline/core/domain/units';

// Converts contract answers to facts. An answer that makes no sense is an absent fact.

/** roundId, answer, startedAt, updatedAt, answeredInRound. */
export type Round = readonly [bigint, bigint, bigint, bigint, bigint];

export const present = <Name extends string, Fact>(name: Name, fact: Fact | undefined) =>
  (fact === undefined ? {} : { [name]: fact }) as { [_ in Name]?: Fact };

/** Factor that converts a feed's answer to USD with 18 decimals. */
export const feedScale = ({ feedDecimals }: Asset): bigint => 10n ** BigInt(18 - feedDecimals);

export function chainlinkReference(round: Round | undefined, asset: Asset): Reference | undefined {
  // A round without a timestamp has no answer yet.
  if (round === undefined || round[1] <= 0n || round[3] === 0n) return undefined;
  return { source: 'chainlink', feed: asset.feed, usdWad: round[1] * feedScale(asset), updatedAt: round[3] };
}

/** A feed's answers an hour ago and two hours ago, if its rounds have both. */
export function chainlinkPast(rounds: readonly (Reference | undefined)[]): ChainFacts['chainlinkPast'] {
  const known = rounds.flatMap((round) =>
    round?.updatedAt === undefined ? [] : [{ usdWad: round.usdWad, updatedAt: round.updatedAt }],
  );
  return known.length === rounds.length ? known : undefined;
}

/** Venus's configuration per token: its oracles and which of them are enabled. */
interface OraclesOfVenus {
  readonly oracles: readonly Address[];
  readonly enabled: readonly boolean[];
}

/** The feed Venus reads through its main oracle. Unknown if that oracle is not ChainlinkOracle. */
export function feedOfVenus(
  chainlinkOracle: Address,
  config: OraclesOfVenus | undefined,
  tokenConfig: readonly [Address, Address, bigint] | undefined,
): Address | undefined {
  const isChainlink = config?.oracles[0] === chainlinkOracle && config.enabled[0];
  return isChainlink ? tokenConfig?.[1] : undefined;
}

/** A feed, if there is one, and its newest round, if it answered. */
export interface Answered {
  readonly feed: Address | undefined;
  readonly round: Round | undefined;
}

/**
 * Venus's price of an asset. Its feed is the asset's own if Venus repeats the answer of that one or of another feed of its
 * operator; then that answer's time applies. Otherwise the feed is unknown: Venus may have taken its fallback's price, or
 * read a feed whose operator is not listed. Venus itself reports neither.
 * @param feed the feed that Venus's main source reads.
 * @param answers answers of the feeds that count as the asset's own source.
 */
export function venusReference(
  price: bigint | undefined,
  asset: Asset,
  feed: Address | undefined,
  answers: readonly Answered[],
): Reference | undefined {
  const usdWad = mulDivDown(price ?? 0n, 10n ** BigInt(asset.decimals), WAD);
  if (usdWad === 0n) return undefined;
  const answer = feed && answers.find((each) => each.feed === feed)?.round;
  if (answer === undefined || answer[1] * feedScale(asset) !== usdWad) return { source: 'venus', usdWad };
  return { source: 'venus', feed: asset.feed, usdWad, updatedAt: answer[3] };
}

/** Encoding of contracts/lens/OperatorPrices.sol. */
interface OperatorPrice {
  readonly isNone: boolean;
  readonly price: bigint;
  readonly answer: bigint;
  readonly updatedAt: bigint;
}

/** For the decimals of RedStone's and Binance's answers. The time of an answer with other decimals is unknown. */
const answerScale = 10n ** 10n;

/** The price that Venus uses from one operator, dated by the operator's own answer if both are equal. */
export function operatorReference(
  source: 'redstone' | 'binance_oracle',
  { isNone, price, answer, updatedAt }: OperatorPrice,
  { decimals }: Asset,
): Reference | 'off' | undefined {
  if (isNone) return 'off';
  const usdWad = mulDivDown(price, 10n ** BigInt(decimals), WAD);
  if (usdWad === 0n) return undefined;
  const isDated = answer * answerScale === usdWad && updatedAt > 0n;
  return { source, usdWad, ...(isDated && { updatedAt }) };
}

/** A pool sorts its two tokens by address. */
const isToken0 = (token: Address, other: Address): boolean => BigInt(token) < BigInt(other);

/** A pool's price, then its tick. */
type Slot0 = readonly [bigint, ...unknown[]];

/** What one pool of a route reports about itself. */
export interface HopAnswers {
  readonly tokenOut: Address;
  readonly slot0: Slot0 | undefined;
  readonly observed?: Observed | undefined;
}

/** If one pool lacks a price, the route has none. */
export function routeFacts(
  { side, asset, quoteAsset }: { readonly side: Side; readonly asset: Asset; readonly quoteAsset: Asset },
  hops: readonly HopAnswers[],
  seconds = 0n,
): Pick<ChainFacts, 'spotWad' | 'twapWad'> {
  let tokenIn = side === 'buy' ? quoteAsset.address : asset.address;
  const assetIsToken0 = hops.map(({ tokenOut }) => {
    const [nearAsset, nearQuote] = side === 'buy' ? [tokenOut, tokenIn] : [tokenIn, tokenOut];
    tokenIn = tokenOut;
    return isToken0(nearAsset, nearQuote);
  });
  const priceWad = (roots: readonly (bigint | undefined)[]) => {
    const pools = roots.flatMap((sqrtPriceX96, at) =>
      sqrtPriceX96 ? [{ sqrtPriceX96, assetIsToken0: assetIsToken0[at] ?? false }] : [],
    );
    return pools.length > 0 && pools.length === hops.length
      ? priceWadDown(pools, asset.decimals, quoteAsset.decimals)
      : undefined;
  };
  return {
    ...present('spotWad', priceWad(hops.map(({ slot0 }) => slot0?.[0]))),
    ...present('twapWad', priceWad(hops.map(({ observed }) => meanRoot(observed, seconds)))),
  };
}

/**
 * A pool's observations at two times: cumulative ticks, and cumulative seconds per liquidity with 128 fractional bits.
 */
type Observed = readonly [readonly bigint[], readonly bigint[]];

function meanRoot(observed: Observed | undefined, seconds: bigint): bigint | undefined {
  const [before, after] = observed?.[0] ?? [];
  if (before === undefined || after === undefined) return undefined;
  const tick = meanTickDown(before, after, seconds);
  return isTick(tick) ? sqrtPriceX96AtTick(tick) : undefined;
}

/** Encoding of contracts/lens/MarketLens.sol. */
const outcomes = ['unknown', 'refused', 'no_way_back', 'there_and_back'] as const;

export function simulationOf(snapshot: {
  readonly outcome: number;
  readonly received: bigint;
  readonly returned: bigint;
}): Simulation | undefined {
  const { received, returned } = snapshot;
  switch (outcomes[snapshot.outcome]) {
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

// v3 pool prices in integer arithmetic. A pool stores √(token1 per token0) in base units with 96 fractional bits; ticks
// are its logarithm to the base √1.0001.

const Q192 = 1n << 192n;
const MAX_TICK = 887_272;

/**
 * Whole quote tokens per whole asset over a route's pools, with 18 decimals, rounded down once.
 * @param pools `sqrtPriceX96` must be positive. `assetIsToken0`: whether the token on the asset's side is the pool's first.
 */
export function priceWadDown(
  pools: readonly { readonly sqrtPriceX96: bigint; readonly assetIsToken0: boolean }[],
  assetDecimals: number,
  quoteDecimals: number,
): bigint {
  let numerator = WAD * 10n ** BigInt(assetDecimals);
  let denominator = 10n ** BigInt(quoteDecimals);
  for (const { sqrtPriceX96, assetIsToken0 } of pools) {
    const square = sqrtPriceX96 * sqrtPriceX96;
    numerator *= assetIsToken0 ? square : Q192;
    denominator *= assetIsToken0 ? Q192 : square;
  }
  return numerator / denominator;
}

/** Mean tick between two cumulative ticks, rounded down like the pool's own library. */
export function meanTickDown(before: bigint, after: bigint, seconds: bigint): number {
  const difference = after - before;
  const mean = difference / seconds;
  return Number(difference < 0n && difference % seconds !== 0n ? mean - 1n : mean);
}

// The pool multiplies roots of 1/1.0001 rounded to 128 fractional bits. Reproduce its rounding exactly, because the
// results are compared with its own answers.
const PRECISION = 400n;
const ROOTS: readonly bigint[] = rootsNearest(20);

/** √(1/1.0001)^(2^k) for k = 0, 1, 2 …, with 128 fractional bits, rounded to nearest. */
function rootsNearest(count: number): bigint[] {
  const half = 1n << (PRECISION - 129n);
  const roots: bigint[] = [];
  let root = squareRootDown((10_000n << (2n * PRECISION)) / 10_001n);
  while (roots.length < count) {
    roots.push((root + half) >> (PRECISION - 128n));
    root = (root * root) >> PRECISION;
  }
  return roots;
}

/** Newton's method from above, until a step gets no closer. */
export function squareRootDown(square: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

const isTick = (tick: number): boolean => Number.isInteger(tick) && Math.abs(tick) <= MAX_TICK;

/** √1.0001^tick with 96 fractional bits, rounded up; `tick` in ±887,272. */
export function sqrtPriceX96AtTick(tick: number): bigint {
  const distance = Math.abs(tick);
  if (!isTick(tick)) throw new RangeError(`${tick} is not a valid tick`);
  let ratio = 1n << 128n;
  for (const [bit, root] of ROOTS.entries()) {
    if ((distance & (1 << bit)) !== 0) ratio = (ratio * root) >> 128n;
  }
  if (tick > 0) ratio = ((1n << 256n) - 1n) / ratio;
  return (ratio + (1n << 32n) - 1n) >> 32n;
}
