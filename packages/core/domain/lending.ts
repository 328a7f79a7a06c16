import { shortAddress } from './readable.ts';
import { sameAddress } from './same-address.ts';
import type { Address, Hex } from './units.ts';

/** A lending protocol whose loans are read and guarded. */
export interface LendingProtocol {
  /** As people call it. */
  readonly name: string;
  /** What of it the adapter reads, in words. */
  readonly scope: string;
  /** Where people borrow. */
  readonly url: string;
  /** Our contract, through which its accounts are read and its debts repaid. */
  readonly adapter: Address;
  /** Our contract for both sides of its loans, by which CollateralGuard's guards name it; absent where it is not deployed. */
  readonly collateralAdapter?: Address;
  /** The protocol's own contract that keeps the accounts. */
  readonly core: Address;
  /** One of its markets, as the adapter names them. An account without a known market is read through this one. */
  readonly anyMarket: Hex;
}

export type LendingProtocols = readonly [LendingProtocol, ...LendingProtocol[]];

type Adapted = Pick<LendingProtocol, 'adapter' | 'collateralAdapter'>;

/** Whether a guard with this adapter is of the protocol. */
export const isAdapterOf = ({ adapter, collateralAdapter }: Adapted, named: Address): boolean =>
  sameAddress(named, adapter) || sameAddress(named, collateralAdapter);

/** The protocol that an adapter belongs to; undefined for an adapter that is not listed. */
export const protocolAt = <Listed extends Adapted>(
  protocols: readonly Listed[],
  adapter: Address,
): Listed | undefined => protocols.find((each) => isAdapterOf(each, adapter));

/** The name of the protocol that an adapter belongs to; the adapter's short address if it is not listed. */
export const protocolName = (
  protocols: readonly (Adapted & Pick<LendingProtocol, 'name'>)[],
  adapter: Address,
): string => protocolAt(protocols, adapter)?.name ?? shortAddress(adapter);

/** Gas limit of one rescue by LoanGuard: 625,000 measured with five markets; each further market of the borrower adds about 100,000. */
export const RESCUE_GAS = 5_000_000n;
/** The same by CollateralGuard, over up to three pools: 1,431,000 measured over one. */
export const SALE_GAS = 8_000_000n;
