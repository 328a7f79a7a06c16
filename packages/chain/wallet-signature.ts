import type { Address, Hex } from '@bowline/core/domain/units';
import { encodeFunctionData, parseAbi } from 'viem';
import { asking, type ChainClient } from './chain-client.ts';
import { refusalOf } from './errors.ts';

const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);

/** Passkey wallets need about 400,000. */
const MAX_GAS = 1_000_000n;

/** What an account says of a signature (ERC-1271). `none`: it has no code. */
export type WalletWord = 'none' | 'refuses' | 'accepts';

/** Throws `chain_unavailable`. */
export function askWallet(client: ChainClient, owner: Address, digest: Hex, signature: Hex): Promise<WalletWord> {
  return asking(async () => {
    if ((await client.getCode({ address: owner })) === undefined) return 'none';
    const data = encodeFunctionData({ abi: walletAbi, args: [digest, signature] });
    try {
      const answer = (await client.call({ to: owner, data, gas: MAX_GAS })).data;
      return answer?.startsWith('0x1626ba7e') ? 'accepts' : 'refuses';
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      return 'refuses';
    }
  });
}

/** Whether the account is a contract that accepts the signature (ERC-1271). Throws `chain_unavailable`. */
export const isSignedByWallet = async (...asked: Parameters<typeof askWallet>): Promise<boolean> =>
  (await askWallet(...asked)) === 'accepts';
