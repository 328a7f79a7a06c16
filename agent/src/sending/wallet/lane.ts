import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Clock, Log, Sender, Sent } from '@bowline/core/domain/ports';
import { type Hex, largest } from '@bowline/core/domain/units';
import { BaseError, size } from 'viem';
import type { ChainClient } from '../../chain/chain-client.ts';
import { contractErrorName, nodeAnswer, refusalOf } from '../../chain/contract-error.ts';
import { createFirstThatPays } from '../first-that-pays.ts';
import type { GasDay } from '../signing-policy.ts';
import type { Account } from './account.ts';
import type { Bundler } from './bundler.ts';
import type { EntryPoint, Inclusion, NonceKey } from './entry-point.ts';
import { gasOf, maxWei, type Operation } from './operation.ts';
import { brokenOperationRule, type OperationPolicy } from './operation-policy.ts';

export interface LaneOptions {
  readonly client: ChainClient;
  readonly account: Account;
  readonly entryPoint: EntryPoint;
  readonly policy: OperationPolicy;
  /** Carry operations to the EntryPoint with keys of ours: the first of them that can pay. */
  readonly carriers: readonly [Sender, ...Sender[]];
  readonly gasDay: GasDay;
  readonly log: Log;
  readonly clock: Clock;
  /** Its operations are numbered apart, so that one that is stuck holds up no other lane. */
  readonly key: NonceKey;
  /** Absent: every operation is carried by our own key at once. */
  readonly bundler?: Bundler;
  /** How long the bundler may take. */
  readonly bundlerSeconds: bigint;
  readonly pollMs: number;
}

export interface Lane {
  send(call: Call): Promise<Sent>;
  /** Undefined when the hash is of no operation of this lane. */
  outcome(hash: Hex): Promise<Sent | undefined>;
  /** Has the account do nothing, which makes it exist. */
  create(): Promise<Sent>;
}

/** An operation that is signed and not known to be in a block: whoever has seen it can have it included. */
interface Open {
  readonly operation: Operation;
  readonly hash: Hex;
  readonly label: string;
  /** In which its nonce was still free. */
  readonly unusedAt: bigint;
  /** The most that whatever we have signed with its nonce can cost the account. */
  readonly maxWei: bigint;
  /** Transactions of ours that carry it, or what cancels it. */
  readonly carriers: readonly Hex[];
}

/** For the node to know of the block that it has told of. */
const nodeSeconds = 5n;
/** Looks for the receipt of a nonce that is used: one node of several may know of the nonce first. */
const maxLooks = 8;
/** Of several nodes behind one address, one may be so many blocks behind another. */
const lagBlocks = 16n;

const doNothing = (account: Account): Call => ({
  to: account.address,
  data: '0x',
  value: 0n,
  gas: 0n,
  label: 'nothing',
});

/**
 * One row of operations of the account: build → signing policy → simulation → signature → bundler, if there is one → our own
 * key, with the same signed operation. It counts once, whoever carries it, since it has one nonce.
 *
 * What became of it is read from the EntryPoint. Once its nonce is used in the newest block the lane is free, whatever the node
 * has forgotten since; which operation used it is told by the receipts that the node still has, and is `consumed` where none
 * tells. An operation whose nonce stays free is cancelled by one that does nothing with the same nonce before anything else
 * is signed.
 */
