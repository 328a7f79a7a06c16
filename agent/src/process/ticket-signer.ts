import { type TicketSigner, verdictTypes } from '@bowline/core/domain/ticket';
import type { Address } from '@bowline/core/domain/units';
import type { PrivateKeyAccount } from 'viem';

/** Signs verdicts as EIP-712 for one chain's registry, with a key used for nothing else. */
export function createTicketSigner(account: PrivateKeyAccount, chainId: number, planRegistry: Address): TicketSigner {
  const domain = { name: 'Bowline PlanRegistry', version: '1', chainId, verifyingContract: planRegistry };
  return {
    address: account.address,
    domain,
    sign: (message) => account.signTypedData({ domain, types: verdictTypes, primaryType: 'Verdict', message }),
  };
}
