import { type ChainClient, paidWei, receiptOf } from '@bowline/chain/chain-client';
import { nodeAnswer } from '@bowline/chain/errors';
import type { Log } from '@bowline/core/domain/log';
import type { Call, Sent } from '@bowline/core/domain/sending';
import type { Address, Hex } from '@bowline/core/domain/units';
import { keccak256, type LocalAccount, type TransactionReceipt } from 'viem';
import { createNonceQueue, type NonceQueue, simulated } from '../nonce-queue.ts';
import type { Found, NonceSequence, QueueOptions } from '../nonce-sequence.ts';
import type { Payload } from '../operation.ts';
import {
  brokenCancellationRule,
  brokenRule,
  createGasDay,
  kindOf,
  maxGasPriceOf,
  maxOf,
  type SigningPolicy,
  type Transaction,
} from '../signing-policy.ts';

/**
 * `taken`: a node says that it has the transaction. `refused`: every node has refused these very bytes, and none has
 * them. `unknown`: neither. A node may have the transaction; its nonce decides.
 */
type Answer = 'taken' | 'refused' | 'unknown';

export interface Broadcast {
  /**
   * Never rejects.
   * @param from the key that signed it.
   */
  send(serializedTransaction: Hex, hash: Hex, from: Address): Promise<Answer>;
  /** Blocks that may omit this call before its price is raised; undefined: the default. */
  patientBlocks(call: Pick<Call, 'to' | 'data'>): number | undefined;
}

/** Sends raw transactions to all of these nodes at once, and waits for the first that takes them. */
export function createBroadcast(clients: readonly ChainClient[], log: Log): Broadcast {
  /** What each node last said to each key. */
  const answers = new Map<string, Answer>();

  async function toOne(client: ChainClient, at: number, raw: Hex, hash: Hex, from: Address): Promise<Answer> {
    const [answer, error] = await answerOf(client, raw, hash);
    const pair = `${from} ${at}`;
    // Log once per change: until the node takes what the key signs, every block gets here.
    const before = answers.get(pair) ?? 'taken';
    answers.set(pair, answer);
    if (answer === before) return answer;
    if (answer === 'taken') log.info('sender.broadcast_taken', { from, hash });
    else log.warn('sender.broadcast_failed', { from, hash, isRefused: answer === 'refused', error });
    return answer;
  }

  return {
    send: (raw, hash, from) =>
      new Promise((resolve) => {
        const ends = clients.map(async (client, at) => {
          const answer = await toOne(client, at, raw, hash, from);
          if (answer === 'taken') resolve(answer);
          return answer;
        });
        void Promise.all(ends).then((all) => resolve(all.includes('unknown') ? 'unknown' : 'refused'));
      }),
    patientBlocks: () => undefined,
  };
}

async function answerOf(client: ChainClient, serializedTransaction: Hex, hash: Hex): Promise<[Answer, unknown?]> {
  try {
    await client.sendRawTransaction({ serializedTransaction });
    return ['taken'];
  } catch (error) {
    const answer = nodeAnswer(error);
    // Another node has forwarded it, or it is broadcast again.
    if (/already known|already imported/i.test(answer?.details ?? '')) return ['taken'];
    const isKnown = answer === undefined ? undefined : await knows(client, hash);
    // "nonce too low", because it was mined while it was broadcast again.
    if (isKnown) return ['taken'];
    return [isKnown === false ? 'refused' : 'unknown', error];
  }
}

/** Whether the node has the transaction, mined or pending; undefined if it does not say. */
async function knows(client: ChainClient, hash: Hex): Promise<boolean | undefined> {
  try {
    return (await client.request({ method: 'eth_getTransactionByHash', params: [hash] })) !== null;
  } catch {
    return undefined;
  }
}

/** Relays take four to five seconds on average, about ten blocks. */
const RELAY_BLOCKS = 12;

/**
 * Keeps runs out of the public mempool, where others would trade ahead of them. Rescues and cancellations go to every node:
 * being seen does them no harm.
 * @param executor its address is in every run's bytes, whichever key or wallet carries the run.
 * @param relayBlocks blocks that a relay has before the price is raised: it is slower than the public pool, and an earlier
 * bump would bid against ourselves.
 */
export function withPrivateRuns(
  everywhere: Broadcast,
  privately: Broadcast,
  executor: Address,
  relayBlocks = RELAY_BLOCKS,
): Broadcast {
  const mark = executor.slice(2).toLowerCase();
  const isPrivate = (bytes: string): boolean => bytes.toLowerCase().includes(mark);
  return {
    send: (raw, ...rest) => (isPrivate(raw) ? privately : everywhere).send(raw, ...rest),
    patientBlocks: ({ to, data }) => (isPrivate(`${to}${data}`) ? relayBlocks : undefined),
  };
}

