import type { Address, Hex } from '@bowline/core/domain/units';
import { encodeFunctionData, parseAbi } from 'viem';
import { asking, type ChainClient, refusalOf } from './chain-client.ts';

const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);

/** Passkey wallets need about 400,000. */
const MAX_GAS = 1_000_000n;

/** Whether the account is a contract that accepts the signature (ERC-1271). Throws `chain_unavailable`. */
export function isSignedByWallet(client: ChainClient, owner: Address, digest: Hex, signature: Hex): Promise<boolean> {
  return asking(async () => {
    if ((await client.getCode({ address: owner })) === undefined) return false;
    const data = encodeFunctionData({ abi: walletAbi, args: [digest, signature] });
    try {
      return (await client.call({ to: owner, data, gas: MAX_GAS })).data?.startsWith('0x1626ba7e') === true;
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      return false;
    }
  });
}
