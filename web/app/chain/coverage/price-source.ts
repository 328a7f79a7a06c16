import { shortAddress } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Settings } from '../../api/settings.ts';
import { coverWords } from '../../words/en/coverage.ts';
import type { Guard } from '../read-guards.ts';

/** Whether the guard is triggered by Chainlink's prices too. */
export const watchesChainlink = ({ priceSource }: Pick<Guard, 'priceSource'>, { contracts }: Settings): boolean =>
  sameAddress(contracts.priceSource, priceSource);

/** The prices of a guard's source, in words; undefined for a guard without one. */
export function sourceWords(guard: Pick<Guard, 'priceSource'>, settings: Settings): string | undefined {
  if (guard.priceSource === undefined) return undefined;
  return watchesChainlink(guard, settings)
    ? coverWords.chainlink
    : coverWords.priceSource(shortAddress(guard.priceSource));
}
