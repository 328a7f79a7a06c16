import type { Address, Hex, PublicClient } from 'viem';
import type { Lending } from '../../api/settings.ts';

/** A market in which an account has collateral or debt. */
interface Held {
  /** As the adapter names it. */
  readonly market: Hex;
  /** Base units of the market's token. */
  readonly supplied: bigint;
}

/** What only the protocol's own contracts answer. All the rest is read through its adapter. */
export interface LendingReader {
  /** The protocol's name in the registry. */
  readonly name: string;
  readonly held: (client: PublicClient, protocol: Lending, account: Address) => Promise<readonly Held[]>;
  readonly isRepayPaused: (client: PublicClient, protocol: Lending, market: Hex) => Promise<boolean>;
}
