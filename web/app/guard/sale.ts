import { UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { shortAddress } from '@bowline/core/domain/readable';
import { formatBps } from '@bowline/core/domain/units';
import { collateralGuardAbi, loanGuardAbi } from '../../../abis/index.ts';
import { assetAt, type Settings } from '../api/settings.ts';
import type { Guard } from '../chain/read-guards.ts';
import { tellErrorsOf } from '../words/contract-errors.ts';
import { guardWords } from '../words/en/guard.ts';
import { health } from '../words/health.ts';

// Loaded only with the code that shows and signs guards.
tellErrorsOf([...loanGuardAbi, ...collateralGuardAbi]);

/** A guard's target in words: a health, or that nothing is left to repay. */
export const targetWords = ({ targetHealthWad }: Pick<Guard, 'targetHealthWad'>): string =>
  targetHealthWad === UNWIND_HEALTH_WAD ? guardWords.unwind : health(targetHealthWad);

/** What a guard sells, in a sentence. */
export function saleWords({ sale }: Pick<Guard, 'sale'>, settings: Settings): string {
  if (sale === undefined) return '';
  const token = assetAt(settings, sale.collateralToken)?.symbol ?? shortAddress(sale.collateralToken);
  const cost = formatBps(BigInt(sale.maxCostBps));
  return sale.funding === 'collateral' ? guardWords.sells(token, cost) : guardWords.sellsSavings(token, cost);
}
