import { encodeFunctionData, type Log, pad, parseAbi, parseEventLogs, toEventSelector, toHex } from 'viem';
import type { Authorization, Payment, PaymentTerms } from '../domain/payment.ts';
import type { Address, Hex } from '../domain/units.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { refusalOf } from './contract-error.ts';
import { receiptOf } from './receipts.ts';

// What the chain says of an EIP-3009 authorisation. That it is used up proves nothing: it may have been cancelled, or have
// paid somebody else under the same nonce. Proof is the transfer to us in the transaction that used it.

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

const usedTopic = toEventSelector('AuthorizationUsed(address,bytes32)');
const cancelledTopic = toEventSelector('AuthorizationCanceled(address,bytes32)');

/** What code that a stranger names may use up in an eth_call. Wallets with passkeys take about 400,000. */
const MOST_GAS = 1_000_000n;

/** A quarter of an hour of 0.45 s: three times as long as a payment is good for, and what public nodes look through. */
const LOG_BLOCKS = 2_000n;

/** What the chain shows of an authorisation now. */
export type Standing =
  | { readonly state: 'paid'; readonly transaction: Hex }
  | { readonly state: 'cancelled' }
  /** In a transaction that did not pay us for it. */
  | { readonly state: 'used_elsewhere' }
  /** `over`: so that it never will be. */
  | { readonly state: 'unused'; readonly over: boolean; readonly waiting: boolean }
  /** Used or cancelled, and the node does not show in which transaction. */
  | { readonly state: 'unclear'; readonly waiting: boolean };
// `waiting`: one of the transactions that were named is in no block that the node has.

export interface PaymentProof {
  /** Whether a contract wallet stands at the payer and calls the signature its own. Throws `chain_unavailable`. */
  isSignedByWallet(payment: Payment): Promise<boolean>;
  /**
   * Plays the transfer. `unused`: the token would make it, after that block. The token knows best: funds, freezes, time and the
   * signature, of contract wallets too. Throws `chain_unavailable`.
   */
  preview(payment: Payment): Promise<{ state: 'unused'; block: bigint } | { state: 'used' | 'refused' }>;
  /**
   * @param since a block at which it was unused.
   * @param transactions that are said to have used it; nobody is believed.
   * Throws viem's errors and `chain_unavailable`.
   */
  standing(payment: Payment, since: bigint, transactions: readonly Hex[]): Promise<Standing>;
}

export function createPaymentProof(client: ChainClient, terms: PaymentTerms): PaymentProof {
  const token = { address: terms.asset, abi: tokenAbi } as const;

  const isUsed = ({ from, nonce }: Authorization, blockNumber: bigint) =>
    client.readContract({ ...token, functionName: 'authorizationState', args: [from, nonce], blockNumber });

  /** Calls it out of nobody's account; undefined when it reverts. */
  async function played(to: Address, data: Hex, blockNumber?: bigint): Promise<Hex | undefined> {
    try {
      const at = blockNumber === undefined ? {} : { blockNumber };
      return (await client.call({ to, data, gas: MOST_GAS, ...at })).data ?? '0x';
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      return undefined;
    }
  }

  /** Where the logs of these blocks have it end; undefined where the node does not show or does not say. */
  async function ending({ from, nonce }: Authorization, fromBlock: bigint, toBlock: bigint) {
    const topics: [Hex[], Hex, Hex] = [[usedTopic, cancelledTopic], pad(from), nonce];
    const range = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };
    try {
      const logs = await client.request({
        method: 'eth_getLogs',
        params: [{ address: terms.asset, topics, ...range }],
      });
      return logs.find(({ removed }) => removed !== true);
    } catch {
      // Public nodes refuse to look through logs. That is no answer, and no failure of the chain.
      return undefined;
    }
  }

  return {
    isSignedByWallet: ({ authorization: { from }, digest, signature }) =>
      asking(async () => {
        const code = await client.getCode({ address: from });
        if (code === undefined) return false;
        const args = [digest, signature] as const;
        const answer = await played(from, encodeFunctionData({ abi: walletAbi, args }));
        return answer?.startsWith('0x1626ba7e') === true;
      }),

    preview: ({ authorization, signature }) =>
      asking(async () => {
        const block = await client.getBlockNumber();
        if ((await played(terms.asset, transferOf(authorization, signature), block)) !== undefined) {
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
        return { state: 'unused', over: timestamp >= authorization.validBefore, waiting };
      }
      const oldest = number > LOG_BLOCKS ? number - LOG_BLOCKS : 0n;
      const log = await ending(authorization, since >= oldest ? since + 1n : oldest, number);
      if (log?.topics[0] === cancelledTopic) return { state: 'cancelled' };
      const receipt = log?.transactionHash ? await receiptOf(client, [log.transactionHash]) : undefined;
      if (receipt === undefined) return { state: 'unclear', waiting };
      if (receipt.status !== 'success' || !pays(receipt.logs, authorization, terms)) return { state: 'used_elsewhere' };
      return { state: 'paid', transaction: receipt.transactionHash };
    },
  };
}

/** As facilitators call it: 65 bytes as v, r and s, everything else as bytes. */
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
 * Whether the logs of one successful transaction show that the authorisation was used and paid us. One transfer must not stand
 * for two authorisations: a transaction may use one that pays us and another that does not. So the transfer is the next that
 * the token logs, as EIP-3009 has it; or, for tokens that log it before, there are as many transfers of the payer to us
 * as authorisations of the payer that were used.
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
