import type { LendingProtocol } from '@bowline/core/domain/lending';
import type { Address } from '@bowline/core/domain/units';
import type { ChainClient } from '../chain-client.ts';
import type { LendingLens } from './lens.ts';
import { venus } from './venus.ts';
import { createVenusLens } from './venus-lens.ts';

const makers: Readonly<Record<string, (client: ChainClient, adapter: Address) => LendingLens>> = {
  [venus.name]: createVenusLens,
};

/** The lenses of the listed protocols that have one, by adapter in lower case. */
export function lensesOf(
  client: ChainClient,
  protocols: readonly Pick<LendingProtocol, 'name' | 'adapter' | 'collateralAdapter'>[],
): ReadonlyMap<string, LendingLens> {
  const lenses = new Map<string, LendingLens>();
  for (const { name, adapter, collateralAdapter } of protocols) {
    const lens = makers[name]?.(client, adapter);
    if (lens === undefined) continue;
    lenses.set(adapter.toLowerCase(), lens);
    // Both adapters read an account the same way.
    if (collateralAdapter) lenses.set(collateralAdapter.toLowerCase(), lens);
  }
  return lenses;
}
