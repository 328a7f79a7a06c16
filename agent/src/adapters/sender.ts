import { setTimeout as sleep } from 'node:timers/promises';
import {
  BaseError,
  keccak256,
  type PrivateKeyAccount,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import type { Call, Clock, Log, Sender, Sent } from '../domain/ports.ts';
import type { Hex } from '../domain/units.ts';
import type { ChainClient } from './chain-client.ts';
import { contractErrorName, nodeAnswer, refusalOf } from './contract-error.ts';
import { brokenRule, type SigningPolicy, type Transaction } from './signing-policy.ts';

export interface SenderOptions {
  readonly client: ChainClient;
  readonly account: PrivateKeyAccount;
  readonly policy: SigningPolicy;
  readonly log: Log;
  readonly clock: Clock;
  /** How long a transaction may take into a block before its outcome counts as unknown. */
  readonly receiptSeconds: bigint;
  /** Between two looks for a receipt. */
  readonly pollMs: number;
}

/** A nonce that this sender has signed for and that is not known to be used up. */
interface Unresolved {
  readonly label: string;
  readonly transaction: Transaction;
  readonly hash: Hex;
  /** Later transactions with the same nonce that do nothing. */
  readonly cancellations: readonly Hex[];
  /** Of the newest transaction with this nonce. */
  readonly gasPrice: bigint;
}

/** How long a node may know fewer of our transactions than we do before it is believed. */
const BEHIND_SECONDS = 60n;
const TRANSFER_GAS = 21_000n;

/**
 * The one way onto the chain for the keeper's key. Calls go one after the other: build → signing policy → simulation of
 * the same bytes → signature → broadcast → receipt.
 *
 * After a signature whose outcome is not known nothing else is signed until its nonce is used up. The next call looks
 * first: if the lost transaction is in a block, that was its outcome. If the nonce is still free, it is used up by a
 * transaction that does nothing, at a higher price: of two with one nonce the chain takes one, so that the lost one either
 * counts now or never. Sending the lost bytes again would be as safe from doing things twice, but would let a verdict
 * act long after it was reached.
 */
export function createSender({ client, account, policy, log, clock, receiptSeconds, pollMs }: SenderOptions): Sender {
  const { address } = account;
  /** The next nonce, as far as this sender has seen its transactions go into blocks. */
  let cursor = 0;
  let behindSince: bigint | undefined;
  let unresolved: Unresolved | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function attempt(call: Call): Promise<Sent> {
    if (unresolved !== undefined && !(await reconciled(unresolved))) return { outcome: 'not_sent' };
    const built = await build(call);
    if ('outcome' in built) return built;
    const serialized = await account.signTransaction(built);
    const hash = keccak256(serialized);
    unresolved = { label: call.label, transaction: built, hash, cancellations: [], gasPrice: built.gasPrice };
    if ((await broadcast(serialized, hash)) === 'refused') {
      unresolved = undefined;
      return { outcome: 'not_sent' };
    }
    const receipt = await receiptInTime([hash]);
    if (receipt === undefined) {
      log.error('sender.unknown', { label: call.label, hash, nonce: built.nonce });
      return { outcome: 'unknown', hash };
    }
    resolve(built.nonce);
    return outcomeOf(receipt);
  }

  /** The transaction as it would be signed, allowed and simulated; or why there is none. */
  async function build({ to, data, value, gas, label }: Call): Promise<Transaction | Sent> {
    try {
      const [chainId, gasPrice, nonce, balance] = await Promise.all([
        client.getChainId(),
        client.getGasPrice(),
        freeNonce(),
        client.getBalance({ address }),
      ]);
      if (nonce === undefined) return { outcome: 'not_sent' };
      const transaction: Transaction = { type: 'legacy', chainId, nonce, to, data, value, gas, gasPrice };
      const rule = brokenRule(policy, transaction) ?? (balance < gas * gasPrice + value ? 'balance' : undefined);
      if (rule !== undefined) return { outcome: 'not_allowed', rule };
      return (await simulated(transaction)) ?? transaction;
    } catch (error) {
      if (!(error instanceof BaseError)) throw error;
      log.warn('sender.not_sent', { label, error });
      return { outcome: 'not_sent' };
    }
  }

  /**
   * What the node says is wrong with the transaction. Whatever it answers is about this one, out of gas included: were it
   * taken for the node's own trouble, one call made to fail would hold up all others.
   */
  async function simulated({ to, data, value, gas, gasPrice, nonce }: Transaction): Promise<Sent | undefined> {
    try {
      await client.call({ account: address, to, data, value, gas, gasPrice, nonce });
      return undefined;
    } catch (error) {
      if (nodeAnswer(error) === undefined) throw error;
      return { outcome: 'would_revert', error: contractErrorName(refusalOf(error)?.data) };
    }
  }

  /** Undefined while the chain and this sender do not agree on which nonce is next. */
  async function freeNonce(): Promise<number | undefined> {
    const [mined, known] = await Promise.all([
      client.getTransactionCount({ address, blockTag: 'latest' }),
      client.getTransactionCount({ address, blockTag: 'pending' }),
    ]);
    if (mined < cursor) {
      // One node of several may lag. A block may also have been undone, and then the chain's state wins.
      behindSince ??= clock();
      if (clock() - behindSince < BEHIND_SECONDS) {
        log.warn('sender.node_behind', { cursor, mined });
        return undefined;
      }
      log.error('sender.block_undone', { cursor, mined });
    }
    behindSince = undefined;
    cursor = mined;
    if (known <= mined) return mined;
    // Not of this process, which waits for its own: of one before it, or of somebody else with the key.
    log.warn('sender.in_flight', { mined, known });
    return undefined;
  }

  /**
   * `refused`: the node said no and does not have it. Without an answer it may have it all the same; that shows when
   * looking for the receipt.
   */
  async function broadcast(serializedTransaction: Hex, hash: Hex): Promise<'sent' | 'refused'> {
    try {
      await client.sendRawTransaction({ serializedTransaction });
      return 'sent';
    } catch (error) {
      if (!(error instanceof BaseError)) throw error;
      log.warn('sender.broadcast_failed', { hash, error });
      return nodeAnswer(error) !== undefined && (await isUnknownToNode(hash)) ? 'refused' : 'sent';
    }
  }

  async function isUnknownToNode(hash: Hex): Promise<boolean> {
    try {
      return (await client.request({ method: 'eth_getTransactionByHash', params: [hash] })) === null;
    } catch {
      return false;
    }
  }

  async function receiptInTime(hashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
    const until = clock() + receiptSeconds;
    for (;;) {
      const receipt = await receiptOf(hashes).catch(() => undefined);
      if (receipt !== undefined || clock() >= until) return receipt;
      await sleep(pollMs);
    }
  }

  /** The receipt of whichever of them is in a block. Throws when the node does not answer. */
  async function receiptOf(hashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
    for (const hash of hashes) {
      try {
        return await client.getTransactionReceipt({ hash });
      } catch (error) {
        if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
      }
    }
    return undefined;
  }

  /** Whether the lost transaction's nonce is used up by now. */
  async function reconciled(lost: Unresolved): Promise<boolean> {
    try {
      // In this order: a transaction that is mined between the two questions is then counted and asked for again.
      const receipt = (await receiptOf([lost.hash, ...lost.cancellations])) ?? (await receiptIfUsed(lost));
      if (receipt !== undefined) return settled(lost, receipt);
      return await cancelled(lost);
    } catch (error) {
      if (!(error instanceof BaseError)) throw error;
      log.warn('sender.not_reconciled', { label: lost.label, hash: lost.hash, error });
      return false;
    }
  }

  async function receiptIfUsed({ hash, cancellations, transaction }: Unresolved) {
    const mined = await client.getTransactionCount({ address, blockTag: 'latest' });
    if (mined <= transaction.nonce) return undefined;
    return (await receiptOf([hash, ...cancellations])) ?? 'another';
  }

  function settled({ label, hash, transaction }: Unresolved, receipt: TransactionReceipt | 'another'): true {
    if (receipt === 'another') log.error('sender.reconciled', { label, hash, outcome: 'another_in_its_place' });
    else if (receipt.transactionHash === hash) log.warn('sender.reconciled', { label, ...outcomeOf(receipt) });
    else log.warn('sender.reconciled', { label, hash, outcome: 'cancelled', by: receipt.transactionHash });
    resolve(transaction.nonce);
    return true;
  }

  async function cancelled(lost: Unresolved): Promise<boolean> {
    const { nonce, chainId } = lost.transaction;
    // Nodes take a transaction in another's place when it pays at least a tenth more.
    const bumped = (lost.gasPrice * 9n) / 8n + 1n;
    const offered = await client.getGasPrice();
    const gasPrice = offered > bumped ? offered : bumped;
    if (gasPrice > policy.mostGasPriceWei) {
      log.error('sender.not_reconciled', { label: lost.label, hash: lost.hash, rule: 'gas_price', gasPrice });
      return false;
    }
    const nothing = { type: 'legacy', chainId, nonce, to: address, value: 0n, gas: TRANSFER_GAS, gasPrice } as const;
    const serialized = await account.signTransaction(nothing);
    const hash = keccak256(serialized);
    const waiting = { ...lost, gasPrice, cancellations: [...lost.cancellations, hash] };
    unresolved = waiting;
    log.warn('sender.cancelling', { label: lost.label, hash: lost.hash, by: hash, nonce });
    await broadcast(serialized, hash);
    const receipt = await receiptInTime([lost.hash, ...waiting.cancellations]);
    return receipt !== undefined && settled(waiting, receipt);
  }

  function resolve(nonce: number): void {
    unresolved = undefined;
    cursor = nonce + 1;
  }

  return {
    address,
    send(call) {
      const turn = queue.then(() => attempt(call));
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

function outcomeOf({ status, transactionHash: hash, blockNumber: block, gasUsed }: TransactionReceipt) {
  return { outcome: status === 'success' ? 'confirmed' : 'reverted', hash, block, gasUsed } as const;
}
