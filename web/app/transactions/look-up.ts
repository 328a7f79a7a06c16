import { sameAddress } from '@bowline/core/domain/same-address';
import {
  type Address,
  type Hex,
  type Transaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import type { ChainClient } from '../chain/client.ts';
import type { Proof } from '../chain/proof.ts';
import type { Asked, Sent } from './transaction.ts';

/**
 * What the chain shows of a sent transaction. `waiting`: in no block yet. `missing`: the node does not know it, and its
 * nonce is unused. `other`: that hash belongs to a different call. `mined`: it is in a block, or the same call
 * at another fee is. `replaced`: another transaction has used its number; `by` is undefined if it could not be found.
 */
export type Found =
  | { readonly state: 'waiting' | 'missing' | 'other' }
  | { readonly state: 'mined'; readonly receipt: TransactionReceipt }
  | { readonly state: 'replaced'; readonly by: Hex | undefined };

/** Context that the transaction does not carry. */
interface Known {
  /** What the chain showed when the wallet was asked for this call. */
  readonly asked: Asked | undefined;
  /** Whether that hash is another transaction's. */
  readonly isClaimed: (hash: Hex) => boolean;
  /** Whether a transaction that holds more than the call has made it, by its receipt. */
  readonly isMadeBy: (receipt: TransactionReceipt) => Promise<boolean>;
}

interface Call {
  readonly to: Address;
  readonly data: Hex;
  /** wei of BNB; absent: none. */
  readonly value?: bigint;
  readonly proof?: Proof;
}

/**
 * Looks for a sent transaction once, wherever it is by now. An account with code may make the call from within a
 * transaction of its own, or of a bundler's: to another contract, which calls it.
 * @returns what was found, and what is now known for the next look.
 * @throws if the node does not answer.
 */
export async function lookUp(
  client: ChainClient,
  owner: Address,
  call: Call,
  before: Sent,
  { asked, isClaimed, isMadeBy }: Known,
): Promise<{ readonly found: Found; readonly sent: Sent }> {
  const { hash } = before;
  const [receipt, transaction] = await Promise.all([
    receiptOf(client, hash),
    client.getTransaction({ hash }).catch(unless(TransactionNotFoundError)),
  ]);
  // A wallet may name any transaction, and its owner may have changed this one there.
  if (transaction && !isSame(transaction, owner, call)) {
    if (!mayContain(transaction, call)) return { found: { state: 'other' }, sent: before };
    if (!receipt) return { found: { state: 'waiting' }, sent: before };
    return { found: (await isMadeBy(receipt)) ? { state: 'mined', receipt } : { state: 'other' }, sent: before };
  }
  // Nodes behind one address differ: without its transaction, a receipt does not say what happened.
  if (receipt) return { found: transaction ? { state: 'mined', receipt } : { state: 'waiting' }, sent: before };
  const nonce = transaction?.nonce ?? before.nonce;
  // For a hash that no node has ever known: the nonce that the wallet is expected to have used.
  const sought = nonce ?? asked?.next;
  // Before the newest block is asked for, so that the number was used in that block or before it.
  const used = sought === undefined ? 0 : await client.getTransactionCount({ address: owner, blockTag: 'latest' });
  const newest = await client.getBlockNumber({ cacheTime: 0 });
  const sent = { hash, nonce, since: before.since ?? newest };
  const unmined = { found: { state: transaction ? 'waiting' : 'missing' }, sent } as const;
  if (sought === undefined || used <= sought) return unmined;
  const from = nonce === undefined && asked ? asked.since : sent.since;
  const other = await withNonce(client, owner, sought, from, newest).catch(() => undefined);
  // It may have another number: only the same call is it.
  if (nonce === undefined && !(other && isSame(other, owner, call) && !isClaimed(other.hash))) return unmined;
  // Nodes behind one address differ by a block or two: the one that counted may be ahead.
  if (other === undefined && (await client.getTransactionCount({ address: owner, blockNumber: newest })) <= sought)
    return unmined;
  if (other?.hash === hash) return { found: { state: 'waiting' }, sent };
  if (other === undefined || !isSame(other, owner, call))
    return { found: { state: 'replaced', by: other?.hash }, sent };
  const repriced = await receiptOf(client, other.hash);
  return { found: repriced ? { state: 'mined', receipt: repriced } : { state: 'waiting' }, sent };
}

const receiptOf = (client: ChainClient, hash: Hex) =>
  client.getTransactionReceipt({ hash }).catch(unless(TransactionReceiptNotFoundError));

/** Turns one kind of error into undefined. */
const unless =
  (kind: abstract new (...args: never[]) => Error) =>
  (error: unknown): undefined => {
    if (!(error instanceof kind)) throw error;
  };

/** A name of a market may have letters of both cases in what the page encodes; a node has those of one. */
const isSame = ({ from, to, input, value }: Transaction, owner: Address, call: Call): boolean =>
  sameAddress(from, owner) &&
  to !== null &&
  sameAddress(to, call.to) &&
  // The path of a swap is written with the capitals of its addresses.
  input.toLowerCase() === call.data.toLowerCase() &&
  value === (call.value ?? 0n);

/** A call of the same contract is the call itself, changed. The account that makes it may have the BNB, or be sent it for that. */
const mayContain = ({ to, value }: Transaction, call: Call): boolean =>
  call.proof !== undefined &&
  call.proof.isCommon !== true &&
  to !== null &&
  !sameAddress(to, call.to) &&
  (value === 0n || value === call.value);

/** What a search needs that is begun when the wallet gives no hash. @throws if the node does not answer. */
export async function markOf(client: ChainClient, address: Address): Promise<Asked> {
  const [first, next, since] = await Promise.all([
    client.getTransactionCount({ address, blockTag: 'latest' }),
    client.getTransactionCount({ address, blockTag: 'pending' }),
    client.getBlockNumber({ cacheTime: 0 }),
  ]);
  return { first, next, since };
}

/** The hash of the call; or that another transaction has the number that it was expected to have. */
export type Searched = { readonly hash: Hex } | 'overtaken' | undefined;

/**
 * Looks once for a call that the wallet may have sent without telling its hash, among what the account has sent since.
 * @param isClaimed whether that hash is another transaction's.
 * @returns undefined while the chain does not show it.
 * @throws if the node does not answer, or has forgotten the account's state.
 */
export async function search(
  client: ChainClient,
  owner: Address,
  call: Call,
  { first, next, since }: Asked,
  isClaimed: (hash: Hex) => boolean,
): Promise<Searched> {
  const used = await client.getTransactionCount({ address: owner, blockTag: 'latest' });
  const newest = await client.getBlockNumber({ cacheTime: 0 });
  for (let nonce = first; nonce < used; nonce++) {
    // The block that was the newest may have had it already.
    const found = await withNonce(client, owner, nonce, since, newest);
    if (found === undefined) return undefined;
    if (isSame(found, owner, call) && !isClaimed(found.hash)) return { hash: found.hash };
  }
  return used > next ? 'overtaken' : undefined;
}

/**
 * The account's transaction of that number, in the first block after which the number is used.
 * @throws if the node has forgotten the account's state at those blocks.
 */
async function withNonce(client: ChainClient, address: Address, nonce: number, from: bigint, newest: bigint) {
  const isUsed = async (blockNumber: bigint) => (await client.getTransactionCount({ address, blockNumber })) > nonce;
  let [unused, used] = [from > 0n ? from - 1n : 0n, newest];
  // Sent and replaced before the first look.
  if (await isUsed(unused)) return undefined;
  while (used - unused > 1n) {
    const middle = (unused + used) / 2n;
    if (await isUsed(middle)) used = middle;
    else unused = middle;
  }
  const { transactions } = await client.getBlock({ blockNumber: used, includeTransactions: true });
  return transactions.find((each) => each.nonce === nonce && sameAddress(each.from, address));
}
