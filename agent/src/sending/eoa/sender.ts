import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Clock, Log, Sender, Sent } from '@bowline/core/domain/ports';
import type { Hex } from '@bowline/core/domain/units';
import { BaseError, keccak256, type PrivateKeyAccount, type TransactionReceipt } from 'viem';
import type { ChainClient } from '../../chain/chain-client.ts';
import { contractErrorName, nodeAnswer, paidWei, receiptOf, refusalOf } from '../../chain/chain-client.ts';
import { brokenRule, createGasDay, type SigningPolicy, type Transaction } from '../signing-policy.ts';
import { broadcast, createNonceCursor, createOpenNonces, heldByOthers } from './open-nonces.ts';

export interface SenderOptions {
  readonly client: ChainClient;
  readonly account: PrivateKeyAccount;
  readonly policy: SigningPolicy;
  readonly log: Log;
  readonly clock: Clock;
  /** Seconds until a pending transaction is cancelled, and again for the cancellation. */
  readonly receiptSeconds: bigint;
  /** Milliseconds between two receipt polls. */
  readonly pollMs: number;
}

/**
 * The only way onto the chain for the keeper's key. Calls are sent one by one: build → signing policy → simulation of
 * the same bytes → signature → broadcast → receipt.
 *
 * A transaction that is in no block after `receiptSeconds` is cancelled, so that it counts now or never. Until that is
 * settled nothing else is signed; the next call first finishes it. A nonce held by a foreign transaction is waited for
 * twice as long and then freed the same way.
 */
export function createSender(options: SenderOptions): Sender {
  const { client, account, policy, log, clock, receiptSeconds, pollMs } = options;
  const { address } = account;
  const gasDay = createGasDay(clock);
  const cursor = createNonceCursor(client, address, clock, log, 2n * receiptSeconds);
  const open = createOpenNonces({ ...options, cursor, gasDay });
  let queue: Promise<unknown> = Promise.resolve();

  async function attempt(call: Call): Promise<Sent> {
    const { label } = call;
    const built = await build(call);
    if ('outcome' in built) return built;
    const { nonce, gas, gasPrice } = built;
    let serialized: Hex;
    try {
      serialized = await account.signTransaction(built);
    } catch (error) {
      log.error('sender.not_sent', { label, error });
      return { outcome: 'not_sent' };
    }
    const hash = keccak256(serialized);
    const maxWei = gas * gasPrice;
    open.open([{ nonce, call: { label, hash }, cancellations: [], gasPriceWei: gasPrice, maxWei }]);
    if ((await broadcast(client, log, serialized, hash)) === 'refused') {
      open.close(nonce);
      if (cursor.refused(nonce)) await free([nonce]);
      return { outcome: 'not_sent' };
    }
    const receipt = await receiptInTime(hash, nonce);
    if (receipt === undefined) {
      await open.reconcile();
      return outcomeNow(hash);
    }
    open.close(nonce);
    cursor.used(nonce);
    gasDay.pay(paidWei(receipt));
    return outcomeOf(receipt);
  }

  /** The transaction as it would be signed, allowed and simulated; or why there is none. */
  async function build({ to, data, value, gas, label }: Call): Promise<Transaction | Sent> {
    if (!open.isEmpty() && !(await open.reconcile())) return { outcome: 'not_sent' };
    try {
      const nonce = await freeNonce();
      if (nonce === undefined) return { outcome: 'not_sent' };
      const [chainId, gasPrice, balance] = await Promise.all([
        client.getChainId(),
        client.getGasPrice(),
        client.getBalance({ address }),
      ]);
      const transaction: Transaction = { type: 'legacy', chainId, nonce, to, data, value, gas, gasPrice };
      const isPoor = balance < gas * gasPrice + value;
      const rule = brokenRule(policy, transaction, gasDay.paidWei()) ?? (isPoor ? 'balance' : undefined);
      if (rule !== undefined) return { outcome: 'not_allowed', rule };
      return (await simulated(transaction)) ?? transaction;
    } catch (error) {
      log[error instanceof BaseError ? 'warn' : 'error']('sender.not_sent', { label, error });
      return { outcome: 'not_sent' };
    }
  }

  async function freeNonce(): Promise<number | undefined> {
    const next = await cursor.next();
    if (next.state === 'free') return next.nonce;
    if (next.state === 'wait' || !(await free(next.nonces))) return undefined;
    const then = await cursor.next();
    return then.state === 'free' ? then.nonce : undefined;
  }

  function free(nonces: readonly number[]): Promise<boolean> {
    log.warn('sender.stuck', { nonces, seconds: 2n * receiptSeconds });
    open.open(nonces.map(heldByOthers));
    return open.reconcile();
  }

  /**
   * The node's objection to the transaction. Any response, out of gas included, counts against this transaction: if it
   * were blamed on the node, one call crafted to fail would block all others.
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

  /** Also undefined if the nonce is used without a receipt: waiting longer would not help. */
  async function receiptInTime(hash: Hex, nonce: number): Promise<TransactionReceipt | undefined> {
    const until = clock() + receiptSeconds;
    const read = () => receiptOf(client, [hash]).catch(() => undefined);
    for (;;) {
      const receipt = await read();
      if (receipt !== undefined || clock() >= until) return receipt;
      const mined = await client.getTransactionCount({ address, blockTag: 'latest' }).catch(() => 0);
      if (mined > nonce) return read();
      await sleep(pollMs);
    }
  }

  async function outcomeNow(hash: Hex): Promise<Sent> {
    let isRead = true;
    try {
      const receipt = await receiptOf(client, [hash]);
      if (receipt !== undefined) return outcomeOf(receipt);
    } catch (error) {
      log.debug('sender.not_read', { hash, error });
      isRead = false;
    }
    const by = open.usedBy(hash);
    if (by === 'another') return { outcome: 'consumed', hash };
    if (by?.transactionHash === hash) return outcomeOf(by);
    // Read again: a receipt that cannot be read now may still exist.
    if (open.holds(hash) || (by === undefined && !isRead)) return { outcome: 'unknown', hash };
    return { outcome: 'cancelled', hash };
  }

  function inTurn<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    const turn = queue.then(question);
    queue = turn.catch(() => {});
    return turn;
  }

  return {
    address,
    send: (call) => inTurn(() => attempt(call)),
    outcome: (hash) =>
      inTurn(async () => {
        await open.reconcile();
        return outcomeNow(hash);
      }),
  };
}

function outcomeOf({ status, transactionHash: hash, blockNumber: block, gasUsed, logs }: TransactionReceipt): Sent {
  if (status !== 'success') return { outcome: 'reverted', hash, block, gasUsed };
  return { outcome: 'confirmed', hash, block, gasUsed, events: logs };
}
