import type { Address, Hex, StateOverride } from 'viem';
import type { Lending } from '../../api/settings.ts';
import type { ChainClient } from '../client.ts';

/** A market in which an account has collateral or debt. */
interface Held {
  /** As the adapter names it. */
  readonly market: Hex;
  /** Base units of the market's token. */
  readonly supplied: bigint;
}

/**
 * What an account's collateral and debt in one market are worth, at any price of its token: US dollars with 18 decimals,
 * rounded as the protocol rounds. A price is that of 1e18 base units.
 */
export interface Part {
  readonly market: Hex;
  /** The protocol's price now; zero if the protocol asks for none. */
  readonly priceWad: bigint;
  /** Weighted by the liquidation threshold. */
  readonly weightedAt: (priceWad: bigint) => bigint;
  readonly debtAt: (priceWad: bigint) => bigint;
}

/** A price of a market's token that the protocol does not have. */
export interface Supposed {
  readonly market: Hex;
  readonly token: Address;
  readonly priceWad: bigint;
}

/** What only the protocol's own contracts answer. All the rest is read through its adapter. */
export interface LendingReader {
  /** The protocol's name in the registry. */
  readonly name: string;
  readonly held: (client: ChainClient, protocol: Lending, account: Address) => Promise<readonly Held[]>;
  readonly isRepayPaused: (client: ChainClient, protocol: Lending, market: Hex) => Promise<boolean>;
  /** @param owed debts in base units, as last stored. */
  readonly parts: (
    client: ChainClient,
    protocol: Lending,
    account: Address,
    owed: readonly { readonly market: Hex; readonly debt: bigint }[],
  ) => Promise<readonly Part[]>;
  /** How a call is made as if the protocol had these prices, and its own of everything else. */
  readonly supposing: (client: ChainClient, protocol: Lending, prices: readonly Supposed[]) => Promise<StateOverride>;
}
