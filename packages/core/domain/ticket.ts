import type { Address, Hex } from './units.ts';

/** A verdict that contracts can act on, with the signed fields named as in the contract. */
export interface Ticket {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** On-chain number of the verdict. */
  readonly verdict: number;
  /** Base units of tokenIn for 1e18 base units of tokenOut. */
  readonly maxPriceWad: bigint;
  readonly maxAmountIn: bigint;
  /** Time of the judged block, unix seconds. */
  readonly issuedAt: bigint;
  readonly expiresAt: bigint;
  /** keccak256 of the evidence text. */
  readonly evidenceHash: Hex;
}

/** Signed part of a ticket (EIP-712), as in PlanRegistry. */
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

/** EIP-712 domain of a ticket. */
interface TicketDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

/** What a verdict signer signs. */
export const ticketTypedData = (domain: TicketDomain, message: Ticket) =>
  ({ domain, types: verdictTypes, primaryType: 'Verdict', message }) as const;

export interface TicketSigner {
  readonly address: Address;
  readonly domain: TicketDomain;
  sign(ticket: Ticket): Promise<Hex>;
}
