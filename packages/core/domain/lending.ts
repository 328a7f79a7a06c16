import { shortAddress } from './readable.ts';
import { sameAddress } from './same-address.ts';
import type { Address, Hex } from './units.ts';

/** A lending protocol whose loans are read and guarded. */
export interface LendingProtocol {
  /** The name that people use; for an isolated market it includes what the market lends against. */
  readonly name: string;
  /** The protocol's own name, if `name` is that of one of its markets. */
  readonly family?: string;
  /** Which part of the protocol the adapter reads, in words. */
  readonly scope: string;
  /** Where people borrow. */
  readonly url: string;
  /** Our contract, through which its accounts are read and its debts repaid. */
  readonly adapter: Address;
  /** Our contract for both sides of its loans, named by CollateralGuard's guards; absent where it is not deployed. */
  readonly collateralAdapter?: Address;
  /** The protocol's own contract that keeps the accounts. */
  readonly core: Address;
  /** Contracts of its markets that take a borrower's own payments; absent where `core` takes them. */
  readonly payable?: readonly Address[];
  /** Where native BNB is paid in, sent with the call; absent where none is. */
  readonly native?: {
    /** The contract of that market. */
    readonly market: Address;
    /** The protocol's own contract that repays a whole debt there and returns any excess. */
    readonly repaysAll: Address;
  };
  /** One of its markets, by the adapter's name for it. Used to read an account without a known market. */
  readonly anyMarket: Hex;
  /** This entry's market, if each market is an account of its own; `anyMarket` is then the same. */
  readonly market?: Hex;
}

export type LendingProtocols = readonly [LendingProtocol, ...LendingProtocol[]];

/** Whether a market, as the adapter names it, is the one that BNB itself is paid into. */
export const isNativeMarket = ({ native }: Pick<LendingProtocol, 'native'>, market: Hex): boolean =>
  native !== undefined && sameAddress(market.slice(-40), native.market.slice(2));

type Listed = Pick<LendingProtocol, 'adapter' | 'collateralAdapter' | 'market'>;

const isAdapterOf = ({ adapter, collateralAdapter }: Listed, named: Address): boolean =>
  sameAddress(named, adapter) || sameAddress(named, collateralAdapter);

/** Identifies an account in a protocol, as a guard's terms do. */
interface Place {
  readonly adapter: Address;
  readonly market: Hex;
}

/** Whether a guard's market belongs to this entry's account. */
export const isAccountOf = (listed: Listed, of: Place): boolean =>
  isAdapterOf(listed, of.adapter) && (listed.market === undefined || sameAddress(listed.market, of.market));

/**
 * The entry whose account a guard's market belongs to. An unlisted market of a listed protocol gets its own entry,
 * named by its id. Undefined for an adapter that is not listed.
 */
export function protocolAt<Entry extends Listed & Pick<LendingProtocol, 'name' | 'family'>>(
  protocols: readonly Entry[],
  of: Place,
): Entry | undefined {
  const listed = protocols.find((each) => isAccountOf(each, of));
  if (listed !== undefined) return listed;
  const sibling = protocols.find((each) => isAdapterOf(each, of.adapter));
  return sibling && ownMarket(sibling, of.market);
}

const ownMarket = <Entry extends Listed & Pick<LendingProtocol, 'name' | 'family'>>(
  entry: Entry,
  market: Hex,
): Entry => {
  const name = `${entry.family ?? entry.name} ${market.slice(0, 10)}`;
  return { ...entry, name, scope: name, market, anyMarket: market };
};

/** The name of the entry that a guard's market belongs to; the adapter's short address if it is not listed. */
export const protocolName = (
  protocols: readonly (Listed & Pick<LendingProtocol, 'name' | 'family'>)[],
  of: Place,
): string => protocolAt(protocols, of)?.name ?? shortAddress(of.adapter);

/** Gas limit of one rescue by LoanGuard: 625,000 measured with five markets; each further market of the borrower adds about 100,000. */
export const RESCUE_GAS = 5_000_000n;
/** The same for CollateralGuard, over up to three pools: 1,431,000 measured over one. */
export const SALE_GAS = 8_000_000n;
