import { asking, type ChainClient, receiptOf } from '@bowline/chain/chain-client';
import { refusalOf } from '@bowline/chain/errors';
import { findLogs, MAX_FINAL_RANGES, REORG_BLOCKS } from '@bowline/chain/find-logs';
import type { Payment, PaymentRefusal } from '@bowline/core/domain/payment';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Hex } from '@bowline/core/domain/units';
import { eip3009ABI } from '@x402/evm';
import { encodeFunctionData, pad, parseAbi, parseEventLogs, type TransactionReceipt, toEventSelector } from 'viem';
import type { Seen } from './machine.ts';

// On-chain evidence of a payment. A used nonce proves nothing: the payer may have cancelled it or paid somebody else. The proof is a
// transfer to us in a successful receipt, which has proved no other payment.

const events = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const usedTopic = toEventSelector('AuthorizationUsed(address,bytes32)');
const cancelledTopic = toEventSelector('AuthorizationCanceled(address,bytes32)');

/** How long after a payment's validity its outcome may still change: nodes lag by minutes at most. */
const FINAL_SECONDS = 300n;
/** Number of nodes, each asked separately, that must show that nothing paid us before a payment is forgotten. */
const NODES_FOR_ABSENCE = 2;
/** Gas of a simulation that may run a stranger's code. Passkey wallets need about 400,000. */
const MAX_GAS = 1_000_000n;

/** @param now unix seconds, of a clock or a block. */
export const isFinalAt = (now: bigint, { authorization: { validBefore } }: Payment): boolean =>
  now >= validBefore + FINAL_SECONDS;

/**
 * Whether a transfer is this payment's: the first payment to claim it keeps it for good. On disk when it resolves.
 * @param transfer transaction and place of the log in its receipt, which do not depend on the block.
 */
export type Claim = (transfer: string, payment: string) => Promise<boolean>;

export type Proof = ReturnType<typeof createProof>;

/** @param nodes each node separately: what one does not show, another may. */
export function createProof(client: ChainClient, nodes: readonly ChainClient[], claim: Claim) {
  const isUsed = ({ asset, authorization: { from, nonce } }: Payment, blockNumber: bigint, node = client) =>
    node.readContract({
      address: asset,
      abi: eip3009ABI,
      functionName: 'authorizationState',
      args: [from, nonce],
      blockNumber,
    });

  async function lookAt(node: ChainClient, payment: Payment, since: bigint, hashes: readonly Hex[]): Promise<Seen> {
    let isPending = false;
    for (const hash of hashes) {
      const receipt = await receiptOf(node, [hash]);
      isPending ||= receipt === undefined;
      if (receipt && (await proves(receipt, payment, since, claim))) return { state: 'paid', transaction: hash };
    }
    const { number: head, timestamp } = await node.getBlock({ blockTag: 'latest' });
    const isUnused = payment.method !== 'eip3009' || !(await isUsed(payment, head, node));
    if (isUnused)
      return isFinalAt(timestamp, payment) ? { state: 'lapsed', isFinal: false } : { state: 'unused', isPending };
    const { asset, authorization } = payment;
    const topics = [[usedTopic, cancelledTopic], pad(authorization.from), authorization.nonce] as const;
    const isUsedAt = (block: bigint) => isUsed(payment, block, node);
    const found = await findLogs(node, [{ address: asset, topics }], { since, head }, isUsedAt, MAX_FINAL_RANGES);
    const [use] = found.logs;
    if (use?.topics[0] === cancelledTopic) return { state: 'void', reason: 'cancelled', isFinal: false };
    const receipt = use && (await receiptOf(node, [use.transactionHash]));
    if (receipt === undefined) return { state: 'unclear' };
    if (await proves(receipt, payment, since, claim)) return { state: 'paid', transaction: receipt.transactionHash };
    // If the receipt lacks the log that the same node has shown, it says nothing about the transfer.
    return isUsedIn(receipt, payment)
      ? { state: 'void', reason: 'used_elsewhere', isFinal: false }
      : { state: 'unclear' };
  }

  return {
    /** Simulates the facilitator's transfer. Returns the block as of which it succeeds. Throws `chain_unavailable`. */
    simulate: (payment: Payment): Promise<bigint | PaymentRefusal> =>
      asking(async () => {
        const { asset, authorization, signature } = payment;
        const block = await client.getBlockNumber();
        const data = transferOf(authorization, signature);
        try {
          await client.call({ to: asset, data, gas: MAX_GAS, blockNumber: block });
          return block;
        } catch (error) {
          if (refusalOf(error) === undefined) throw error;
          return (await isUsed(payment, block)) ? 'already_used' : 'token_refuses';
        }
      }),

    /** Throws viem's errors and those of the claim. @param now by our clock, in unix seconds. */
    async look(payment: Payment, since: bigint, hashes: readonly Hex[], now: bigint): Promise<Seen> {
      const first = await lookAt(client, payment, since, hashes);
      if (first.state === 'paid') return first;
      // Also by our own clock: a node could name a block in the future.
      if (!isFinalAt(now, payment)) return first.state === 'lapsed' ? { state: 'unused', isPending: false } : first;
      // One node is enough to prove a use. "Nothing paid us" is final only if two nodes say so independently.
      const alone = await Promise.all(
        nodes
          .map(async (node) => {
            const { timestamp } = await node.getBlock({ blockTag: 'latest' });
            const seen = await lookAt(node, payment, since, hashes);
            return seen.state === 'paid' || isFinalAt(timestamp, payment) ? seen : undefined;
          })
          .map((asked) => asked.catch(() => undefined)),
      );
      const paid = alone.find((each) => each?.state === 'paid');
      if (paid !== undefined) return paid;
      const absent = alone.filter((each) => each?.state === 'void' || each?.state === 'lapsed');
      const isAgreed = absent.length >= NODES_FOR_ABSENCE && (first.state === 'void' || first.state === 'lapsed');
      return isAgreed && payment.method === 'eip3009' ? { ...first, isFinal: true } : first;
    },
  };
}

