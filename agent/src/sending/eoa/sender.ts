import type { ChainClient } from '@bowline/chain/chain-client';
import { paidWei, receiptOf } from '@bowline/chain/chain-client';
import type { Sent } from '@bowline/core/domain/sending';
import type { Hex } from '@bowline/core/domain/units';
import { keccak256, type LocalAccount, type TransactionReceipt } from 'viem';
import type { Broadcast } from '../nodes.ts';
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

/** Sends with a plain key, the only way onto the chain for it. */
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
    // Without the nonce, which no contract sees: nodes refuse one that waits for others.
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
