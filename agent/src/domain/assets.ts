import type { Address } from './units.ts';

/** What an asset is, which decides the limits that its price is held to. */
export type AssetClass = 'crypto' | 'stable';

/** One line of the asset registry. Adding an asset is data, not code. */
export interface Asset {
  /** As people write it, upper case: BTCB. */
  readonly symbol: string;
  readonly name: string;
  readonly class: AssetClass;
  readonly address: Address;
  readonly decimals: number;
  /** Chainlink feed of asset / USD. */
  readonly feed: Address;
  readonly feedDecimals: number;
  /** Its PancakeSwap v3 pool against another asset of the registry, in which it is traded. */
  readonly pool: { readonly address: Address; readonly quote: string; readonly feeMillionths: number };
  /** Pair on the exchange, priced in what the pool is quoted in; absent where there is none. */
  readonly exchangePair?: string;
  /** Other words that people use for it, lower case. */
  readonly aliases: readonly string[];
}
