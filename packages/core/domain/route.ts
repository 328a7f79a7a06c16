import { type Asset, isTraded, type TradedAsset } from './assets.ts';
import type { ChainFacts, Hop, Side } from './facts.ts';
import type { Address, Hex } from './units.ts';

/** What two tokens are to each other in a trade. */
export interface Pairing {
  readonly asset: TradedAsset;
  /** The asset it is traded against. */
  readonly quoteAsset: Asset;
  readonly side: Side;
}

/** The trade from `tokenIn` to `tokenOut`; undefined if neither is quoted in the other. */
export function pairingOf(assets: readonly Asset[], tokenIn: Address, tokenOut: Address): Pairing | undefined {
  const paid = assetOf(assets, tokenIn);
  const received = assetOf(assets, tokenOut);
  if (paid === undefined || received === undefined) return undefined;
  if (isTraded(received) && received.pool.quote === paid.symbol) {
    return { asset: received, quoteAsset: paid, side: 'buy' };
  }
  if (isTraded(paid) && paid.pool.quote === received.symbol) {
    return { asset: paid, quoteAsset: received, side: 'sell' };
  }
  return undefined;
}

const assetOf = (assets: readonly Asset[], token: Address): Asset | undefined =>
  assets.find(({ address }) => address.toLowerCase() === token.toLowerCase());

/** A route as PancakeSwap's v3 path: token, 3-byte fee, token, and so on. */
export function pathOf(tokenIn: Address, route: readonly Omit<Hop, 'pool'>[]): Hex {
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
 * What the pools' fees leave of an amount: of the route, or of the asset's own pool where the facts have none, as recorded
 * ones do.
 */
export function leftByFees({ route }: Pick<ChainFacts, 'route'>, { pool }: TradedAsset): Fraction {
  const fees = route?.map(({ feeMillionths }) => feeMillionths) ?? [pool.feeMillionths ?? 0];
  return {
    numerator: fees.reduce((left, fee) => left * (MILLION - BigInt(fee)), 1n),
    denominator: MILLION ** BigInt(fees.length),
  };
}
