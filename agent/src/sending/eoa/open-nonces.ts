import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Log } from '@bowline/core/domain/ports';
import type { Address } from '@bowline/core/domain/units';
import { type Hex, largest } from '@bowline/core/domain/units';
import { BaseError, keccak256, type PrivateKeyAccount, type TransactionReceipt } from 'viem';
import type { ChainClient } from '../../chain/chain-client.ts';
import { paidWei, receiptOf } from '../../chain/chain-client.ts';
import { nodeAnswer } from '../../chain/contract-error.ts';
import type { GasDay } from '../signing-policy.ts';
import { maxOf, type SigningPolicy } from '../signing-policy.ts';

export interface OpenNoncesOptions {
  readonly client: ChainClient;
  readonly account: PrivateKeyAccount;
  readonly policy: SigningPolicy;
  readonly log: Log;
  readonly clock: Clock;
  readonly receiptSeconds: bigint;
  readonly pollMs: number;
  readonly cursor: NonceCursor;
  readonly gasDay: GasDay;
}

/** A nonce that something holds which is in no block that we know of. */
export interface OpenNonce {
  readonly nonce: number;
  /** What this process has signed with it; absent where all that is known is that somebody did. */
  readonly call?: { readonly label: string; readonly hash: Hex };
  /** Ours with the same nonce that do nothing. */
  readonly cancellations: readonly Hex[];
  /** Of the newest of ours; 0 where there is none. */
  readonly gasPriceWei: bigint;
  /** What ours can cost; the chain takes one of them. */
  readonly maxWei: bigint;
}

export const heldByOthers = (nonce: number): OpenNonce => ({ nonce, cancellations: [], gasPriceWei: 0n, maxWei: 0n });

export interface OpenNonces {
  open(nonces: readonly OpenNonce[]): void;
  /** It is known what became of it. */
  close(nonce: number): void;
  isEmpty(): boolean;
  holds(hash: Hex): boolean;
  /** What used the nonce of that call; `another` where no receipt says so. Undefined while it is open, or was never known. */
  usedBy(hash: Hex): TransactionReceipt | 'another' | undefined;
  /**
   * Looks for what has used the open nonces up, and uses up itself those that are still free, in `receiptSeconds` at most, and
   * three more where only a receipt is awaited. True when none is open any more. Never rejects.
   */
  reconcile(): Promise<boolean>;
}

const transferGas = 21_000n;
/** For a node to have the receipt of a transaction whose nonce it, or another behind the same address, knows to be used. */
const nodeSeconds = 3n;

/**
 * The nonces of which it is not known what became of them. One that is still free is used up by a transaction that does
 * nothing, at a higher price: of two with one nonce the chain takes one, so that what held it counts now or never.
 * Sending lost bytes again would be as safe from doing things twice, but would let a verdict act long after it was reached.
 */
