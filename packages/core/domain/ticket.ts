import type { Address, Hex } from './units.ts';

/** A verdict that others can act on, with the fields that are signed and in the contract's own words. */
export interface Ticket {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** As on chain. */
  readonly verdict: number;
  /** Base units of tokenIn for 1e18 base units of tokenOut. */
  readonly maxPriceWad: bigint;
  readonly maxAmountIn: bigint;
  /** Of the block whose facts were judged, unix seconds. */
  readonly issuedAt: bigint;
  readonly expiresAt: bigint;
  /** Of the evidence's text. */
  readonly evidenceHash: Hex;
}

/** What of a ticket is signed (EIP-712), as PlanRegistry has it. */
export const verdictTypes = {
  Verdict: [
    { name: 'tokenIn', type: 'address' },
    { name: 'tokenOut', type: 'address' },
    { name: 'verdict', type: 'uint8' },
    { name: 'maxPriceWad', type: 'uint256' },
    { name: 'maxAmountIn', type: 'uint256' },
    { name: 'issuedAt', type: 'uint64' },
    { name: 'expiresAt', type: 'uint64' },
    { name: 'evidenceHash', type: 'bytes32' },
  ],
} as const;

/** What a ticket is signed for. */
interface TicketDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

export interface TicketSigner {
  readonly address: Address;
  readonly domain: TicketDomain;
  sign(ticket: Ticket): Promise<Hex>;
}
