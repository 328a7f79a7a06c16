import { healthWadOf } from '@bowline/core/domain/loan-health';
import type { Loan } from '../read-loan.ts';
import type { Supposed } from './reader.ts';

/** Values in US dollars with 18 decimals. */
export interface Account {
  readonly debtUsdWad: bigint;
  readonly weightedUsdWad: bigint;
  /** Undefined without debt. */
  readonly healthWad: bigint | undefined;
}

export const accountOf = (debtUsdWad: bigint, weightedUsdWad: bigint): Account => ({
  ...{ debtUsdWad, weightedUsdWad },
  healthWad: healthWadOf(weightedUsdWad, debtUsdWad),
});

/** A loan at these prices, by the protocol's own sums; what is not named keeps its price. */
export function accountAt(
  { debtUsdWad, weightedUsdWad, parts = [] }: Pick<Loan, 'debtUsdWad' | 'weightedUsdWad' | 'parts'>,
  prices: readonly Supposed[],
): Account {
  let [debt, weighted] = [debtUsdWad, weightedUsdWad];
  for (const { market, priceWad } of prices) {
    const part = parts.find((each) => each.market === market);
    if (part === undefined) continue;
    debt += part.debtAt(priceWad) - part.debtAt(part.priceWad);
    weighted += part.weightedAt(priceWad) - part.weightedAt(part.priceWad);
  }
  return accountOf(debt, weighted);
}
