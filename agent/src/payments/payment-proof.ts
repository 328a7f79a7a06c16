import type { Authorization, Payment, PaymentTerms } from '@bowline/core/domain/payment';
import type { Address, Hex } from '@bowline/core/domain/units';
import { encodeFunctionData, type Log, parseAbi, parseEventLogs } from 'viem';
import { asking, type ChainClient, receiptOf, refusalOf } from '../chain/chain-client.ts';
import { findUse } from './find-use.ts';

// On-chain evidence of an EIP-3009 authorisation. A used nonce proves nothing: the payer may have cancelled it or paid
// somebody else. The proof is the transfer to us in the transaction that used it.

const tokenAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);
const eventsAbi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);

/** Gas of an eth_call that may run a stranger's code. Passkey wallets need about 400,000. */
const MAX_GAS = 1_000_000n;

/** On-chain state of an authorisation. */
export type Standing =
  | { readonly state: 'paid'; readonly transaction: Hex }
  | { readonly state: 'cancelled' }
  /** Used in a transaction that did not pay us. */
  | { readonly state: 'used_elsewhere' }
  /** As of `block`. `over`: its validity has ended, so it stays unused. */
  | { readonly state: 'unused'; readonly block: bigint; readonly over: boolean; readonly waiting: boolean }
  /** Used or cancelled, but the node does not return the transaction. */
  | { readonly state: 'unclear'; readonly waiting: boolean };
// `waiting`: the node has no receipt yet for one of the named transactions.

export interface PaymentProof {
  /** Whether the payer is a contract that accepts the signature (ERC-1271). Throws `chain_unavailable`. */
  isSignedByWallet(payment: Payment): Promise<boolean>;
  /**
   * Simulates the transfer, so that the token itself checks funds, freezes, time and signature. `unused`: the transfer
   * would succeed after that block. Throws `chain_unavailable`.
   */
  preview(payment: Payment): Promise<{ state: 'unused'; block: bigint } | { state: 'used' | 'refused' }>;
  /**
   * @param since last block in which the authorisation is known to be unused; the search for its use begins there.
   * @param transactions candidates named by the facilitator; each is checked.
   * @throws viem's errors and `chain_unavailable`.
   */
  standing(payment: Payment, since: bigint, transactions: readonly Hex[]): Promise<Standing>;
}

export function createPaymentProof(client: ChainClient, terms: PaymentTerms): PaymentProof {
  const token = { address: terms.asset, abi: tokenAbi } as const;

  const isUsed = ({ from, nonce }: Authorization, blockNumber: bigint) =>
    client.readContract({ ...token, functionName: 'authorizationState', args: [from, nonce], blockNumber });

  /** The call's return data; undefined if it reverts. */
  async function simulated(to: Address, data: Hex, blockNumber?: bigint): Promise<Hex | undefined> {
    try {
      const at = blockNumber === undefined ? {} : { blockNumber };
      return (await client.call({ to, data, gas: MAX_GAS, ...at })).data ?? '0x';
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      return undefined;
    }
  }

  return {
    isSignedByWallet: ({ authorization: { from }, digest, signature }) =>
      asking(async () => {
        const code = await client.getCode({ address: from });
        if (code === undefined) return false;
        const args = [digest, signature] as const;
        const answer = await simulated(from, encodeFunctionData({ abi: walletAbi, args }));
        return answer?.startsWith('0x1626ba7e') === true;
      }),

    preview: ({ authorization, signature }) =>
      asking(async () => {
        const block = await client.getBlockNumber();
        if ((await simulated(terms.asset, transferOf(authorization, signature), block)) !== undefined) {
          return { state: 'unused', block };
        }
        return { state: (await isUsed(authorization, block)) ? 'used' : 'refused' };
      }),

    async standing({ authorization }, since, transactions) {
      let waiting = false;
      for (const hash of transactions) {
        const receipt = await receiptOf(client, [hash]);
        if (receipt === undefined) waiting = true;
        else if (receipt.status === 'success' && pays(receipt.logs, authorization, terms)) {
          return { state: 'paid', transaction: receipt.transactionHash };
        }
      }
      const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
      if (!(await isUsed(authorization, number))) {
        return { state: 'unused', block: number, over: timestamp >= authorization.validBefore, waiting };
      }
      const searched = { since, head: number };
      const use = await findUse(client, terms.asset, authorization, searched, (block) => isUsed(authorization, block));
      if (use?.isCancelled) return { state: 'cancelled' };
      const receipt = use && (await receiptOf(client, [use.transaction]));
      if (receipt === undefined) return { state: 'unclear', waiting };
      if (receipt.status !== 'success' || !pays(receipt.logs, authorization, terms)) return { state: 'used_elsewhere' };
      return { state: 'paid', transaction: receipt.transactionHash };
    },
  };
}

/** The call facilitators make: a 65-byte signature as v, r and s, any other as bytes. */
function transferOf({ from, to, value, validAfter, validBefore, nonce }: Authorization, signature: Hex): Hex {
  const terms = [from, to, value, validAfter, validBefore, nonce] as const;
  const functionName = 'transferWithAuthorization';
  if (signature.length !== 132) {
    return encodeFunctionData({ abi: tokenAbi, functionName, args: [...terms, signature] });
  }
  const [r, s]: Hex[] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`];
  const v = Number(`0x${signature.slice(130)}`);
  return encodeFunctionData({ abi: tokenAbi, functionName, args: [...terms, v, r as Hex, s as Hex] });
}

/**
 * Whether the logs of one successful transaction show that the authorisation was used and paid us. One transfer must
 * not count for two authorisations: a batch may use one that pays us and one that does not. So either the token's next
 * event is the transfer, which is EIP-3009's order; or, for tokens that log the transfer first, the payer made at least
 * as many transfers to us as it used authorisations.
 */
export function pays(
  logs: readonly Log[],
  { from, nonce }: Authorization,
  { asset, amount, payTo }: PaymentTerms,
): boolean {
  const ofToken = logs.filter(({ address }) => address.toLowerCase() === asset.toLowerCase());
  const events = parseEventLogs({ abi: eventsAbi, logs: ofToken });
  const isOurs = (event: (typeof events)[number] | undefined): boolean =>
    event?.eventName === 'Transfer' &&
    event.args.from.toLowerCase() === from &&
    event.args.to.toLowerCase() === payTo.toLowerCase() &&
    event.args.value >= amount;
  const uses = events.filter(
    (event) => event.eventName === 'AuthorizationUsed' && event.args.authorizer.toLowerCase() === from,
  );
  const use = uses.find((event) => event.eventName === 'AuthorizationUsed' && event.args.nonce === nonce);
  if (use === undefined) return false;
  return isOurs(events[events.indexOf(use) + 1]) || events.filter(isOurs).length >= uses.length;
}
