import type { PricedPart } from '@bowline/core/domain/guarded-loan';
import type { LendingProtocol } from '@bowline/core/domain/lending';
import type { Address, Hex } from 'viem';
import type { Reads } from '../reads.ts';

/** A listed protocol, by what its accounts are read with. */
export type Protocol = Pick<LendingProtocol, 'name' | 'adapter' | 'collateralAdapter' | 'core'>;

/** A market in which an account has collateral or debt. */
interface Held {
  /** As the adapter names it. */
  readonly market: Hex;
  /** Base units of the market's token. */
  readonly supplied: bigint;
}

/** A price of a market's token that the protocol does not have: of 1e18 base units, as its own. */
export interface Supposed {
  readonly market: Hex;
  readonly token: Address;
  readonly priceWad: bigint;
}

export interface SalePauses {
  readonly transfer: boolean;
  readonly withdrawal: boolean;
}

/** What only the protocol's own contracts answer. All the rest is read through its adapter. */
export interface LendingReader {
  /** The protocol's name in the registry. */
  readonly name: string;
  readonly held: (client: Reads, protocol: Protocol, account: Address) => Promise<readonly Held[]>;
  readonly isRepayPaused: (client: Reads, protocol: Protocol, market: Hex) => Promise<boolean>;
  /** Whether receipts of this collateral may not be moved, or not be turned into its token. */
  readonly salePauses: (client: Reads, protocol: Protocol, market: Hex) => Promise<SalePauses>;
  /** @param owed debts in base units, as last stored. */
  readonly parts: (
    client: Reads,
    protocol: Protocol,
    account: Address,
    owed: readonly { readonly market: Hex; readonly debt: bigint }[],
  ) => Promise<readonly PricedPart[]>;
  /** The contract that tells the protocol prices, and what it is asked for one by: its first argument. */
  readonly oracle: (client: Reads, protocol: Protocol) => Promise<Address>;
  readonly oracleAsks: (price: Supposed) => readonly Address[];
}
