import { BPS } from '@bowline/core/domain/units';
import type { Ruling } from '../../wire.ts';

/** Prices in US dollars with 18 decimals. */
export interface Band {
  readonly fromWad: bigint;
  readonly toWad: bigint;
}

/**
 * The prices at which neither a buyer nor a seller pays more in all than a verdict accepts without caution. Undefined without
 * a price or that check.
 */
export function fairBand({ findings }: Pick<Ruling, 'findings'>, priceWad: bigint | undefined): Band | undefined {
  const found = findings.find(({ check, unit }) => check === 'all_in_cost' && unit === 'bps');
  if (priceWad === undefined || found === undefined) return undefined;
  const cost = BigInt(found.caution_limit ?? found.limit);
  return { fromWad: (priceWad * (BPS - cost)) / BPS, toWad: (priceWad * (BPS + cost)) / BPS };
}
