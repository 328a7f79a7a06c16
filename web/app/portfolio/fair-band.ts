import { parseUnits } from 'viem';
import type { Ruling } from '../../wire.ts';

/** Prices in US dollars with 18 decimals. */
export interface Band {
  readonly fromWad: bigint;
  readonly toWad: bigint;
}

const BPS = 10_000n;

/**
 * The prices that a verdict's own price checks let pass around the oracle's price: below it as far as the pool may be
 * "too good", above it by the cost in all at which they ask for caution. Undefined without a price or one of the checks.
 */
export function fairBand({ findings }: Pick<Ruling, 'findings'>, priceUsd: string | undefined): Band | undefined {
  const limitOf = (check: string) => {
    const found = findings.find((each) => each.check === check && each.unit === 'bps');
    return found && BigInt(found.caution_limit ?? found.limit);
  };
  const [below, above] = [limitOf('bargain'), limitOf('all_in_cost')];
  if (priceUsd === undefined || below === undefined || above === undefined) return undefined;
  const priceWad = parseUnits(priceUsd, 18);
  return { fromWad: (priceWad * (BPS - below)) / BPS, toWad: (priceWad * (BPS + above)) / BPS };
}
