import type { Guard } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Settings } from '../../api/settings.ts';
import { watchesChainlink } from './price-source.ts';

/** Whether the page's forms can show all of a guard's terms. If not, an edit would change terms that nobody saw. */
export function isEditable(guard: Guard, settings: Settings): boolean {
  const { sale, priceSource, repayToken, borrower, funder } = guard;
  if (!sameAddress(borrower, funder)) return false;
  if (sale === undefined) return priceSource === undefined || watchesChainlink(guard, settings);
  const { route, collateralToken } = sale;
  const isOnePool = route === undefined ? sameAddress(collateralToken, repayToken) : BigInt(route.firstToken) === 0n;
  return isOnePool && watchesChainlink(guard, settings);
}
