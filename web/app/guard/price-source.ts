import type { Settings } from '../api/settings.ts';
import type { Guard } from '../chain/read-guards.ts';
import { shortAddress } from '../words/address.ts';

/** Whether the guard is triggered by Chainlink's prices too. */
export const watchesChainlink = ({ priceSource }: Pick<Guard, 'priceSource'>, { contracts }: Settings): boolean =>
  priceSource?.toLowerCase() === contracts.priceSource.toLowerCase();

/** The prices of a guard's source, in words; undefined for a guard without one. */
export function sourceWords(guard: Pick<Guard, 'priceSource'>, settings: Settings): string | undefined {
  if (guard.priceSource === undefined) return undefined;
  return watchesChainlink(guard, settings)
    ? 'Chainlink’s prices'
    : `the price source ${shortAddress(guard.priceSource)}`;
}
