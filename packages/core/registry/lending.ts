import type { LendingProtocols } from '../domain/lending.ts';
import type { Address, Hex } from '../domain/units.ts';

const venus = { name: 'Venus', scope: 'Venus’s core pool', url: 'https://app.venus.io/' } as const;

/** The names alone, for words that know no deployment. */
export const lendingNames: readonly string[] = [venus.name];

/** What the list is made from: the deployed adapters, and the protocols' own contracts. */
interface Places {
  readonly own: { readonly venusMarket: Address; readonly venusCollateral?: Address };
  readonly venus: { readonly comptroller: Address; readonly vUsdt: Address };
}

/**
 * The lending protocols of a deployment. Only those that count in US dollars: their values are printed as dollars, and a
 * reader refuses one whose adapter names another unit.
 */
export const lendingOf = ({ own, venus: of }: Places): LendingProtocols => [
  {
    ...venus,
    adapter: own.venusMarket,
    ...(own.venusCollateral && { collateralAdapter: own.venusCollateral }),
    core: of.comptroller,
    anyMarket: marketAt(of.vUsdt),
  },
];

const marketAt = (address: Address): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