export function createLane(options: LaneOptions): Lane {
  const { client, account, entryPoint, policy, gasDay, log, clock, key, bundler, bundlerSeconds, pollMs } = options;
  const ourKeys = createFirstThatPays(options.carriers, log);
  let open: Open | undefined;
  /** What became of operations that were unknown when they were sent. */
  const found = new Map<Hex, Sent>();
  let queue: Promise<unknown> = Promise.resolve();

  async function attempt(call: Call, isCreated: boolean): Promise<Sent> {
    let mine: Open;
    try {
      if (open !== undefined) {
        const { hash } = open;
        const late = await settleOpen();
        if (late === undefined) return { outcome: 'not_sent' };
        found.set(hash, late);
      }
      // Of that very block: a node that lags would tell of an old one, and the search for what used the nonce begins there.
      const unusedAt = await client.getBlockNumber();
      const nonce = await entryPoint.nonce(account.address, key, unusedAt);
      const built = await build(call, nonce, isCreated);
      if ('outcome' in built) return built;
      const hash = entryPoint.hashOf(built, policy.calls.chainId);
      mine = { operation: built, hash, label: call.label, unusedAt, maxWei: maxWei(built), carriers: [] };
      open = mine;
    } catch (error) {
      log[error instanceof BaseError ? 'warn' : 'error']('wallet.not_sent', { label: call.label, error });
      return { outcome: 'not_sent' };
    }
    return outcomeOf(mine, () => include(mine));
  }

  /** What is signed has an outcome, whatever goes wrong in finding it out. */
  async function outcomeOf({ hash, label }: Open, find: () => Promise<Sent | undefined>): Promise<Sent> {
    try {
      const sent = await find();
      if (sent !== undefined) return sent;
    } catch (error) {
      log[error instanceof BaseError ? 'warn' : 'error']('wallet.not_settled', { label, hash, error });
    }
    // One that is closed is never found again: whoever waited for it would wait for ever.
    return { outcome: open?.hash === hash ? 'unknown' : 'consumed', hash };
  }

  /** The operation, allowed, simulated and signed; or why there is none. */
  async function build(call: Call, nonce: bigint, isCreated: boolean): Promise<Operation | Sent> {
    const [chainId, gasPrice, funds] = await Promise.all([
      client.getChainId(),
      client.getGasPrice(),
      entryPoint.funds(account.address),
    ]);
    const callData = account.encode(call);
    const unsigned: Operation = {
      sender: account.address,
      nonce,
      callData,
      ...gasOf(call.gas, size(callData), isCreated),
      maxFeePerGas: gasPrice,
      maxPriorityFeePerGas: gasPrice,
      signature: '0x',
      ...(isCreated ? {} : account.creation),
    };
    const isPoor = funds < maxWei(unsigned);
    const broken = brokenOperationRule(policy, chainId, unsigned, call.gas, gasDay.paidWei());
    const rule = broken ?? (isPoor ? 'balance' : undefined);
    if (rule !== undefined) return { outcome: 'not_allowed', rule };
    return (await simulated(call)) ?? { ...unsigned, signature: await account.sign(unsigned, chainId) };
  }

  /** What the contract that is called would say. An operation whose call fails is in a block all the same, and paid for. */
  async function simulated({ to, data, gas }: Call): Promise<Sent | undefined> {
    if (data === '0x') return undefined;
    try {
      await client.call({ account: account.address, to, data, gas });
      return undefined;
    } catch (error) {
      if (nodeAnswer(error) === undefined) throw error;
      return { outcome: 'would_revert', error: contractErrorName(refusalOf(error)?.data) };
    }
  }

  async function include(mine: Open): Promise<Sent | undefined> {
    const { operation, hash, label } = mine;
    if (bundler !== undefined) {
      if (await isTaken(bundler, operation)) {
        const sent = await included(clock() + bundlerSeconds);
        if (sent !== undefined) return sent;
        log.warn('wallet.bundler_late', { label, hash, seconds: bundlerSeconds });
      }
    }
    const carried = await carry(operation, label);
    if (bundler === undefined && neverSeen.has(carried.outcome)) {
      open = undefined;
      // What the EntryPoint says of the operation is not what the contract says of the call.
      return carried.outcome === 'would_revert' ? notCarried(label, carried) : carried;
    }
    // Whatever became of the carrier, the nonce says what became of the operation.
    const isMined = carried.outcome === 'confirmed' || carried.outcome === 'reverted';
    const sent = await included(clock() + (isMined ? nodeSeconds : 0n));
    if (sent !== undefined) return sent;
    log.warn('wallet.not_carried', { label, hash, carried: carried.outcome });
    return settleOpen();
  }

  /** An operation that made its bundler's client fail may be at the bundler, too. */
  async function isTaken(by: Bundler, operation: Operation): Promise<boolean> {
    try {
      return await by.take(operation);
    } catch (error) {
      log.error('wallet.bundler_failed', { error });
      return false;
    }
  }

  function notCarried(label: string, { error }: Extract<Sent, { outcome: 'would_revert' }>): Sent {
    log.warn('wallet.not_sent', { label, error });
    return { outcome: 'not_sent' };
  }

  /** Hands it over with our own key, and keeps the transaction that does. */
  async function carry(operation: Operation, label: string): Promise<Sent> {
    // Whoever carries it is paid back by the account.
    const carried = await ourKeys.sendBy((carrier) => entryPoint.handOver(operation, carrier, label));
    if ('hash' in carried && open !== undefined) open = { ...open, carriers: [...open.carriers, carried.hash] };
    return carried;
  }

  /** Looks until then for what has used the nonce. Undefined while nothing has, or the node does not answer. */
  async function included(until: bigint): Promise<Sent | undefined> {
    for (let looks = 0; open !== undefined; ) {
      const mine = open;
      let isUsed = false;
      try {
        const block = await client.getBlockNumber();
        // Of the newest block: a node that has forgotten all others still has this.
        isUsed = (await entryPoint.nonce(account.address, key)) > mine.operation.nonce;
        if (!isUsed) open = { ...mine, unusedAt: block };
      } catch (error) {
        log.debug('wallet.not_read', { error });
      }
      if (isUsed) {
        looks += 1;
        const inclusion = await whatUsed(mine);
        if (typeof inclusion === 'object') return close(mine, inclusion);
        if (inclusion === 'forgotten' || looks >= maxLooks) return closeUntold(mine);
      } else if (clock() >= until) return undefined;
      await sleep(pollMs);
    }
    return undefined;
  }

  /** By the receipts that the node still has. `forgotten`: none tells, and none will. `not_yet`: it may soon. */
  async function whatUsed({ operation, hash, carriers, unusedAt }: Open): Promise<Inclusion | 'forgotten' | 'not_yet'> {
    try {
      for (const by of carriers) {
        const inclusion = await entryPoint.inclusionBy(operation, by);
        if (inclusion !== undefined) return inclusion;
      }
      const upTo = await client.getBlockNumber();
      const after = unusedAt > lagBlocks ? unusedAt - lagBlocks : 0n;
      const inclusion = upTo > after ? await entryPoint.inclusion(operation, after, upTo) : undefined;
      if (inclusion !== undefined) return inclusion;
      const by = await bundler?.carrierOf?.(hash);
      return (by && (await entryPoint.inclusionBy(operation, by))) ?? 'forgotten';
    } catch (error) {
      log.debug('wallet.not_read', { error });
      return 'not_yet';
    }
  }

  function close({ operation, hash, label }: Open, inclusion: Inclusion): Sent {
    open = undefined;
    gasDay.pay(inclusion.paidWei);
    const { hash: by, block, gasUsed, events } = inclusion;
    const isOurs = inclusion.operationHash === hash;
    const mined: Sent = inclusion.isSuccess
      ? { outcome: 'confirmed', hash: by, block, gasUsed, events }
      : { outcome: 'reverted', hash: by, block, gasUsed };
    const sent: Sent = isOurs ? mined : { outcome: 'cancelled', hash };
    log.debug('wallet.included', { label, operation: hash, nonce: operation.nonce, by, block, outcome: sent.outcome });
    return sent;
  }

  function closeUntold({ hash, label, maxWei: wei }: Open): Sent {
    open = undefined;
    gasDay.pay(wei);
    log.error('wallet.inclusion_forgotten', { label, hash });
    return { outcome: 'consumed', hash };
  }

  /**
   * What became of the operation that is open, which is cancelled if its nonce is still free; undefined while that is not
   * known. Sending it again would be as safe from doing things twice, but would let a verdict act long after it was reached.
   */
  async function settleOpen(): Promise<Sent | undefined> {
    const late = await included(clock());
    if (late !== undefined || open === undefined) return late;
    const { operation, hash, label } = open;
    // Throws when the node does not answer: then nothing is known, and nothing is cancelled.
    if ((await entryPoint.nonce(account.address, key)) > operation.nonce) return included(clock());
    const nothing = await cancellation(open);
    if (nothing === undefined) return undefined;
    open = { ...open, maxWei: largest([open.maxWei, maxWei(nothing)]) };
    log.warn('wallet.cancelling', { label, hash });
    await carry(nothing, `cancel ${label}`);
    return included(clock() + nodeSeconds);
  }

  /** One that does nothing, with the nonce of that one. */
  async function cancellation({ operation: { nonce, factory } }: Open): Promise<Operation | undefined> {
    const built = await build(doNothing(account), nonce, factory === undefined);
    if (!('outcome' in built)) return built;
    log.error('wallet.not_cancelled', { nonce, ...built });
    return undefined;
  }

  function inTurn<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    const turn = queue.then(question);
    queue = turn.catch(() => {});
    return turn;
  }

  return {
    send: (call) => inTurn(() => attempt(call, true)),
    create: () => inTurn(() => attempt(doNothing(account), false)),
    outcome: (hash) =>
      inTurn(async () => {
        if (open?.hash === hash) return outcomeOf(open, settleOpen);
        const sent = found.get(hash);
        found.delete(hash);
        return sent;
      }),
  };
}

/** Of a carrier: nobody but us has had the operation in hand. */
const neverSeen: ReadonlySet<Sent['outcome']> = new Set(['would_revert', 'not_allowed', 'not_sent']);
