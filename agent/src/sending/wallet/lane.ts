import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Clock, Log, Sender, Sent } from '@bowline/core/domain/ports';
import { type Hex, largest } from '@bowline/core/domain/units';
import { BaseError, size } from 'viem';
import type { ChainClient } from '../../chain/chain-client.ts';
import { contractErrorName, nodeAnswer, refusalOf } from '../../chain/chain-client.ts';
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
  /** Submit operations to the EntryPoint with our own keys: the first that can pay does. */
  readonly carriers: readonly [Sender, ...Sender[]];
  readonly gasDay: GasDay;
  readonly log: Log;
  readonly clock: Clock;
  /** Nonce key of this lane, so that a stuck operation blocks no other lane. */
  readonly key: NonceKey;
  /** If absent, our own key submits every operation at once. */
  readonly bundler?: Bundler;
  /** Seconds the bundler has to include an operation. */
  readonly bundlerSeconds: bigint;
  readonly pollMs: number;
}

export interface Lane {
  send(call: Call): Promise<Sent>;
  /** Undefined if the hash belongs to no operation of this lane. */
  outcome(hash: Hex): Promise<Sent | undefined>;
  /** Makes the account do nothing, which deploys it. */
  create(): Promise<Sent>;
}

/** A signed operation not known to be mined: anyone who has seen it can have it included. */
interface Open {
  readonly operation: Operation;
  readonly hash: Hex;
  readonly label: string;
  /** Block in which its nonce was still free. */
  readonly unusedAt: bigint;
  /** Maximum cost to the account of everything we signed with its nonce. */
  readonly maxWei: bigint;
  /** Our transactions that carry it or its cancellation. */
  readonly carriers: readonly Hex[];
}

/** Grace period for the node to serve a block it has announced. */
const nodeSeconds = 5n;
/** Receipt reads for a used nonce: another node behind the address may know the nonce first. */
const maxReads = 8;
/** Maximum blocks one node behind an address may lag behind another. */
const lagBlocks = 16n;

const doNothing = (account: Account): Call => ({
  to: account.address,
  data: '0x',
  value: 0n,
  gas: 0n,
  label: 'nothing',
});

/**
 * One nonce lane of the account: build → signing policy → simulation → signature → bundler, if configured → our own key
 * with the same signed operation. The operation counts once, whoever carries it, since it has one nonce.
 *
 * Outcomes are read from the EntryPoint. Once the nonce is used in the newest block, the lane is free even if the node
 * has pruned older state. The receipts the node still has show which operation used it; without one the outcome is
 * `consumed`. If the nonce stays free, a no-op operation with the same nonce cancels it before anything else is signed.
 */
export function createLane(options: LaneOptions): Lane {
  const { client, account, entryPoint, policy, gasDay, log, clock, key, bundler, bundlerSeconds, pollMs } = options;
  const ourKeys = createFirstThatPays(options.carriers, log);
  let open: Open | undefined;
  /** Outcomes of operations that were unknown when sent. */
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
      // Read at this very block: a lagging node would report an old one, and the search for what used the nonce begins
      // there.
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

  /** A signed operation always gets an outcome, even if the search for it fails. */
  async function outcomeOf({ hash, label }: Open, find: () => Promise<Sent | undefined>): Promise<Sent> {
    try {
      const sent = await find();
      if (sent !== undefined) return sent;
    } catch (error) {
      log[error instanceof BaseError ? 'warn' : 'error']('wallet.not_settled', { label, hash, error });
    }
    // A closed operation is never found again: waiting for it would never end.
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

  /** Simulates the inner call. An operation whose call fails is still mined and paid for. */
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
      // An EntryPoint error about the operation is not the contract's error about the call.
      return carried.outcome === 'would_revert' ? notCarried(label, carried) : carried;
    }
    // Whatever happened to the carrier, the nonce decides the outcome of the operation.
    const isMined = carried.outcome === 'confirmed' || carried.outcome === 'reverted';
    const sent = await included(clock() + (isMined ? nodeSeconds : 0n));
    if (sent !== undefined) return sent;
    log.warn('wallet.not_carried', { label, hash, carried: carried.outcome });
    return settleOpen();
  }

  /** The bundler may have an operation even if its client failed. */
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

  /** Submits it with our own key and records the transaction. */
  async function carry(operation: Operation, label: string): Promise<Sent> {
    // The account refunds whoever carries it.
    const carried = await ourKeys.sendBy((carrier) => entryPoint.handOver(operation, carrier, label));
    if ('hash' in carried && open !== undefined) open = { ...open, carriers: [...open.carriers, carried.hash] };
    return carried;
  }

  /** Polls until that time for what used the nonce. Undefined if nothing has or the node does not answer. */
  async function included(until: bigint): Promise<Sent | undefined> {
    for (let looks = 0; open !== undefined; ) {
      const mine = open;
      let isUsed = false;
      try {
        const block = await client.getBlockNumber();
        // Read at the newest block, which even a pruned node has.
        isUsed = (await entryPoint.nonce(account.address, key)) > mine.operation.nonce;
        if (!isUsed) open = { ...mine, unusedAt: block };
      } catch (error) {
        log.debug('wallet.not_read', { error });
      }
      if (isUsed) {
        looks += 1;
        const inclusion = await whatUsed(mine);
        if (typeof inclusion === 'object') return close(mine, inclusion);
        if (inclusion === 'forgotten' || looks >= maxReads) return closeUntold(mine);
      } else if (clock() >= until) return undefined;
      await sleep(pollMs);
    }
    return undefined;
  }

  /** Searches the receipts the node still has. `forgotten`: none shows it, and none will. `not_yet`: one may soon. */
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
   * Outcome of the open operation, which is cancelled if its nonce is still free; undefined while unknown. Resubmitting
   * it would also never execute twice, but a verdict could then act long after it was reached.
   */
  async function settleOpen(): Promise<Sent | undefined> {
    const late = await included(clock());
    if (late !== undefined || open === undefined) return late;
    const { operation, hash, label } = open;
    // Throws if the node does not answer: then the outcome is unknown and nothing is cancelled.
    if ((await entryPoint.nonce(account.address, key)) > operation.nonce) return included(clock());
    const nothing = await cancellation(open);
    if (nothing === undefined) return undefined;
    open = { ...open, maxWei: largest([open.maxWei, maxWei(nothing)]) };
    log.warn('wallet.cancelling', { label, hash });
    await carry(nothing, `cancel ${label}`);
    return included(clock() + nodeSeconds);
  }

  /** A no-op operation with the same nonce. */
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

/** Outcomes of a carrier after which nobody else has seen the operation. */
const neverSeen: ReadonlySet<Sent['outcome']> = new Set(['would_revert', 'not_allowed', 'not_sent']);
