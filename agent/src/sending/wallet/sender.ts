import type { ChainClient } from '@bowline/chain/chain-client';
import { contractErrorName } from '@bowline/chain/contract-error';
import type { Call, Sender, Sent } from '@bowline/core/domain/sending';
import type { Hex } from '@bowline/core/domain/units';
import type { KeyPool } from '../key-pool.ts';
import { createNonceQueue, type NonceQueue, simulated } from '../nonce-queue.ts';
import type { Blocks, Found, NonceSequence, QueueOptions } from '../nonce-sequence.ts';
import type { Payload } from '../operation.ts';
import { kindOf, maxGasPriceOf, maxOf } from '../signing-policy.ts';
import { type Account, maxWei, type Operation, unsignedOperation } from './account.ts';
import type { Bundler } from './bundler.ts';
import type { EntryPoint, Inclusion } from './entry-point.ts';
import { brokenOperationRule, type OperationPolicy } from './operation-policy.ts';

export interface WalletOptions extends Omit<QueueOptions, 'maxOpen'> {
  readonly client: ChainClient;
  readonly account: Account;
  readonly entryPoint: EntryPoint;
  readonly policy: OperationPolicy;
  /** Submit operations to the EntryPoint with our own keys. */
  readonly carriers: KeyPool;
  /** The same for calls that cannot wait for a bundler: a second is several blocks. */
  readonly urgentCarriers: KeyPool;
  readonly isUrgent: (call: Call) => boolean;
  /** If absent, our own keys submit every operation at once. */
  readonly bundler?: Bundler;
  /** Seconds the bundler has to include an operation. */
  readonly bundlerSeconds: bigint;
  /**
   * Its first nonce key; 0 if absent. The EntryPoint counts nonces per key, and keys have 192 bits, so processes
   * with different keys can share an account.
   */
  readonly firstKey?: bigint;
}

export interface WalletSender extends Sender {
  readonly queues: readonly NonceQueue[];
  /** Deploys the account by an operation that does nothing else. */
  create(): Promise<Sent>;
}

/** An operation and its way to the EntryPoint. */
interface SignedOperation extends Payload {
  readonly operation: Operation;
  readonly way: Way;
}

interface Way {
  /** It is being handed over. */
  isBusy: boolean;
  /** The bundler was asked to take it. */
  isAsked: boolean;
  /** Somebody else has seen it, and may have it included at any time. */
  isShown: boolean;
  /** Unix seconds until which we leave it to the bundler alone. */
  bundlerUntil: bigint;
  /** Our transactions that carried it. */
  readonly carriers: Hex[];
}

/**
 * Nonce keys of urgent operations, after the first one. They do not wait for other keys; the EntryPoint accepts one at a
 * time per key.
 */
const urgentKeys = [1n, 2n, 3n, 4n];
/** Maximum blocks one node behind an address may lag behind another. */
const lagBlocks = 16n;
/** Maximum number of blocks searched for what used a nonce. */
const maxBlocks = 64n;
/** Outcomes of a carrier after which nobody else has seen the operation. */
const neverSeen: ReadonlySet<Sent['outcome']> = new Set(['would_revert', 'not_allowed', 'not_sent']);

/**
 * Sends through the ERC-4337 account, with the same interface as the plain key. An operation counts once,
 * no matter who submits it, since it has one nonce; the carrier raises the price of the transaction, not of the operation.
 */
export function createWalletSender(options: WalletOptions): WalletSender {
  const { account, isUrgent, firstKey = 0n } = options;
  let isCreating = false;
  const queueOf = (key: bigint): NonceQueue =>
    createNonceQueue(
      noncesOf(options, key, () => isCreating),
      { ...options, maxOpen: 1 },
    );
  const calm = queueOf(firstKey);
  const urgent = urgentKeys.map((key) => queueOf(firstKey + key));
  const nextUrgent = (): NonceQueue => urgent.toSorted((a, b) => a.underWay() - b.underWay())[0] ?? calm;
  return {
    address: account.address,
    queues: [calm, ...urgent],
    send: (call) => (isUrgent(call) ? nextUrgent() : calm).send(call),
    async create() {
      isCreating = true;
      try {
        return await nextUrgent().send(nothingOf(account));
      } finally {
        isCreating = false;
      }
    },
  };
}

