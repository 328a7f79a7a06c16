import type { LendingProtocol } from '@bowline/core/domain/lending';
import type { PricedPart } from '@bowline/core/domain/loan-part';
import type { Address, Hex } from 'viem';
import type { Reads } from '../reads.ts';
import type { PriceOf } from './supposed-prices.ts';

/** What is needed of a listed protocol to read its accounts. */
export type Protocol = Pick<
  LendingProtocol,
  'name' | 'family' | 'adapter' | 'collateralAdapter' | 'core' | 'market' | 'payable' | 'native'
>;

/** A market in which an account has collateral or debt. */
export interface Held {
  /** As the adapter names it. For `collateral`, any name that the reader's other answers use. */
  readonly market: Hex;
  /** Base units of the market's token. */
  readonly supplied: bigint;
  /** The collateral's token, set if the protocol keeps collateral apart from debt. Nothing is owed there. */
  readonly collateral?: Address;
}

/** A hypothetical price of a market's token: of 1e18 base units, like the protocol's own. */
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
  /** If debt is possible in any of the markets, one such market is first. */
  readonly held: (client: Reads, protocol: Protocol, account: Address) => Promise<readonly Held[]>;
  readonly isRepayPaused: (client: Reads, protocol: Protocol, market: Hex) => Promise<boolean>;
  /** Whether moving receipts of this collateral, or turning them into its token, is paused. Absent: none is sold. */
  readonly salePauses?: (client: Reads, protocol: Protocol, market: Hex) => Promise<SalePauses>;
  /** @param owed debts in base units, as last stored. */
  readonly parts: (
    client: Reads,
    protocol: Protocol,
    account: Address,
    owed: readonly { readonly market: Hex; readonly debt: bigint }[],
  ) => Promise<readonly PricedPart[]>;
  /** The least a liquidation takes from a borrower beyond what it repays, as a share of that with 18 decimals. */
  readonly penaltyWad: (client: Reads, protocol: Protocol) => Promise<bigint>;
  /** The protocol's price oracle. */
  readonly oracle: (client: Reads, protocol: Protocol) => Promise<Address>;
  /** The oracle's answers for supposed prices, by the first argument of the call. */
  readonly oracleAnswers: (client: Reads, prices: readonly Supposed[]) => Promise<readonly PriceOf[]>;
  /** For isolated markets: which of these entries hold collateral or debt of the account, in one call. */
  readonly used?: (client: Reads, entries: readonly Protocol[], account: Address) => Promise<readonly boolean[]>;
}
