import type { LendingProtocol, LendingProtocols } from '../domain/lending.ts';
import type { Address, Hex } from '../domain/units.ts';

const venus = { name: 'Venus', scope: 'Venus’s core pool', url: 'https://app.venus.io/' } as const;
const lista = { name: 'Lista', url: 'https://lista.org/lending' } as const;

/** The names alone, for texts that do not know a deployment. */
export const lendingNames: readonly string[] = [venus.name, lista.name];

/** What the list is built from: the deployed adapters, and the protocols' own contracts. */
interface Places {
  readonly own: {
    readonly venusMarket: Address;
    readonly venusCollateral?: Address;
    readonly moolahMarket?: Address;
  };
  readonly venus: {
    readonly comptroller: Address;
    readonly vUsdt: Address;
    readonly vBnb: Address;
    readonly maximillion: Address;
    readonly vTokens: readonly Address[];
  };
  readonly lista?: {
    readonly moolah: Address;
    readonly markets: readonly { readonly collateral: string; readonly loan: string; readonly id: Hex }[];
  };
}

/**
 * The lending protocols of a deployment, with an entry for each isolated market. Only those that count in US dollars:
 * their values are printed as dollars, and a reader refuses one whose adapter names another unit.
 */
export const lendingOf = ({ own, venus: of, lista: ofLista }: Places): LendingProtocols => [
  {
    ...venus,
    adapter: own.venusMarket,
    ...(own.venusCollateral && { collateralAdapter: own.venusCollateral }),
    core: of.comptroller,
    payable: of.vTokens,
    native: { market: of.vBnb, repaysAll: of.maximillion },
    anyMarket: marketAt(of.vUsdt),
  },
  ...(own.moolahMarket && ofLista ? listaMarkets(own.moolahMarket, ofLista) : []),
];

const listaMarkets = (adapter: Address, { moolah, markets }: NonNullable<Places['lista']>): LendingProtocol[] =>
  markets.map(({ collateral, loan, id }) => ({
    name: `${lista.name} ${collateral}/${loan}`,
    family: lista.name,
    scope: `Lista’s market for ${loan} against ${collateral}`,
    url: lista.url,
    ...{ adapter, core: moolah, market: id, anyMarket: id },
  }));

const marketAt = (address: Address): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