export function createOpenNonces(options: OpenNoncesOptions): OpenNonces {
  const { client, account, policy, log, clock, receiptSeconds, pollMs, cursor, gasDay } = options;
  const { address } = account;
  let held: readonly OpenNonce[] = [];
  /** Since when nonces are known to be used, of those that no receipt of ours tells of. */
  const usedSince = new Map<number, bigint>();
  /** What used the nonces of calls. */
  const ends = new Map<Hex, TransactionReceipt | 'another'>();

  const close = (nonce: number): void => {
    held = held.filter((each) => each.nonce !== nonce);
    usedSince.delete(nonce);
  };

  async function reconcile(): Promise<boolean> {
    const until = clock() + receiptSeconds;
    const tried = new Set<number>();
    let isSilent = false;
    while (held.length > 0) {
      try {
        const unused = await settleUsed();
        const untried = unused.filter(({ nonce }) => !tried.has(nonce));
        for (const each of untried) {
          const isCancelled = await cancel(each);
          // Not before: one that the node did not answer for is tried again.
          tried.add(each.nonce);
          // Nothing of ours is on its way with it: there is nothing to remember, and nothing to wait for.
          if (!isCancelled && hashesOf(each).length === 0) close(each.nonce);
        }
        if (untried.length > 0) continue;
      } catch (error) {
        const nonces = held.map(({ nonce }) => nonce);
        if (!isSilent) log[error instanceof BaseError ? 'warn' : 'error']('sender.not_reconciled', { nonces, error });
        isSilent = true;
      }
      if (clock() >= until && !isReceiptAwaited()) return false;
      await sleep(pollMs);
    }
    return true;
  }

  /** Closes those that are used up, and answers the others that are free as far as the node knows. */
  async function settleUsed(): Promise<OpenNonce[]> {
    const unused: OpenNonce[] = [];
    for (const each of held) {
      const { nonce, call } = each;
      const by = await whatUsed(each);
      if (by === undefined) {
        unused.push(each);
        usedSince.delete(nonce);
        continue;
      }
      if (!usedSince.has(nonce)) usedSince.set(nonce, clock());
      // One node of several may know of the nonce and not of the receipt: of a call of ours that is waited for.
      if (by !== 'another' || call === undefined || !isReceiptAwaited(nonce)) settle(each, by);
    }
    return unused;
  }

  /** Of this nonce, or of any. */
  function isReceiptAwaited(nonce?: number): boolean {
    const since = nonce === undefined ? [...usedSince.values()] : [usedSince.get(nonce) ?? 0n];
    return since.some((each) => clock() < each + nodeSeconds);
  }

  async function whatUsed(each: OpenNonce): Promise<TransactionReceipt | 'another' | undefined> {
    const hashes = hashesOf(each);
    // A node that fails to answer for receipts still counts nonces. In this order: what is mined between the first two
    // questions is then counted and asked for again.
    const receipt = await readReceipt(hashes);
    if (receipt !== undefined) return receipt;
    const mined = await client.getTransactionCount({ address, blockTag: 'latest' });
    if (mined <= each.nonce) return undefined;
    return (await readReceipt(hashes)) ?? 'another';
  }

  function readReceipt(hashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
    return receiptOf(client, hashes).catch((error: unknown) => {
      log.debug('sender.not_read', { hashes, error });
      return undefined;
    });
  }

  function settle({ nonce, call, maxWei }: OpenNonce, by: TransactionReceipt | 'another'): void {
    close(nonce);
    cursor.used(nonce);
    gasDay.pay(by === 'another' ? maxWei : paidWei(by));
    if (call !== undefined) ends.set(call.hash, by);
    const hash = by === 'another' ? undefined : by.transactionHash;
    const untraced = call === undefined ? 'another_in_its_place' : 'consumed';
    const outcome = by === 'another' ? untraced : hash === call?.hash ? by.status : 'cancelled';
    log.warn('sender.reconciled', { nonce, ...call, outcome, by: hash });
  }

  /** Whether a transaction that does nothing is on its way with this nonce, at a higher price than any of ours before. */
  async function cancel(each: OpenNonce): Promise<boolean> {
    const { nonce, call } = each;
    const { gasPriceWei: most } = maxOf(policy);
    const [chainId, offered] = await Promise.all([client.getChainId(), client.getGasPrice()]);
    if (chainId !== policy.chainId) return forbidden(each, 'chain_id');
    // Nodes take a transaction in another's place when it pays at least a tenth more.
    const bumped = (each.gasPriceWei * 9n) / 8n + 1n;
    if (bumped > most) return forbidden(each, 'gas_price');
    let gasPrice = smallest(largest([offered, bumped]), most);
    for (;;) {
      if (!isPayable(each, transferGas * gasPrice)) return forbidden(each, 'gas_day');
      const nothing = { type: 'legacy', chainId, nonce, to: address, value: 0n, gas: transferGas, gasPrice } as const;
      const serialized = await account.signTransaction(nothing);
      const hash = keccak256(serialized);
      log.warn('sender.cancelling', { nonce, ...call, by: hash, gasPrice });
      if ((await broadcast(client, log, serialized, hash)) === 'sent') {
        const maxWei = largest([each.maxWei, transferGas * gasPrice]);
        const changed = { ...each, gasPriceWei: gasPrice, cancellations: [...each.cancellations, hash], maxWei };
        held = held.map((other) => (other.nonce === nonce ? changed : other));
        return true;
      }
      // What holds the nonce offers more, and how much no public node tells.
      if (gasPrice === most) return forbidden(each, 'gas_price');
      gasPrice = smallest(2n * gasPrice, most);
    }
  }

  function forbidden({ nonce, call }: OpenNonce, rule: 'chain_id' | 'gas_price' | 'gas_day'): false {
    log.error('sender.not_cancelled', { nonce, ...call, rule });
    return false;
  }

  /** Whether the day bears this nonce at that price and, at their dearest, the others. */
  function isPayable({ nonce, maxWei }: OpenNonce, wei: bigint): boolean {
    const others = held.filter((other) => other.nonce !== nonce);
    const rest = others.reduce((sum, other) => sum + other.maxWei, gasDay.paidWei());
    return rest + largest([maxWei, wei]) <= maxOf(policy).dayWei;
  }

  return {
    open: (nonces) => {
      held = [...held, ...nonces];
    },
    close,
    isEmpty: () => held.length === 0,
    usedBy: (hash) => ends.get(hash),
    holds: (hash) => held.some(({ call }) => call?.hash === hash),
    reconcile,
  };
}