/** Whether the receipt has a transfer that is this payment's and no other's. */
async function proves(receipt: TransactionReceipt, payment: Payment, since: bigint, claim: Claim): Promise<boolean> {
  if (receipt.status !== 'success' || !isUsedIn(receipt, payment)) return false;
  // Permit2 logs no nonce: a transfer from before the work began belongs to another payment.
  if (payment.method !== 'eip3009' && receipt.blockNumber + REORG_BLOCKS < since) return false;
  for (const place of placesOf(receipt, payment)) {
    if (await claim(`${receipt.transactionHash}/${place}`, payment.key)) return true;
  }
  return false;
}

/**
 * Log indexes of transfers to the payee that may be this payment's. A token logs use and transfer next to each other,
 * in its own order. If this payer's logs allow only one order, it is the transfer next to the use.
 */
function placesOf({ logs }: TransactionReceipt, { method, asset, authorization }: Payment): readonly number[] {
  const own = logs.flatMap((log, place) => {
    const [event] = sameAddress(log.address, asset) ? parseEventLogs({ abi: events, logs: [log] }) : [];
    const by = event?.eventName === 'Transfer' ? event.args.from : event?.args.authorizer;
    return event && sameAddress(authorization.from, by) ? [{ ...event, place }] : [];
  });
  const isMoved = (at: number) => own[at]?.eventName === 'Transfer';
  const uses = [...own.keys()].filter((at) => own[at]?.eventName === 'AuthorizationUsed');
  const [after, before] = [1, -1].map((side) => uses.every((at) => isMoved(at + side)));
  const use = own.findIndex(
    (event) => event.eventName === 'AuthorizationUsed' && event.args.nonce === authorization.nonce,
  );
  const candidates = method !== 'eip3009' || after === before ? own : [own[use + (after ? 1 : -1)]];
  return candidates.flatMap((event) =>
    event?.eventName === 'Transfer' &&
    sameAddress(event.args.to, authorization.to) &&
    event.args.value >= authorization.value
      ? [event.place]
      : [],
  );
}

/** Whether the receipt has the token's log that the authorisation was used. A permit has no such log. */
const isUsedIn = ({ logs }: TransactionReceipt, { method, asset, authorization }: Payment): boolean =>
  method !== 'eip3009' ||
  parseEventLogs({ abi: events, eventName: 'AuthorizationUsed', logs }).some(
    ({ address, args }) =>
      sameAddress(address, asset) &&
      sameAddress(args.authorizer, authorization.from) &&
      args.nonce === authorization.nonce,
  );

/** The call facilitators make: a 65-byte signature as v, r and s, any other as bytes. */
function transferOf(
  { from, to, value, validAfter, validBefore, nonce }: Payment['authorization'],
  signature: Hex,
): Hex {
  const terms = [from, to, value, validAfter, validBefore, nonce] as const;
  const functionName = 'transferWithAuthorization';
  if (signature.length !== 132)
    return encodeFunctionData({ abi: eip3009ABI, functionName, args: [...terms, signature] });
  const [r, s]: Hex[] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`];
  const v = Number(`0x${signature.slice(130)}`);
  return encodeFunctionData({ abi: eip3009ABI, functionName, args: [...terms, v, r as Hex, s as Hex] });
}
