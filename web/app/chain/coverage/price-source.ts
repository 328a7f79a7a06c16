import { shortAddress } from '@bowline/core/domain/readable';
import type { Settings } from '../../api/settings.ts';
import type { Guard } from '../read-guards.ts';

export const chainlinkWords = 'Chainlink’s prices';

/** Whether the guard is triggered by Chainlink's prices too. */
export const watchesChainlink = ({ priceSource }: Pick<Guard, 'priceSource'>, { contracts }: Settings): boolean =>
  priceSource?.toLowerCase() === contracts.priceSource.toLowerCase();

/**
 * What the cooldown of a guard with a price source does not hold back (LG-3).
 * @param protocol name of the lending protocol.
 * @param source the source's prices in words.
 */
export const cooldownException = (protocol: string, source: string): string =>
  `a rescue by ${protocol}’s prices may follow one by ${source} at once`;

/** The prices of a guard's source, in words; undefined for a guard without one. */
export function sourceWords(guard: Pick<Guard, 'priceSource'>, settings: Settings): string | undefined {
  if (guard.priceSource === undefined) return undefined;
  return watchesChainlink(guard, settings) ? chainlinkWords : `the price source ${shortAddress(guard.priceSource)}`;
}
