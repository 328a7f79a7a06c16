import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Log } from '@bowline/core/domain/ports';
import type { Address } from '@bowline/core/domain/units';
import { type Hex, largest } from '@bowline/core/domain/units';
import { BaseError, keccak256, type PrivateKeyAccount, type TransactionReceipt } from 'viem';
import type { ChainClient } from '../../chain/chain-client.ts';
import { nodeAnswer, paidWei, receiptOf } from '../../chain/chain-client.ts';
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

/** A nonce in use by a transaction that is in no known block. */
export interface OpenNonce {
  readonly nonce: number;
  /** The call this process signed with it; absent if another signer used it. */
  readonly call?: { readonly label: string; readonly hash: Hex };
  /** Our cancellations with the same nonce. */
  readonly cancellations: readonly Hex[];
  /** Gas price of our newest transaction with it; 0 if there is none. */
  readonly gasPriceWei: bigint;
  /** Maximum cost of our transactions with it; the chain includes one of them. */
  readonly maxWei: bigint;
}

export const heldByOthers = (nonce: number): OpenNonce => ({ nonce, cancellations: [], gasPriceWei: 0n, maxWei: 0n });

export interface OpenNonces {
  open(nonces: readonly OpenNonce[]): void;
  /** Call when the outcome of the nonce is known. */
  close(nonce: number): void;
  isEmpty(): boolean;
  holds(hash: Hex): boolean;
  /**
   * The receipt that used this call's nonce; `another` if none of our receipts does. Undefined while open or unknown.
   */
  usedBy(hash: Hex): TransactionReceipt | 'another' | undefined;
  /**
   * Finds what used the open nonces and cancels those still free, within `receiptSeconds`, plus three seconds if only a
   * receipt is awaited. True when none is open any more. Never rejects.
   */
  reconcile(): Promise<boolean>;
}

const transferGas = 21_000n;
/**
 * Grace period for a node to serve the receipt of a transaction whose nonce it, or another node behind the same
 * address, already counts as used.
 */
const nodeSeconds = 3n;

/**
 * Nonces with an unknown outcome. A nonce that is still free is used up by a no-op transaction at a higher price: the
 * chain includes only one transaction per nonce, so the original counts now or never. Rebroadcasting the lost bytes
 * would also never execute twice, but a verdict could then act long after it was reached.
 */
export function createOpenNonces(options: OpenNoncesOptions): OpenNonces {
  const { client, account, policy, log, clock, receiptSeconds, pollMs, cursor, gasDay } = options;
  const { address } = account;
  let held: readonly OpenNonce[] = [];
  /** Since when a nonce is known to be used without a receipt of ours. */
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
          // Mark it only now: a nonce that the node did not answer for is tried again.
          tried.add(each.nonce);
          // No transaction of ours is pending with it: nothing to remember or wait for.
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

  /** Closes used nonces and returns those that are still free according to the node. */
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
      // Another node may know the nonce before the receipt: keep waiting for a call of ours.
      if (by !== 'another' || call === undefined || !isReceiptAwaited(nonce)) settle(each, by);
    }
    return unused;
  }

  /** For this nonce, or for any if omitted. */
  function isReceiptAwaited(nonce?: number): boolean {
    const since = nonce === undefined ? [...usedSince.values()] : [usedSince.get(nonce) ?? 0n];
    return since.some((each) => clock() < each + nodeSeconds);
  }

  async function whatUsed(each: OpenNonce): Promise<TransactionReceipt | 'another' | undefined> {
    const hashes = hashesOf(each);
    // A node that fails to return receipts still counts nonces. The order matters: a transaction mined between the
    // first two requests is then counted and its receipt read again.
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

  /** Whether a no-op transaction with this nonce is pending at a higher price than any of ours before. */
  async function cancel(each: OpenNonce): Promise<boolean> {
    const { nonce, call } = each;
    const { gasPriceWei: max } = maxOf(policy);
    const [chainId, offered] = await Promise.all([client.getChainId(), client.getGasPrice()]);
    if (chainId !== policy.chainId) return forbidden(each, 'chain_id');
    // Nodes replace a transaction only if the new one pays at least a tenth more.
    const bumped = (each.gasPriceWei * 9n) / 8n + 1n;
    if (bumped > max) return forbidden(each, 'gas_price');
    let gasPrice = smallest(largest([offered, bumped]), max);
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
      // The pending transaction offers more, and no public node reports how much.
      if (gasPrice === max) return forbidden(each, 'gas_price');
      gasPrice = smallest(2n * gasPrice, max);
    }
  }

  function forbidden({ nonce, call }: OpenNonce, rule: 'chain_id' | 'gas_price' | 'gas_day'): false {
    log.error('sender.not_cancelled', { nonce, ...call, rule });
    return false;
  }

  /** Whether the daily budget covers this nonce at that price and the others at their maximum. */
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
 * The next nonce. `wait`: chain and process disagree, or a foreign transaction holds it. `stuck`: these nonces, from
 * the next one on, have been pending without a block for too long.
 */
type NextNonce =
  | { readonly state: 'free'; readonly nonce: number }
  | { readonly state: 'wait' }
  | { readonly state: 'stuck'; readonly nonces: readonly number[] };

export interface NonceCursor {
  /** Throws viem's errors if the node does not answer. */
  next(): Promise<NextNonce>;
  /** Records that a transaction with this nonce was mined. */
  used(nonce: number): void;
  /**
   * Records that the node rejected a transaction with this nonce. True after it has done so for long: something holds
   * the nonce.
   */
  refused(nonce: number): boolean;
}

/** How long a node may report fewer of our transactions than we know before it is believed. */
const behindSeconds = 60n;

/** Maximum freed at a time, so that an attempt ends. */
const maxStuck = 16;

interface Held {
  readonly nonce: number;
  readonly since: bigint;
}

/** @param stuckSeconds how long a foreign transaction may hold one nonce. */
export function createNonceCursor(
  client: ChainClient,
  address: Address,
  clock: Clock,
  log: Log,
  stuckSeconds: bigint,
): NonceCursor {
  /** Next nonce by the blocks this process has seen. */
  let cursor = 0;
  let behindSince: bigint | undefined;
  let inFlight: Held | undefined;
  let refused: Held | undefined;

  const heldFrom = (held: Held | undefined, nonce: number): Held =>
    held?.nonce === nonce ? held : { nonce, since: clock() };
  const isStuck = ({ since }: Held): boolean => clock() - since >= stuckSeconds;

  /** Whether to wait for a node that reports fewer of our transactions than we know. */
  function isBehind(mined: number): boolean {
    if (mined >= cursor) {
      behindSince = undefined;
      return false;
    }
    // A node may lag. A block may also have been reverted, and then the chain's state wins.
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
      // Not of this process, which waits for its own: sent by an earlier process or by somebody else with the key.
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
 * `refused`: the node rejected the transaction and does not have it. Without a response it may have it anyway; the
 * receipt decides.
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
