import type { LendingProtocol } from '@bowline/core/domain/lending';
import type { PricedPart } from '@bowline/core/domain/loan-part';
import type { Address, Hex } from 'viem';
import type { Reads } from '../reads.ts';
import type { PriceOf } from './supposed-prices.ts';

/** A listed protocol, by what its accounts are read with. */
export type Protocol = Pick<
  LendingProtocol,
  'name' | 'family' | 'adapter' | 'collateralAdapter' | 'core' | 'market' | 'payable' | 'native'
>;

/** A market in which an account has collateral or debt. */
export interface Held {
  /** As the adapter names it; of `collateral` alone, any name that the reader's other answers use. */
  readonly market: Hex;
  /** Base units of the market's token. */
  readonly supplied: bigint;
  /** Set where the protocol keeps collateral apart from debt: its token. Nothing is owed there. */
  readonly collateral?: Address;
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
  /** A market that can be owed in is first, if there is any. */
  readonly held: (client: Reads, protocol: Protocol, account: Address) => Promise<readonly Held[]>;
  readonly isRepayPaused: (client: Reads, protocol: Protocol, market: Hex) => Promise<boolean>;
  /** Whether receipts of this collateral may not be moved, or not be turned into its token. Absent: none is sold. */
  readonly salePauses?: (client: Reads, protocol: Protocol, market: Hex) => Promise<SalePauses>;
  /** @param owed debts in base units, as last stored. */
  readonly parts: (
    client: Reads,
    protocol: Protocol,
    account: Address,
    owed: readonly { readonly market: Hex; readonly debt: bigint }[],
  ) => Promise<readonly PricedPart[]>;
  /** The least that a liquidation takes of a borrower beyond what it repays, as a share of that with 18 decimals. */
  readonly penaltyWad: (client: Reads, protocol: Protocol) => Promise<bigint>;
  /** The protocol's price oracle. */
  readonly oracle: (client: Reads, protocol: Protocol) => Promise<Address>;
  /** Its answer to each question for a supposed price, by the question's first argument. */
  readonly oracleAnswers: (client: Reads, prices: readonly Supposed[]) => Promise<readonly PriceOf[]>;
  /** For isolated markets: which of these entries hold collateral or debt of the account, in one call. */
  readonly used?: (client: Reads, entries: readonly Protocol[], account: Address) => Promise<readonly boolean[]>;
}
