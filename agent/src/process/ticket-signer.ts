import { type Ticket, type TicketSigner, verdictTypes } from '@bowline/core/domain/ticket';
import type { Address, Hex } from '@bowline/core/domain/units';

/** A ticket as EIP-712 typed data. */
export interface TicketTypedData {
  readonly domain: TicketSigner['domain'];
  readonly types: typeof verdictTypes;
  readonly primaryType: 'Verdict';
  readonly message: Ticket;
}

/** What a key must be able to do: the part of viem's accounts that signs tickets, wherever the key is. */
export interface TicketAccount {
  readonly address: Address;
  signTypedData(ticket: TicketTypedData): Promise<Hex>;
}

/** Signs verdicts as EIP-712 for one chain's registry, with a key used for nothing else. */
export function createTicketSigner(account: TicketAccount, chainId: number, planRegistry: Address): TicketSigner {
  const domain = { name: 'Bowline PlanRegistry', version: '1', chainId, verifyingContract: planRegistry };
  return {
    address: account.address,
    domain,
    sign: (message) => account.signTypedData({ domain, types: verdictTypes, primaryType: 'Verdict', message }),
  };
}
