import type { Desk } from '@bowline/core/domain/desk';
import type { Address } from '@bowline/core/domain/units';
import { bytesToBigInt, type LocalAccount } from 'viem';
import { asking, type ChainClient } from './chain-client.ts';
import { erc20Abi } from './erc20-abi.ts';

const types = {
  Quote: [
    { name: 'buyer', type: 'address' },
    { name: 'tokenIn', type: 'address' },
    { name: 'amountIn', type: 'uint256' },
    { name: 'tokenOut', type: 'address' },
    { name: 'amountOut', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiresAt', type: 'uint256' },
  ],
} as const;

/** A quote desk whose maker key this agent holds. */
export function createDesk(client: ChainClient, account: LocalAccount, chainId: number, address: Address): Desk {
  const domain = { name: 'Bowline QuoteDesk', version: '1', chainId, verifyingContract: address };
  return {
    address,
    inventory: (token) =>
      asking(() => client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] })),
    sign: (message) => account.signTypedData({ domain, types, primaryType: 'Quote', message }),
    newNonce: () => bytesToBigInt(crypto.getRandomValues(new Uint8Array(32))),
  };
}