export interface SenderOptions extends Omit<QueueOptions, 'gasDay'> {
  readonly client: ChainClient;
  readonly account: LocalAccount;
  readonly policy: SigningPolicy;
  readonly broadcast: Broadcast;
}

interface SignedTransaction extends Payload {
  readonly serialized: Hex;
}

const transferGas = 21_000n;

/** Sends with a plain key. That key sends nothing any other way. */
export function createSender(options: SenderOptions): NonceQueue {
  const { client, account, policy, broadcast, clock } = options;
  const { address } = account;
  const nonces: NonceSequence<SignedTransaction> = {
    name: address,
    address,
    async read() {
      const [chainId, used, pending, gasPriceWei, fundsWei] = await Promise.all([
        client.getChainId(),
        client.getTransactionCount({ address, blockTag: 'latest' }),
        client.getTransactionCount({ address, blockTag: 'pending' }),
        client.getGasPrice(),
        client.getBalance({ address }),
      ]);
      return { chainId, used: BigInt(used), pending: BigInt(pending), gasPriceWei, fundsWei };
    },
    terms(call) {
      const patientBlocks = call && broadcast.patientBlocks(call);
      return {
        maxGasPriceWei: {
          act: call === undefined ? 0n : maxGasPriceOf(policy, call),
          cancel: maxOf(policy).gasPriceWei,
        },
        isBumped: true,
        ...(patientBlocks !== undefined && { patientBlocks }),
      };
    },
    draft: (...of) => draftOf(options, ...of),
    async submit({ serialized, hash }) {
      const answer = await broadcast.send(serialized, hash, address);
      return answer === 'refused' ? { outcome: 'not_sent', isRefused: true } : answer;
    },
    submitAgain: ({ serialized, hash }) => broadcast.send(serialized, hash, address),
    find: (payloads) => findReceipt(client, payloads),
  };
  return createNonceQueue(nonces, { ...options, gasDay: createGasDay(clock) });
}

type Nonces = NonceSequence<SignedTransaction>;

function draftOf(
  { client, account, policy }: SenderOptions,
  ...[call, nonce, gasPrice, { chainId, fundsWei }]: Parameters<Nonces['draft']>
): ReturnType<Nonces['draft']> {
  const base = { type: 'legacy', chainId, nonce: Number(nonce), gasPrice } as const;
  const { to, data, value, gas } = call ?? { to: account.address, data: '0x', value: 0n, gas: transferGas };
  const transaction: Transaction = { ...base, to, data, value, gas };
  const maxWei = gas * gasPrice;
  return {
    maxWei,
    kind: call && kindOf(policy, call),
    rule(paidTodayWei, heldWei, spentOnKindWei) {
      const spent = paidTodayWei + heldWei;
      if (call === undefined) return brokenCancellationRule(policy, { chainId, gasPrice, maxWei }, spent);
      const isPoor = fundsWei < heldWei + maxWei + value;
      return brokenRule(policy, transaction, spent, spentOnKindWei, call) ?? (isPoor ? 'balance' : undefined);
    },
    // Without the nonce, which no contract sees: nodes refuse a nonce that waits for earlier ones.
    simulate: () => simulated(client, { account: account.address, to, data, value, gas, gasPrice }),
    async sign() {
      const serialized = await account.signTransaction(transaction);
      const does = call === undefined ? 'cancel' : 'act';
      return { hash: keccak256(serialized), does, gasPriceWei: gasPrice, maxWei, serialized };
    },
  };
}

async function findReceipt(client: ChainClient, payloads: readonly SignedTransaction[]): Promise<Found | undefined> {
  const all = payloads.map(({ hash }) => hash);
  const receipt = await receiptOf(client, all);
  if (receipt === undefined) return undefined;
  const by = receipt.transactionHash;
  const acts = payloads.filter(({ does }) => does === 'act');
  const hash = acts.at(-1)?.hash ?? by;
  const sent: Sent = acts.some((act) => act.hash === by) ? outcomeOf(receipt) : { outcome: 'cancelled', hash };
  return { sent, paidWei: paidWei(receipt), by };
}

function outcomeOf({ status, transactionHash: hash, blockNumber: block, gasUsed, logs }: TransactionReceipt): Sent {
  if (status !== 'success') return { outcome: 'reverted', hash, block, gasUsed };
  return { outcome: 'confirmed', hash, block, gasUsed, events: logs };
}