const hashesOf = ({ call, cancellations }: OpenNonce): Hex[] => [...(call ? [call.hash] : []), ...cancellations];
const smallest = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * Which nonce is next. `wait`: the chain and this process do not agree on it, or somebody else's transaction holds it.
 * `stuck`: those have been held without a block for long, from the next one on.
 */
type NextNonce =
  | { readonly state: 'free'; readonly nonce: number }
  | { readonly state: 'wait' }
  | { readonly state: 'stuck'; readonly nonces: readonly number[] };

export interface NonceCursor {
  /** Throws viem's errors when the node does not answer. */
  next(): Promise<NextNonce>;
  /** A block has a transaction with it. */
  used(nonce: number): void;
  /** The node refused a transaction with it. True when it has been doing so for long: then something holds the nonce. */
  refused(nonce: number): boolean;
}

/** How long a node may know fewer of our transactions than we do before it is believed. */
const behindSeconds = 60n;

/** Freed at a time, so that an attempt ends. */
const maxStuck = 16;

interface Held {
  readonly nonce: number;
  readonly since: bigint;
}

/** @param stuckSeconds how long one nonce may be held by what is not of this process. */
export function createNonceCursor(
  client: ChainClient,
  address: Address,
  clock: Clock,
  log: Log,
  stuckSeconds: bigint,
): NonceCursor {
  /** As far as this process has seen its transactions go into blocks. */
  let cursor = 0;
  let behindSince: bigint | undefined;
  let inFlight: Held | undefined;
  let refused: Held | undefined;

  const heldFrom = (held: Held | undefined, nonce: number): Held =>
    held?.nonce === nonce ? held : { nonce, since: clock() };
  const isStuck = ({ since }: Held): boolean => clock() - since >= stuckSeconds;

  /** Whether a node that has seen fewer of our transactions than we have is to be waited for. */
  function isBehind(mined: number): boolean {
    if (mined >= cursor) {
      behindSince = undefined;
      return false;
    }
    // One node of several may lag. A block may also have been undone, and then the chain's state wins.
    behindSince ??= clock();
    if (clock() - behindSince < behindSeconds) {
      log.warn('sender.node_behind', { cursor, mined });
      return true;
    }
    log.error('sender.block_undone', { cursor, mined });
    behindSince = undefined;
    return false;
  }

  return {
    async next() {
      const [mined, known] = await Promise.all([
        client.getTransactionCount({ address, blockTag: 'latest' }),
        client.getTransactionCount({ address, blockTag: 'pending' }),
      ]);
      if (isBehind(mined)) return { state: 'wait' };
      cursor = mined;
      if (known <= mined) {
        inFlight = undefined;
        return { state: 'free', nonce: mined };
      }
      // Not of this process, which waits for its own: of one before it, or of somebody else with the key.
      inFlight = heldFrom(inFlight, mined);
      if (!isStuck(inFlight)) {
        log.warn('sender.in_flight', { mined, known });
        return { state: 'wait' };
      }
      const count = Math.min(known - mined, maxStuck);
      return { state: 'stuck', nonces: Array.from({ length: count }, (_, at) => mined + at) };
    },
    used(nonce) {
      cursor = Math.max(cursor, nonce + 1);
    },
    refused(nonce) {
      refused = heldFrom(refused, nonce);
      return isStuck(refused);
    },
  };
}

/**
 * `refused`: the node said no and does not have it. Without an answer it may have it all the same; that shows when looking
 * for the receipt.
 */
export async function broadcast(
  client: ChainClient,
  log: Log,
  serializedTransaction: Hex,
  hash: Hex,
): Promise<'sent' | 'refused'> {
  try {
    await client.sendRawTransaction({ serializedTransaction });
    return 'sent';
  } catch (error) {
    log.warn('sender.broadcast_failed', { hash, error });
    return nodeAnswer(error) !== undefined && (await isUnknownToNode(client, hash)) ? 'refused' : 'sent';
  }
}

async function isUnknownToNode(client: ChainClient, hash: Hex): Promise<boolean> {
  try {
    return (await client.request({ method: 'eth_getTransactionByHash', params: [hash] })) === null;
  } catch {
    return false;
  }
}