const nothingOf = ({ address: to }: Account): Call => ({
  ...{ to, data: '0x', value: 0n, gas: 0n, label: 'nothing', mayActLate: true },
});

type Nonces = NonceSequence<SignedOperation>;

/** The nonces of one key of the account. */
function noncesOf(options: WalletOptions, key: bigint, isCreating: () => boolean): Nonces {
  const { client, account, entryPoint, policy, clock, firstKey = 0n } = options;
  const isCalm = key === firstKey;
  const nothing = nothingOf(account);
  return {
    name: `${account.address} ${key}`,
    address: account.address,
    async read() {
      const [chainId, used, gasPriceWei, fundsWei] = await Promise.all([
        client.getChainId(),
        entryPoint.nonce(account.address, key),
        client.getGasPrice(),
        entryPoint.funds(account.address),
      ]);
      return { chainId, used, pending: used, gasPriceWei, fundsWei };
    },
    terms: (call = nothing) => {
      const { gasPriceWei } = maxOf(policy.calls);
      const act = call.data === '0x' ? gasPriceWei : maxGasPriceOf(policy.calls, call);
      return { maxGasPriceWei: { act, cancel: gasPriceWei }, isBumped: false };
    },
    draft: (...of) => draftOf(options, isCreating(), ...of),
    async submit(payload, call = nothing) {
      const { way } = payload;
      if (way.isBusy || clock() < way.bundlerUntil) return 'taken';
      way.isBusy = true;
      try {
        return await handOver(options, payload, call, isCalm);
      } finally {
        way.isBusy = false;
      }
    },
    // If our own keys carried it, they submit their transactions again themselves.
    submitAgain: async (payload, call) =>
      payload.way.carriers.length === 0 ? handOver(options, payload, call ?? nothing, isCalm) : undefined,
    find: (payloads, _, blocks) => find(options, payloads, blocks),
  };
}

function draftOf(
  { client, account, entryPoint, policy }: WalletOptions,
  isCreating: boolean,
  ...[wanted, nonce, gasPrice, { chainId, fundsWei }]: Parameters<Nonces['draft']>
): ReturnType<Nonces['draft']> {
  const call = wanted ?? nothingOf(account);
  const { to, data, gas } = call;
  const made = { nonce, callData: account.encode(call), callGas: gas, gasPrice };
  const unsigned = unsignedOperation(account, made, isCreating ? account.creation : undefined);
  const max = maxWei(unsigned);
  return {
    maxWei: max,
    kind: kindOf(policy.calls, call),
    rule(paidTodayWei, heldWei, spentOnKindWei) {
      const spentWei = paidTodayWei + heldWei;
      const broken = brokenOperationRule(policy, chainId, unsigned, gas, spentWei, spentOnKindWei, call);
      return broken ?? (fundsWei < heldWei + max ? 'balance' : undefined);
    },
    // Simulates the inner call: an operation whose call fails is still mined and paid for.
    simulate: async () => (data === '0x' ? undefined : simulated(client, { account: account.address, to, data, gas })),
    async sign() {
      const operation = { ...unsigned, signature: await account.sign(unsigned, chainId) };
      const way: Way = { isBusy: false, isAsked: false, isShown: false, bundlerUntil: 0n, carriers: [] };
      const hash = entryPoint.hashOf(operation, chainId);
      return {
        hash,
        does: wanted === undefined ? 'cancel' : 'act',
        gasPriceWei: gasPrice,
        maxWei: max,
        operation,
        way,
      };
    },
  };
}

