import { sameAddress } from '@bowline/core/domain/same-address';
import {
  type Address,
  type Hex,
  isAddress,
  isHash,
  isHex,
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
 * nonce is unused. `other`: the hash belongs to a different call. `mined`: it is in a block, or the same call with
 * another fee is. `replaced`: another transaction has used its nonce; `by` is undefined if it could not be found.
 */
export type Found =
  | { readonly state: 'waiting' | 'missing' | 'other' }
  | { readonly state: 'mined'; readonly receipt: TransactionReceipt }
  | { readonly state: 'replaced'; readonly by: Hex | undefined };

/** Context that is not in the transaction. */
interface Known {
  /** What the chain showed when the wallet was asked for this call. */
  readonly asked: Asked | undefined;
  /** Whether a hash belongs to another transaction of the page. */
  readonly isClaimed: (hash: Hex) => boolean;
  /** Whether the receipt shows that a larger transaction made the call. */
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
 * Looks up a sent transaction once, wherever it is by now. An account with code may make the call inside its own or a
 * bundler's transaction, which goes to another contract that then makes the call.
 * @returns what was found, and what is now known for the next lookup.
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
  // A wallet may name any transaction, and the owner may have edited this one in the wallet.
  if (transaction && !isSame(transaction, owner, call)) {
    if (!mayContain(transaction, call)) return { found: { state: 'other' }, sent: before };
    if (!receipt) return { found: { state: 'waiting' }, sent: before };
    return { found: (await isMadeBy(receipt)) ? { state: 'mined', receipt } : { state: 'other' }, sent: before };
  }
  // Nodes behind one address differ: a receipt without its transaction does not show what happened.
  if (receipt) return { found: transaction ? { state: 'mined', receipt } : { state: 'waiting' }, sent: before };
  const nonce = transaction?.nonce ?? before.nonce;
  // For a hash that no node has ever known: the nonce that the wallet probably used.
  const sought = nonce ?? asked?.next;
  // Read before the newest block, so that the nonce was used in that block or earlier.
  const used = sought === undefined ? 0 : await client.getTransactionCount({ address: owner, blockTag: 'latest' });
  const newest = await client.getBlockNumber({ cacheTime: 0 });
  const sent = { hash, nonce, since: before.since ?? newest };
  const unmined = { found: { state: transaction ? 'waiting' : 'missing' }, sent } as const;
  if (sought === undefined || used <= sought) return unmined;
  const from = nonce === undefined && asked ? asked.since : sent.since;
  const other = await withNonce(client, owner, sought, from, newest).catch(() => undefined);
  // The nonce is only a guess, so only an identical call counts as this one.
  if (nonce === undefined && !(other && isSame(other, owner, call) && !isClaimed(other.hash))) return unmined;
  // Nodes behind one address differ by a block or two: the one that counted nonces may be ahead.
  if (other === undefined && (await client.getTransactionCount({ address: owner, blockNumber: newest })) <= sought)
    return unmined;
  if (other?.hash === hash) return { found: { state: 'waiting' }, sent };
  if (other === undefined || !isSame(other, owner, call))
    return { found: { state: 'replaced', by: other?.hash }, sent };
  const repriced = await receiptOf(client, other.hash);
  return { found: repriced ? { state: 'mined', receipt: repriced } : { state: 'waiting' }, sent };
}

/** Undefined if the node knows none. @throws if it does not answer, or with anything but this transaction's receipt. */
export async function receiptOf(client: ChainClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  const receipt = await client.getTransactionReceipt({ hash }).catch(unless(TransactionReceiptNotFoundError));
  if (receipt !== undefined && !isReceiptOf(receipt, hash)) throw new Error(`This is no receipt of ${hash}.`);
  return receipt;
}

const isReceiptOf = ({ transactionHash, blockHash, blockNumber, status, logs }: TransactionReceipt, hash: Hex) =>
  isHash(transactionHash) &&
  transactionHash.toLowerCase() === hash.toLowerCase() &&
  isHash(blockHash) &&
  typeof blockNumber === 'bigint' &&
  ['success', 'reverted'].includes(status) &&
  logs.every(
    ({ address, topics, data }) => isAddress(address, { strict: false }) && topics.every(isHash) && isHex(data),
  );

/** Turns one kind of error into undefined. */
const unless =
  (kind: abstract new (...args: never[]) => Error) =>
  (error: unknown): undefined => {
    if (!(error instanceof kind)) throw error;
  };

/** Ignores letter case: the page may encode a market's name in mixed case, while a node returns one case. */
const isSame = ({ from, to, input, value }: Transaction, owner: Address, call: Call): boolean =>
  sameAddress(from, owner) &&
  to !== null &&
  sameAddress(to, call.to) &&
  // A swap's path keeps the capitals of its checksummed addresses.
  input.toLowerCase() === call.data.toLowerCase() &&
  value === (call.value ?? 0n);

/** A call to the same contract would be this call, altered. The account may hold the BNB or receive it in the call. */
const mayContain = ({ to, value }: Transaction, call: Call): boolean =>
  call.proof !== undefined &&
  call.proof.isCommon !== true &&
  to !== null &&
  !sameAddress(to, call.to) &&
  (value === 0n || value === call.value);

/** The chain's state for a later search, in case the wallet gives no hash. @throws if the node does not answer. */
export async function markOf(client: ChainClient, address: Address): Promise<Asked> {
  const [first, next, since] = await Promise.all([
    client.getTransactionCount({ address, blockTag: 'latest' }),
    client.getTransactionCount({ address, blockTag: 'pending' }),
    client.getBlockNumber({ cacheTime: 0 }),
  ]);
  return { first, next, since };
}

/** The hash of the call, or `overtaken` if another transaction used its expected nonce. */
export type Searched = { readonly hash: Hex } | 'overtaken' | undefined;

/**
 * Looks once for a call that the wallet may have sent without reporting its hash, among the account's later sends.
 * @param isClaimed whether a hash belongs to another transaction of the page.
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
    // The block that was the newest then may already contain it.
    const found = await withNonce(client, owner, nonce, since, newest);
    if (found === undefined) return undefined;
    if (isSame(found, owner, call) && !isClaimed(found.hash)) return { hash: found.hash };
  }
  return used > next ? 'overtaken' : undefined;
}

/**
 * The account's transaction with that nonce, in the first block after which the nonce is used.
 * @throws if the node has forgotten the account's state at those blocks.
 */
async function withNonce(client: ChainClient, address: Address, nonce: number, from: bigint, newest: bigint) {
  const isUsed = async (blockNumber: bigint) => (await client.getTransactionCount({ address, blockNumber })) > nonce;
  let [unused, used] = [from > 0n ? from - 1n : 0n, newest];
  // Sent and replaced before the first lookup.
  if (await isUsed(unused)) return undefined;
  while (used - unused > 1n) {
    const middle = (unused + used) / 2n;
    if (await isUsed(middle)) used = middle;
    else unused = middle;
  }
  const { transactions } = await client.getBlock({ blockNumber: used, includeTransactions: true });
  return transactions.find((each) => each.nonce === nonce && sameAddress(each.from, address));
}
