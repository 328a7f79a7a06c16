import type { PrivateKeyAccount } from 'viem';
import type { TicketSigner } from '../domain/ticket.ts';
import type { Address } from '../domain/units.ts';

const types = {
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

/** Signs verdicts as EIP-712 for the registry of one chain, with a key that can do nothing else. */
export function createTicketSigner(account: PrivateKeyAccount, chainId: number, planRegistry: Address): TicketSigner {
  const domain = { name: 'Bowline PlanRegistry', version: '1', chainId, verifyingContract: planRegistry };
  return {
    address: account.address,
    domain,
    sign: (message) => account.signTypedData({ domain, types, primaryType: 'Verdict', message }),
  };
}
