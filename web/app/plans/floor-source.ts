import { zeroAddress } from 'viem';
import type { Settings } from '../api/settings.ts';

/**
 * What sets a plan's minimum in addition to its limit price: the oracle that the build pins, a contract that this page does not
 * know, or nothing.
 */
export type FloorSource = 'oracle' | 'foreign' | 'none';

export function floorSource(priceSource: string, { contracts }: Pick<Settings, 'contracts'>): FloorSource {
  const source = priceSource.toLowerCase();
  if (source === contracts.priceSource.toLowerCase()) return 'oracle';
  return source === zeroAddress ? 'none' : 'foreign';
}
