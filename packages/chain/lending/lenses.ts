import type { LendingProtocol } from '@bowline/core/domain/lending';
import type { Address } from '@bowline/core/domain/units';
import type { ChainClient } from '../chain-client.ts';
import type { LendingLens, PartsLens } from './lens.ts';
import { createVenusLens, venusName } from './venus.ts';

type Lens = LendingLens & PartsLens;

const makers: Readonly<Record<string, (client: ChainClient, adapter: Address) => Lens>> = {
  [venusName]: createVenusLens,
};

/** The lenses of the listed protocols that have one, by adapter in lower case. */
export function lensesOf(
  client: ChainClient,
  protocols: readonly Pick<LendingProtocol, 'name' | 'adapter'>[],
): ReadonlyMap<string, Lens> {
  const lenses = new Map<string, Lens>();
  for (const { name, adapter } of protocols) {
    const make = makers[name];
    if (make) lenses.set(adapter.toLowerCase(), make(client, adapter));
  }
  return lenses;
}
