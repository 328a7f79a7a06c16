import type { Desk } from '@bowline/core/domain/desk';
import type { Address } from '@bowline/core/domain/units';
import type { LocalAccount, TypedData } from 'viem';
import { quoteDeskAbi } from '../../abis/index.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { newNonce, structsOf } from './drafts/signed.ts';
import { erc20Abi } from './erc20-abi.ts';

/** A quote desk whose maker key this agent holds. */
export function createDesk(client: ChainClient, account: LocalAccount, chainId: number, address: Address): Desk {
  const domain = { name: 'Bowline QuoteDesk', version: '1', chainId, verifyingContract: address };
  const types: TypedData = structsOf(quoteDeskAbi, 'redeem');
  return {
    address,
    inventory: (token) =>
      asking(() => client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] })),
    sign: (quote) => account.signTypedData({ domain, types, primaryType: 'Quote', message: { ...quote } }),
    newNonce,
  };
}