async function handOver(
  options: WalletOptions,
  { operation, way, does, hash }: SignedOperation,
  call: Call,
  isCalm: boolean,
) {
  const { entryPoint, bundler, bundlerSeconds: seconds, isUrgent, clock, log } = options;
  if (isCalm && bundler !== undefined && does === 'act' && !way.isAsked) {
    // It may have the operation even if it says that it has not.
    way.isAsked = way.isShown = true;
    const failed = (error: unknown) => log.error('wallet.bundler_failed', { error });
    if (await bundler.take(operation).catch(failed)) {
      way.bundlerUntil = clock() + seconds;
      return 'taken';
    }
  }
  if (way.bundlerUntil > 0n) log.warn('wallet.bundler_late', { label: call.label, hash, seconds });
  const label = does === 'act' ? call.label : `cancel ${call.label}`;
  const mayActLate = does === 'cancel' || call.mayActLate === true;
  const pool = isCalm ? options.carriers : options.urgentCarriers;
  const sent = await pool.sendBy((by) => ({
    ...entryPoint.handOver(operation, by, { label, ...(mayActLate && { mayActLate }) }),
    // The EntryPoint accepts a rescue's operation once, no matter who submits it.
    ...(isUrgent(call) && { byAnybody: true }),
  }));
  if ('hash' in sent) way.carriers.push(sent.hash);
  way.isShown ||= !neverSeen.has(sent.outcome);
  // Perhaps somebody else was faster: the nonce shows it.
  if (way.isShown) return 'taken';
  log.warn('wallet.not_carried', { label, hash, ...sent });
  // An EntryPoint error about the operation is not the contract's error about the call.
  return sent.outcome === 'would_revert' ? ({ outcome: 'not_sent' } as const) : sent;
}

/** Searches our own transactions, then the bundler's hint, then the blocks that came while it was open. */
async function find({ entryPoint, bundler }: WalletOptions, payloads: readonly SignedOperation[], blocks: Blocks) {
  const [any] = payloads;
  if (any === undefined) return undefined;
  const including = async (by: Hex | undefined) => by && entryPoint.inclusionBy(any.operation, by);
  for (const by of payloads.flatMap(({ way }) => way.carriers)) {
    const inclusion = await including(by);
    if (inclusion) return foundIn(inclusion, payloads);
  }
  for (const { hash, way } of payloads) {
    const inclusion = await including(way.isAsked ? await bundler?.carrierOf?.(hash) : undefined);
    if (inclusion) return foundIn(inclusion, payloads);
  }
  const inclusion = await entryPoint.inclusionIn(any.operation, searched(blocks));
  return inclusion && foundIn(inclusion, payloads);
}

function foundIn(inclusion: Inclusion, payloads: readonly SignedOperation[]): Found {
  const { hash: by, block, gasUsed, events, paidWei, isSuccess, revertReason } = inclusion;
  const acts = payloads.filter(({ does }) => does === 'act');
  if (!acts.some(({ hash }) => hash === inclusion.operationHash)) {
    return { sent: { outcome: 'cancelled', hash: acts.at(-1)?.hash ?? by }, paidWei, by };
  }
  const sent: Sent = isSuccess
    ? { outcome: 'confirmed', hash: by, block, gasUsed, events }
    : {
        outcome: 'reverted',
        hash: by,
        block,
        gasUsed,
        ...(revertReason && { error: contractErrorName(revertReason) }),
      };
  return { sent, paidWei, by };
}

/** The blocks after the nonce was last seen unused, then those in which a lagging node may have missed its use. */
function searched({ after, upTo }: Blocks): readonly bigint[] {
  const numbers = (from: bigint, to: bigint) =>
    from > to ? [] : Array.from({ length: Number(to - from + 1n) }, (_, at) => from + BigInt(at));
  const first = after > lagBlocks ? after - lagBlocks : 1n;
  const last = upTo > after + maxBlocks ? after + maxBlocks : upTo;
  return [...numbers(after + 1n, last), ...numbers(first, after).toReversed()];
}
