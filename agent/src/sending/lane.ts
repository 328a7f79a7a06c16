import { faultOf } from '@bowline/chain/errors';
import type { Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import type { Call, OpenOperation, Sender, Sent } from '@bowline/core/domain/sending';
import { sleep } from '@bowline/core/domain/sleep';
import type { Clock, Timers } from '@bowline/core/domain/time';
import { type Address, type Hex, largest } from '@bowline/core/domain/units';
import {
  type Effect,
  type Event,
  hashOf,
  maxWeiOf,
  newOperation,
  type Operation,
  type Payload,
  step,
  type Terms,
} from './operation.ts';
import type { GasDay } from './signing-policy.ts';

/** What a lane keeps reading. */
interface LaneFacts {
  readonly chainId: number;
  /** Next unused nonce in the newest block. */
  readonly used: bigint;
  /** The same, counting what waits in the node. */
  readonly pending: bigint;
  readonly gasPriceWei: bigint;
  /** What the payer holds. */
  readonly fundsWei: bigint;
}

/** Something that may be signed. */
interface Draft<P extends Payload> {
  readonly maxWei: bigint;
  /** Of the gas day; undefined for calls without a bound of their own. */
  readonly kind: string | undefined;
  /** The rule that forbids it; undefined if none does. */
  rule(paidTodayWei: bigint, heldWei: bigint, spentOnKindWei: bigint): string | undefined;
  /** Why it would fail; undefined if it would not. Throws viem's errors if the node does not answer. */
  simulate(): Promise<Sent | undefined>;
  sign(): Promise<P>;
}

/** What used a nonce, by a receipt. */
export interface Found {
  readonly sent: Sent;
  readonly paidWei: bigint;
  readonly by: Hex;
}

/** One sequence of nonces: of a plain key, or of an ERC-4337 account. All reads throw viem's errors. */
export interface NonceSequence<P extends Payload> {
  readonly name: string;
  /** The acting account. */
  readonly address: Address;
  read(): Promise<LaneFacts>;
  terms(call: Call | undefined): Omit<Terms, 'actsUntil'>;
  /** @param call undefined: nothing, which only uses up the nonce. */
  draft(call: Call | undefined, nonce: bigint, gasPriceWei: bigint, facts: LaneFacts): Draft<P>;
  /** `taken`: a node says that it has it. `unknown`: one may. Otherwise nobody has it, and this is what to report of it. */
  submit(payload: P, call: Call | undefined): Promise<'taken' | 'unknown' | Sent>;
  /** Submits what was mined in a block that seems to be undone. */
  submitAgain(payload: P, call: Call | undefined): Promise<unknown>;
  /** @param blocks the nonce was unused in `after` and is used in `upTo`. */
  find(payloads: readonly P[], nonce: bigint, blocks: Blocks): Promise<Found | undefined>;
}

export interface Blocks {
  readonly after: bigint;
  readonly upTo: bigint;
}

export interface LaneOptions {
  readonly gasDay: GasDay;
  readonly heads: Heads;
  readonly log: Log;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Seconds until a call that may not act late is cancelled; twice as long until a foreign nonce is freed. */
  readonly receiptSeconds: bigint;
  /** Maximum number of open nonces. */
  readonly maxOpen: number;
  /** Milliseconds for which facts are good while nothing is open. */
  readonly maxAgeMs: number;
  /** Milliseconds between two looks at what is open while no block comes. */
  readonly lookMs: number;
}

/** A sender with nonces of its own. */
export interface Lane extends Sender {
  /** Number of calls whose outcome is not final, signed or not. */
  underWay(): number;
  /** Whether its next nonce is not free, as last read: nothing is signed until it is. */
  isHeld(): boolean;
  /** Whether somebody else has used a nonce of it within the last ten minutes. */
  isShared(): boolean;
  /** Whether the nonce of this call, which was sent and has no outcome, is unused in the newest block. Never rejects. */
  isOpen(call: Call): Promise<boolean>;
  open(): readonly OpenOperation[];
  /** Signs nothing more, and answers everything open with `unknown`. */
  stop(): void;
}

interface Flight<P extends Payload> {
  readonly call: Call | undefined;
  readonly nonce: bigint;
  readonly since: number;
  operation: Operation<P>;
  unusedAt: bigint;
  isFinding: boolean;
  found: Found | undefined;
  /** The rule that keeps it from being cancelled. */
  told: string | undefined;
  readonly report: (sent: Sent) => void;
}

/** How long a node may report fewer of our nonces than we know, or a nonce may be missing, before it is believed. */
const behindSeconds = 60n;
/** Nonces whose payloads are kept in case their block is undone. */
const maxPast = 32n;
/** How long somebody else's nonce is told of. What an earlier process has left open is over after `behindSeconds`. */
const sharedSeconds = 600n;
/** Maximum of foreign nonces freed at a time. */
const maxStuck = 16n;

const notSent: Sent = { outcome: 'not_sent' };

/**
 * Runs the operations of one nonce sequence: build → signing policy → simulation of the same bytes → signature →
 * `step`, whose events come from the blocks and whose effects go to the nodes. Several nonces may be open. What the
 * policy and the nonce depend on is kept fresh, so that only the simulation lies between a call and the wire.
 */
export function createLane<P extends Payload>(nonces: NonceSequence<P>, options: LaneOptions): Lane {
  const { gasDay, heads, log, clock, timers, receiptSeconds, maxOpen, maxAgeMs, lookMs } = options;
  const lane = nonces.name;
  const flights = new Map<bigint, Flight<P>>();
  /** Nonces that are being signed for. */
  const reserved = new Set<bigint>();
  /** Number of calls that are being simulated. */
  let preparing = 0;
  /** Calls under way, by target and calldata: the same bytes are never open twice. */
  const underWay = new Map<string, Promise<Sent>>();
  let facts: LaneFacts | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  /** Next nonce by the blocks this process has seen. */
  let seen = 0n;
  /** What used the last nonces. */
  const past = new Map<bigint, Pick<Flight<P>, 'call' | 'operation'> & { readonly payload: P }>();
  let behindSince: bigint | undefined;
  const startedAt = clock();
  let foreignAt: bigint | undefined;
  let held: Held | undefined;
  let refused: Held | undefined;
  let isStopped = false;
  let cancelLook = () => {};
  let waiting: (() => void)[] = [];

  const isFlying = ({ operation: { phase } }: Flight<P>): boolean => phase !== 'used' && phase !== 'reported';
  const flying = () => [...flights.values()].filter(isFlying);
  const isBehind = ({ used }: LaneFacts): boolean => used < seen;

  /** Reads the facts and tells every operation whether its nonce is used. One at a time; throws viem's errors. */
  function look(): Promise<void> {
    reading ??= readFacts().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function readFacts(): Promise<void> {
    // What is signed meanwhile is not in this reading.
    const before = [...flights.values()];
    const block = heads.newest()?.number ?? 0n;
    const read = await nonces.read();
    noteForeign(read);
    [facts, readAt] = [read, timers.now()];
    believe(read);
    for (const nonce of past.keys()) if (nonce >= read.used && nonce < seen) submitAgain(nonce);
    const now = clock();
    for (const flight of before) {
      if (flight.nonce < read.used) {
        // A search that is under way may still tell what used it.
        if (!flight.isFinding) post(flight, { type: 'used', now });
      } else {
        flight.unusedAt = block;
        const isNext = flight.nonce === read.used && !isBehind(read);
        post(flight, { type: 'unused', now, block, isNext, offeredWei: read.gasPriceWei });
      }
    }
  }

  /** Whether a nonce is used that this process neither signed for nor saw used before. */
  function noteForeign({ used }: LaneFacts): void {
    const isOurs = used <= largest([seen, ...[...flights.keys(), ...reserved].map((nonce) => nonce + 1n)]);
    if (facts === undefined || isOurs || past.has(used - 1n) || clock() - startedAt < behindSeconds) return;
    if (foreignAt === undefined) log.warn('sender.key_shared', { lane, nonce: used - 1n });
    foreignAt = clock();
  }

  /** A node may lag. A block may also have been undone, and then the chain's state wins. */
  function believe({ used }: LaneFacts): void {
    const first = smallestOf([...flights.keys(), ...reserved]);
    if (used >= seen && (first === undefined || first <= used)) {
      [seen, behindSince] = [used, undefined];
      return;
    }
    behindSince ??= clock();
    if (clock() - behindSince < behindSeconds) return;
    log.error('sender.block_undone', { lane, cursor: seen, mined: used });
    [seen, behindSince] = [used, undefined];
    if (first === undefined) return;
    if (first > used + maxStuck) {
      // A node had counted wrongly: these nonces will not come.
      for (const flight of flying()) end(flight, notSent);
      return;
    }
    // Later nonces wait for these.
    for (let nonce = used; nonce < first; nonce++) void free(nonce);
  }

  /** What was in an undone block may be in no pool any more, and later nonces wait for it. */
  function submitAgain(nonce: bigint): void {
    const { payload, call, operation } = past.get(nonce) ?? {};
    const { actsUntil } = operation?.terms ?? {};
    const isLate = payload?.does === 'act' && actsUntil !== undefined && clock() >= actsUntil;
    if (payload === undefined || isLate) return;
    nonces
      .submitAgain(payload, call)
      .catch((error: unknown) => log.debug('sender.not_submitted_again', { lane, nonce, error }));
  }

  function arm(): void {
    cancelLook();
    if (isStopped || flights.size === 0) return;
    cancelLook = timers.after(lookMs, lookAgain);
  }

  function lookAgain(): void {
    if (isStopped) return;
    void look()
      .catch((error: unknown) => log.debug('sender.not_read', { lane, error }))
      .finally(arm);
  }

  const stopListening = heads.onHead(() => {
    if (flights.size > 0 || timers.now() - readAt > maxAgeMs / 2) lookAgain();
  });

  function post(flight: Flight<P>, event: Event<P>): void {
    const { phase } = flight.operation;
    const [operation, effects] = step(flight.operation, event);
    flight.operation = operation;
    if (operation.phase === 'used' && phase !== 'used') wake();
    for (const effect of effects) perform(flight, effect);
  }

  function perform(flight: Flight<P>, effect: Effect<P>): void {
    const { label } = named(flight);
    const failed = (error: unknown) => log.error('sender.failed', { lane, label, do: effect.do, error });
    if (effect.do === 'submit') void submit(flight, effect.payload);
    else if (effect.do === 'sign') void sign(flight, effect).catch(failed);
    else if (effect.do === 'find') void find(flight);
    else end(flight, effect.sent);
  }

  async function submit(flight: Flight<P>, payload: P): Promise<void> {
    let answer: 'taken' | 'unknown' | Sent = 'unknown';
    try {
      answer = await nonces.submit(payload, flight.call);
    } catch (error) {
      log.warn('sender.broadcast_failed', { lane, hash: payload.hash, error });
    }
    if (answer === 'taken') return post(flight, { type: 'taken', hash: payload.hash });
    if (answer === 'unknown') return post(flight, { type: 'unanswered' });
    // What is pending offers more than the maximum, and may be mined.
    const isMost = payload.does === 'cancel' && payload.gasPriceWei === flight.operation.terms.maxGasPriceWei.cancel;
    if (isMost) tell(flight, 'gas_price');
    const isLast = [...flights.keys(), ...reserved].every((nonce) => nonce <= flight.nonce);
    post(flight, { type: 'refused', hash: payload.hash, isLast, sent: answer });
  }

  async function sign(flight: Flight<P>, { does, gasPriceWei }: Extract<Effect, { do: 'sign' }>): Promise<void> {
    if (facts === undefined || isStopped) return;
    const { nonce } = flight;
    const draft = nonces.draft(does === 'act' ? flight.call : undefined, nonce, gasPriceWei, facts);
    const rule = draft.rule(gasDay.paidWei(), gasDay.heldWei(flight), gasDay.spentOnKindWei(draft.kind, flight));
    if (rule !== undefined) {
      if (does === 'cancel') tell(flight, rule);
      if (flight.operation.payloads.length === 0) end(flight, notSent);
      return;
    }
    gasDay.hold(flight, largest([maxWeiOf(flight.operation), draft.maxWei]));
    const payload = await draft.sign();
    const event = does === 'act' ? 'sender.bumping' : 'sender.cancelling';
    const isFirst = !flight.operation.payloads.some((each) => each.does === 'cancel');
    log[isFirst ? 'warn' : 'debug'](event, { ...named(flight), by: payload.hash, gasPrice: gasPriceWei });
    post(flight, { type: 'signed', payload });
  }

  /** Once: it is tried again at every block. */
  function tell(flight: Flight<P>, rule: string): void {
    if (flight.told !== rule) log.error('sender.not_cancelled', { ...named(flight), rule });
    flight.told = rule;
  }

  async function find(flight: Flight<P>): Promise<void> {
    if (flight.isFinding) return;
    flight.isFinding = true;
    try {
      const blocks = { after: flight.unusedAt, upTo: heads.newest()?.number ?? flight.unusedAt };
      const found = await nonces.find(flight.operation.payloads, flight.nonce, blocks);
      if (found === undefined) return;
      flight.found = found;
      post(flight, { type: 'found', sent: found.sent });
    } catch (error) {
      log.debug('sender.not_read', { ...named(flight), error });
    } finally {
      flight.isFinding = false;
    }
  }

  function end(flight: Flight<P>, sent: Sent): void {
    const { nonce, operation, found } = flight;
    flight.operation = { ...operation, phase: 'reported' };
    flights.delete(nonce);
    const isUsed = found !== undefined || sent.outcome === 'consumed';
    gasDay.settle(flight, found?.paidWei ?? (isUsed ? maxWeiOf(operation) : 0n));
    if (isUsed) {
      seen = largest([seen, nonce + 1n]);
      const payload = operation.payloads.find(({ hash }) => hash === found?.by) ?? operation.payloads.at(-1);
      if (payload !== undefined) past.set(nonce, { payload, call: flight.call, operation });
      past.delete(nonce - maxPast);
    }
    const isPlain = sent.outcome === 'confirmed' || sent.outcome === 'reverted';
    const isForeign = flight.call === undefined && sent.outcome === 'consumed';
    const outcome = isForeign ? 'another_in_its_place' : sent.outcome;
    if (isUsed) log[isPlain ? 'debug' : 'warn']('sender.reconciled', { ...named(flight), outcome, by: found?.by });
    flight.report(sent);
  }

  const named = ({ nonce, call, operation }: Flight<P>) => ({
    lane,
    nonce,
    ...(call && { label: call.label, hash: hashOf(operation) }),
  });

  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const each of woken) each();
  };
  const anyChange = () => new Promise<void>((resolve) => void waiting.push(resolve));

  /** Uses up a nonce that holds up the others. */
  function free(nonce: bigint): Promise<Sent> {
    return new Promise((resolve) => {
      if (flights.has(nonce)) return resolve(notSent);
      fly(undefined, nonce, undefined, resolve);
    });
  }

  function fly(call: Call | undefined, nonce: bigint, payload: P | undefined, report: (sent: Sent) => void): Flight<P> {
    const actsUntil = call === undefined || call.mayActLate ? {} : { actsUntil: clock() + receiptSeconds };
    const block = heads.newest()?.number ?? 0n;
    const operation = newOperation({ ...nonces.terms(call), ...actsUntil }, { now: clock(), block }, payload);
    const since = timers.now();
    const flight = {
      call,
      nonce,
      since,
      operation,
      unusedAt: block,
      isFinding: false,
      found: undefined,
      told: undefined,
      report,
    };
    flights.set(nonce, flight);
    arm();
    return flight;
  }

  async function attempt(call: Call): Promise<Sent> {
    // What was simulated before it had to wait is simulated again.
    let isFresh = call.isSimulated === true;
    const isFull = () => flying().length + reserved.size + preparing >= maxOpen;
    for (; isFull() && !isStopped; isFresh = false) await anyChange();
    preparing += 1;
    const failure = await whyNot(call, isFresh);
    preparing -= 1;
    // The simulation took a while: another call may have the nonce by now, or the day's gas.
    const ready = failure ?? prepare(call);
    if (ready === 'wait' || isStopped) return notSent;
    return 'outcome' in ready ? ready : signed(call, ready);
  }

  /** Why the call is not signed: by the policy, the nonces or the simulation. */
  async function whyNot(call: Call, isFresh: boolean): Promise<Sent | undefined> {
    try {
      const now = await preparation(call, timers.now() - readAt > maxAgeMs);
      if (isStopped) return notSent;
      if ('outcome' in now) return now;
      return isFresh ? undefined : await now.draft.simulate();
    } catch (error) {
      log[faultOf(error) === 'ours' ? 'error' : 'warn']('sender.not_sent', { lane, label: call.label, error });
      return notSent;
    }
  }

  async function signed(call: Call, { nonce, draft }: Prepared<P>): Promise<Sent> {
    reserved.add(nonce);
    // Until the flight holds it.
    const holder = {};
    gasDay.hold(holder, draft.maxWei, draft.kind);
    let payload: P;
    try {
      payload = await draft.sign();
    } catch (error) {
      log.error('sender.not_sent', { lane, label: call.label, error });
      return notSent;
    } finally {
      reserved.delete(nonce);
      gasDay.settle(holder, 0n);
    }
    const sent = await new Promise<Sent>((resolve) => {
      const flight = fly(call, nonce, payload, resolve);
      gasDay.hold(flight, payload.maxWei, draft.kind);
      if (isStopped) end(flight, notSent);
      else perform(flight, { do: 'submit', payload });
    });
    if (sent.outcome === 'not_sent') {
      // The node's count may be outdated, or something holds the nonce.
      readAt = Number.NEGATIVE_INFINITY;
      refused = heldFrom(refused, nonce);
      if (isStuck(refused)) {
        refused = heldFrom(undefined, nonce);
        void freeAll([nonce]);
      }
    }
    return sent;
  }

  /** The call as it would be signed now, from what is known. What was read a moment ago never refuses it. */
  async function preparation(call: Call, isOld: boolean): Promise<Prepared<P> | Sent> {
    if (!isOld) {
      const known = prepare(call);
      if (known !== 'wait' && !('outcome' in known)) return known;
    }
    await look();
    if (facts === undefined) return notSent;
    await waitForNonce(facts);
    const prepared = prepare(call);
    return prepared === 'wait' ? notSent : prepared;
  }

  function prepare(call: Call): Prepared<P> | Sent | 'wait' {
    if (facts === undefined) return 'wait';
    if (isHeld(facts)) return 'wait';
    const nonce = nextNonce(facts);
    const draft = nonces.draft(call, nonce, facts.gasPriceWei, facts);
    const rule = draft.rule(gasDay.paidWei(), gasDay.heldWei(), gasDay.spentOnKindWei(draft.kind));
    if (rule === undefined) return { nonce, draft };
    if (rule !== 'gas_price') return { outcome: 'not_allowed', rule };
    const price = { askedWei: facts.gasPriceWei, maxWei: nonces.terms(call).maxGasPriceWei.act };
    return { outcome: 'not_allowed', rule, price };
  }

  const nextNonce = ({ used }: LaneFacts): bigint =>
    largest([used, ...[...flights.keys(), ...reserved].map((nonce) => nonce + 1n)]);

  const isHeld = (read: LaneFacts): boolean => isBehind(read) || read.pending > nextNonce(read);

  /** Logs why the next nonce is not free, and frees it if somebody else's transaction has held it for too long. */
  async function waitForNonce(read: LaneFacts): Promise<void> {
    if (isBehind(read)) return log.warn('sender.node_behind', { lane, cursor: seen, mined: read.used });
    const next = nextNonce(read);
    if (read.pending <= next) {
      held = undefined;
      return;
    }
    const before = held;
    held = heldFrom(held, next);
    if (held !== before) return log.warn('sender.in_flight', { lane, mined: read.used, known: read.pending });
    if (!isStuck(held)) return;
    // What offers more than the maximum is bid against once a minute, and not by every call.
    held = heldFrom(undefined, next);
    const count = Number(read.pending - next > maxStuck ? maxStuck : read.pending - next);
    await freeAll(Array.from({ length: count }, (_, at) => next + BigInt(at)));
  }

  async function freeAll(stuck: readonly bigint[]): Promise<void> {
    log.warn('sender.stuck', { lane, nonces: stuck, seconds: 2n * receiptSeconds });
    const freed = Promise.all(stuck.map(free));
    lookAgain();
    await Promise.race([freed, sleep(timers, Number(receiptSeconds) * 1000)]);
    await look().catch((error: unknown) => log.debug('sender.not_read', { lane, error }));
  }

  const heldFrom = (before: Held | undefined, nonce: bigint): Held =>
    before?.nonce === nonce ? before : { nonce, since: clock() };
  const isStuck = ({ since }: Held): boolean => clock() - since >= 2n * receiptSeconds;

  async function send(call: Call): Promise<Sent> {
    const bytes = `${call.to} ${call.data}`.toLowerCase();
    for (let same = underWay.get(bytes); same !== undefined; same = underWay.get(bytes)) await same;
    if (isStopped) return notSent;
    const sending = attempt(call).finally(() => {
      underWay.delete(bytes);
      wake();
    });
    underWay.set(bytes, sending);
    return sending;
  }

  return {
    address: nonces.address,
    send,
    underWay: () => underWay.size,
    isHeld: () => facts !== undefined && isHeld(facts),
    isShared: () => foreignAt !== undefined && clock() - foreignAt < sharedSeconds,
    async isOpen(call) {
      await look().catch((error: unknown) => log.debug('sender.not_read', { lane, error }));
      const flight = [...flights.values()].find((each) => each.call === call);
      // Without one, it still waits to be signed.
      return flight === undefined || isFlying(flight);
    },
    open: () =>
      [...flights.values()].map(({ call, operation, since }) => ({
        lane,
        label: call?.label ?? 'free a nonce',
        hash: hashOf(operation),
        openMs: timers.now() - since,
      })),
    stop() {
      isStopped = true;
      stopListening();
      cancelLook();
      for (const flight of [...flights.values()]) {
        const { operation, call } = flight;
        const becomes = operation.isCancelled ? 'cancelled_or_mined' : 'mined_or_freed_by_the_next_process';
        log.warn('sender.left_open', { ...named(flight), becomes, mayActLate: call?.mayActLate === true });
        post(flight, { type: 'stop' });
      }
      wake();
    },
  };
}

interface Prepared<P extends Payload> {
  readonly nonce: bigint;
  readonly draft: Draft<P>;
}

interface Held {
  readonly nonce: bigint;
  readonly since: bigint;
}

const smallestOf = (values: readonly bigint[]): bigint | undefined =>
  values.length === 0 ? undefined : values.reduce((min, value) => (value < min ? value : min));
