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
  /** The protocol's own contract that keeps the accounts. */
  readonly core: Address;
  /** One of its markets, as the adapter names them. An account without a known market is read through this one. */
  readonly anyMarket: Hex;
}

export type LendingProtocols = readonly [LendingProtocol, ...LendingProtocol[]];

/** The protocol that an adapter belongs to; undefined for an adapter that is not listed. */
export const protocolAt = <Listed extends Pick<LendingProtocol, 'adapter'>>(
  protocols: readonly Listed[],
  adapter: Address,
): Listed | undefined => protocols.find((each) => sameAddress(each.adapter, adapter));

/** The name of the protocol that an adapter belongs to; the adapter's short address if it is not listed. */
export const protocolName = (
  protocols: readonly Pick<LendingProtocol, 'adapter' | 'name'>[],
  adapter: Address,
): string => protocolAt(protocols, adapter)?.name ?? shortAddress(adapter);

/** Gas limit of one rescue: 625,000 measured with five markets; each further market of the borrower adds about 100,000. */
export const RESCUE_GAS = 5_000_000n;
