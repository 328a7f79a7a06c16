import { type Asset, type AssetClass, isTraded, type TradedAsset } from './assets.ts';
import type { ChainFacts, Hop, Side } from './facts.ts';
import { listedAt } from './same-address.ts';
import type { Address, Hex } from './units.ts';

/** The fields that decide whether two assets are traded for each other. */
export type Listed = Pick<Asset, 'symbol' | 'address' | 'pool'>;

/** The roles of two tokens in a trade. */
export interface Pairing<Each extends Listed = Asset> {
  readonly asset: Each & Pick<TradedAsset, 'pool'>;
  /** The asset it is traded against. */
  readonly quoteAsset: Each;
  readonly side: Side;
}

/** The trade from `tokenIn` to `tokenOut`; undefined if neither is quoted in the other. */
export function pairingOf<Each extends Listed>(
  assets: readonly Each[],
  tokenIn: Address,
  tokenOut: Address,
): Pairing<Each> | undefined {
  const paid = listedAt(assets, tokenIn);
  const received = listedAt(assets, tokenOut);
  if (paid === undefined || received === undefined) return undefined;
  if (isTraded(received) && received.pool.quote === paid.symbol) {
    return { asset: received, quoteAsset: paid, side: 'buy' };
  }
  if (isTraded(paid) && paid.pool.quote === received.symbol) {
    return { asset: paid, quoteAsset: received, side: 'sell' };
  }
  return undefined;
}

/**
 * Fee of the pool in which the registry trades two tokens, in millionths; undefined if they are not traded, or no pool of
 * the two is named.
 */
export const poolFeeOf = (assets: readonly Listed[], tokenIn: Address, tokenOut: Address): number | undefined =>
  pairingOf(assets, tokenIn, tokenOut)?.asset.pool.feeMillionths;

/** A route as PancakeSwap's v3 path: token, 3-byte fee, token, and so on. */
export function pathOf(tokenIn: Address, route: readonly Pick<Hop, 'feeMillionths' | 'tokenOut'>[]): Hex {
  const hops = route.map(({ feeMillionths, tokenOut }) => {
    return `${feeMillionths.toString(16).padStart(6, '0')}${tokenOut.slice(2)}`;
  });
  return `0x${tokenIn.slice(2)}${hops.join('')}`.toLowerCase() as Hex;
}

/** A share of an amount. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const MILLION = 1_000_000n;

/**
 * What remains of an amount after pool fees: those of the route, or of the asset's own pool if the facts have no route,
 * as recorded facts may not.
 */
export function leftByFees({ route }: Pick<ChainFacts, 'route'>, { pool }: TradedAsset): Fraction {
  const fees = route?.map(({ feeMillionths }) => feeMillionths) ?? [pool.feeMillionths ?? 0];
  return {
    numerator: fees.reduce((left, fee) => left * (MILLION - BigInt(fee)), 1n),
    denominator: MILLION ** BigInt(fees.length),
  };
}

/** PancakeSwap v3, and the tokens that a route may pass through. */
interface Pancake {
  readonly poolDeployer: Address;
  readonly quoter: Address;
  readonly hubs: readonly Address[];
}

/**
 * When contracts/lens/RouteSearch.sol prefers another route to the best-paying one: if pools are this many ticks from
 * their mean, the impact is this large, or this much liquidity is gone. A tick is a little less than 1/10,000.
 */
const soundness: Readonly<Record<AssetClass, { steadyTicks: bigint; impactBps: bigint; withdrawnBps: bigint }>> = {
  crypto: { steadyTicks: 198n, impactBps: 50n, withdrawnBps: 5_000n },
  stable: { steadyTicks: 19n, impactBps: 20n, withdrawnBps: 5_000n },
};

/** Where contracts/lens/RouteSearch.sol searches. */
export const routeMarket = ({ poolDeployer: deployer, quoter, hubs }: Pancake, assetClass: AssetClass) => ({
  ...{ deployer, quoter, hubs },
  ...soundness[assetClass],
});
