import { shortAddress } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Settings } from '../../api/settings.ts';
import { coverWords } from '../../words/en/coverage.ts';
import type { Guard } from '../read-guards.ts';

/** Whether Chainlink's prices can trigger the guard too. */
export const watchesChainlink = ({ priceSource }: Pick<Guard, 'priceSource'>, { contracts }: Settings): boolean =>
  sameAddress(contracts.priceSource, priceSource);

/** The name of a guard's price source; undefined for a guard without one. */
export function sourceWords(guard: Pick<Guard, 'priceSource'>, settings: Settings): string | undefined {
  if (guard.priceSource === undefined) return undefined;
  return watchesChainlink(guard, settings)
    ? coverWords.chainlink
    : coverWords.priceSource(shortAddress(guard.priceSource));
}
