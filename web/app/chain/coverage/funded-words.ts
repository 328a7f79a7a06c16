import type { fundedIf } from '@bowline/core/domain/funded-prices';
import { type Prices, perToken } from '@bowline/core/domain/loan-prices';
import { usd, usdUp } from '../../words/amounts.ts';
import { coverWords } from '../../words/en/coverage.ts';
import { partWords } from '../../words/en/parts.ts';
import type { LoanMarket } from '../read-loan.ts';

/** The prices at which a guard is funded, in US dollars per token: "$2,910.00", "up to $3,400.00", "any price". */
export function fundedWords(funded: ReturnType<typeof fundedIf>, market: LoanMarket): string {
  if (funded === 'unknown') return partWords.notKnown;
  if (funded === 'forced') return coverWords.noPriceForced;
  if (funded === 'liquidatable') return coverWords.liquidatable;
  if (funded === undefined) return partWords.notFunded;
  if (funded === 'any') return coverWords.anyPrice;
  const from = funded.priceWad && usdUp(perToken(funded.priceWad, market));
  const to = funded.upToWad && usd(perToken(funded.upToWad, market));
  if (to === undefined) return String(from);
  return from ? partWords.fromTo(String(from), String(to)) : coverWords.anyLower(String(to));
}

/** The prices at which the loan falls below the health that it has at `safe`: "$2,910.00", "only above $3,400.00". */
export function belowWords(safe: Prices | undefined, market: LoanMarket): string {
  if (safe === undefined) return coverWords.anyPrice;
  if (safe.toWad !== undefined) return coverWords.onlyAbove(usd(perToken(safe.toWad, market)));
  return safe.fromWad === 0n ? coverWords.noPrice : usdUp(perToken(safe.fromWad, market));
}
