import type { ChainClient } from '@bowline/chain/chain-client';
import { contractErrorName } from '@bowline/chain/contract-error';
import { faultOf, isAnswer, refusalOf } from '@bowline/chain/errors';
import type { Call, OpenOperation, Sender, Sent } from '@bowline/core/domain/sending';
import { sleep } from '@bowline/core/domain/sleep';
import { type Address, largest, smallest } from '@bowline/core/domain/units';
import pLimit, { type LimitFunction } from 'p-limit';
import { InFlight } from './in-flight.ts';
import { type Cursor, type Effect, type Event, maxOpenNonces, step } from './nonce-cursor.ts';
import type { Draft, NonceFacts, NonceSequence, QueueOptions } from './nonce-sequence.ts';
import type { Payload } from './operation.ts';

/** A sender with nonces of its own. */
export type NonceQueue = Sender & Pick<Queue<Payload>, 'underWay' | 'isHeld' | 'isShared' | 'isOpen' | 'open' | 'stop'>;

/** Nonces whose payloads are kept in case their block is undone. */
const maxPast = 2n * BigInt(maxOpenNonces);
/** How long a foreign nonce is reported. */
const sharedSeconds = 600n;
/** After this time, nonces left open by an earlier process are freed. */
const leftOpenSeconds = 60n;

const notSent: Sent = { outcome: 'not_sent' };

/**
 * Sends the calls of one nonce sequence: build → signing policy → simulation of the same bytes → signature → operation in flight.
 * Several nonces may be open. The inputs of policy and nonce are read ahead, so that a call waits for its simulation only.
 */
export const createNonceQueue = <P extends Payload>(nonces: NonceSequence<P>, options: QueueOptions): NonceQueue =>
  new Queue(nonces, options);

class Queue<P extends Payload> {
  readonly address: Address;
  readonly nonces: NonceSequence<P>;
  readonly options: QueueOptions;
  readonly #looks: Looks;
  readonly #slots: LimitFunction;
  readonly #inFlight = new Set<InFlight<P>>();
  /** What used the last nonces. */
  readonly #past = new Map<bigint, InFlight<P>>();
  /** Calls under way, by target and calldata: the same bytes are never open twice. */
  readonly #underWay = new Map<string, Promise<Sent>>();
  readonly #startedAt: bigint;
  #foreignAt: bigint | undefined;
  #facts: NonceFacts | undefined;
  #cursor: Cursor;

  constructor(nonces: NonceSequence<P>, options: QueueOptions) {
    [this.address, this.nonces, this.options] = [nonces.address, nonces, options];
    this.#startedAt = options.clock();
    this.#cursor = { seen: 0n, stuckSeconds: 2n * options.receiptSeconds };
    this.#looks = new Looks(nonces.name, options, {
      read: () => this.#read(),
      isNeeded: () => this.#inFlight.size > 0,
    });
    this.#slots = pLimit(options.maxOpen);
  }

  /** Number of calls whose outcome is not final, signed or not. */
  underWay(): number {
    return this.#underWay.size;
  }

  /** Whether its next nonce is not free, as last read: nothing is signed until it is. */
  isHeld(): boolean {
    const facts = this.#facts;
    const isFreeing = [...this.#inFlight].filter(({ call }) => call === undefined).length >= this.options.maxOpen;
    return facts !== undefined && (isFreeing || this.#isBehind(facts) || facts.pending > this.#next(facts));
  }

  /** Whether somebody else has used a nonce of it within the last ten minutes. */
  isShared(): boolean {
    return this.#foreignAt !== undefined && this.options.clock() - this.#foreignAt < sharedSeconds;
  }

  /** Whether the nonce of this call, which was sent and has no outcome, is unused in the newest block. Never rejects. */
  async isOpen(call: Call): Promise<boolean> {
    await this.#looks.refresh();
    const operation = [...this.#inFlight].find((each) => each.call === call);
    // Without one, it still waits to be signed.
    return operation === undefined || operation.isPending();
  }

  open(): readonly OpenOperation[] {
    return [...this.#inFlight].flatMap((operation) => operation.open() ?? []);
  }

  #signed(): readonly InFlight<P>[] {
    return [...this.#inFlight].filter((operation) => operation.open() !== undefined);
  }

  /** Signs nothing more, and answers everything open with `unknown`. */
  stop(): void {
    this.#looks.stop();
    for (const operation of this.#inFlight) operation.leave();
  }

  /** Reads ahead what a call will need, so that the call does not wait for it. */
  prepare(): void {
    if (this.#looks.isOld(this.options.maxAgeMs / 2)) this.#looks.again();
  }

  async send(call: Call): Promise<Sent> {
    const bytes = `${call.to} ${call.data}`.toLowerCase();
    const underWay = this.#underWay;
    for (let same = underWay.get(bytes); same !== undefined; same = underWay.get(bytes)) await same;
    if (this.#looks.isStopped) return notSent;
    // A call that had to wait after its simulation is simulated again.
    const isFresh =
      call.isDoubtful === true || (call.isSimulated === true && this.#slots.activeCount < this.options.maxOpen);
    const sending = new Promise<Sent>((report) => void this.#slots(() => this.#attempt(call, isFresh, report)));
    underWay.set(bytes, sending);
    return sending.finally(() => underWay.delete(bytes));
  }

  /** Resolves when another call may have its place. */
  async #attempt(call: Call, isFresh: boolean, report: (sent: Sent) => void): Promise<void> {
    const failure = await this.#whyNot(call, isFresh);
    // The simulation took a while: another call may have the nonce by now, or the day's gas.
    const ready = failure ?? this.#prepare(call);
    if ('outcome' in ready) return report(ready);
    const { draft, nonce } = ready;
    const operation = this.#start(call, nonce, report);
    this.options.gasDay.hold(operation, draft.maxWei, draft.kind);
    const payload = await draft.sign().catch((error: unknown) => this.#failed(call, error, 'error'));
    if (payload === undefined || this.#looks.isStopped) operation.end(notSent);
    else operation.begin(payload);
    await operation.settled;
  }

  /** Why the call is not signed: by the policy, the nonces or the simulation. */
  async #whyNot(call: Call, isFresh: boolean): Promise<Sent | undefined> {
    if (this.#looks.isStopped) return notSent;
    try {
      if (this.#looks.isOld()) await this.#want(this.#looks.read());
      let ready = this.#prepare(call);
      // Facts that were read earlier never refuse the call.
      if ('outcome' in ready) {
        await this.#want(this.#looks.readAnew());
        ready = this.#prepare(call);
      }
      if ('outcome' in ready) return ready;
      return isFresh ? undefined : await ready.draft.simulate();
    } catch (error) {
      this.#failed(call, error, faultOf(error) === 'ours' ? 'error' : 'warn');
      return notSent;
    }
  }

  /** Asks for a nonce, based on this reading. */
  async #want(reading: Promise<void>): Promise<void> {
    await reading;
    if (this.#facts !== undefined) await this.#post({ type: 'wanted', ...this.#facts, next: this.#next(this.#facts) });
  }

  #failed({ label }: Call, error: unknown, level: 'error' | 'warn'): undefined {
    this.options.log[level]('sender.not_sent', { queue: this.nonces.name, label, error });
  }

  /** The call as it would be signed now, from the current facts. */
  #prepare(call: Call): Prepared<P> | Sent {
    const facts = this.facts();
    if (facts === undefined || this.isHeld()) return notSent;
    const { gasDay } = this.options;
    const nonce = this.#next(facts);
    const draft = this.nonces.draft(call, nonce, facts.gasPriceWei, facts);
    const rule = draft.rule(gasDay.paidWei(), gasDay.heldWei(), gasDay.spentOnKindWei(draft.kind));
    if (rule === undefined) return { nonce, draft };
    if (rule !== 'gas_price' && rule !== 'not_worth_gas') return { outcome: 'not_allowed', rule };
    const price = { askedWei: facts.gasPriceWei, maxWei: this.nonces.terms(call).maxGasPriceWei.act };
    return { outcome: 'not_allowed', rule, price };
  }

  #start(call: Call | undefined, nonce: bigint, report: (sent: Sent) => void): InFlight<P> {
    const operation = new InFlight<P>(this, call, nonce, report);
    this.#inFlight.add(operation);
    this.#looks.arm();
    return operation;
  }

  async #read(): Promise<void> {
    // What is signed meanwhile is not in this reading.
    const before = this.#signed();
    const block = this.options.heads.newest()?.number ?? 0n;
    const facts = await this.nonces.read();
    this.#noteForeign(facts);
    this.#facts = facts;
    this.#looks.done();
    const { used } = facts;
    const nonces = [...this.#inFlight].map(({ nonce }) => nonce);
    void this.#post({ type: 'read', used, first: nonces.length > 0 ? smallest(nonces) : undefined });
    for (const [nonce, past] of this.#past) if (nonce >= used && nonce < this.#cursor.seen) past.submitAgain();
    for (const operation of before) operation.look(facts, block, this.#isBehind(facts));
  }

  /** Notes if a nonce is used that this process neither signed for nor saw used before. */
  #noteForeign({ used }: NonceFacts): void {
    const { clock, log } = this.options;
    const isOurs = used <= largest([this.#cursor.seen, ...[...this.#inFlight].map(({ nonce }) => nonce + 1n)]);
    if (this.#facts === undefined || isOurs || this.#past.has(used - 1n)) return;
    if (clock() - this.#startedAt < leftOpenSeconds) return;
    if (this.#foreignAt === undefined) log.warn('sender.key_shared', { queue: this.nonces.name, nonce: used - 1n });
    this.#foreignAt = clock();
  }

  #isBehind({ used }: NonceFacts): boolean {
    return used < this.#cursor.seen;
  }

  #next({ used }: NonceFacts): bigint {
    return largest([used, ...[...this.#inFlight].map(({ nonce }) => nonce + 1n)]);
  }

  /** Resolves when the nonces to be freed are free, or after a timeout; never rejects. */
  async #post(event: Event): Promise<void> {
    const [cursor, effects] = step(this.#cursor, event, this.options.clock());
    this.#cursor = cursor;
    await Promise.all(effects.map((effect) => this.#perform(effect)));
  }

  #perform(effect: Effect): Promise<void> | undefined {
    if (effect.do === 'free') return this.#free(effect.nonces);
    if (effect.do === 'log')
      this.options.log[effect.level](effect.event, { queue: this.nonces.name, ...effect.fields });
    else for (const operation of this.#signed()) if (operation.isPending()) operation.end(notSent);
    return undefined;
  }

  async #free(nonces: readonly bigint[]): Promise<void> {
    const { timers, receiptSeconds } = this.options;
    const taken = [...this.#inFlight].map(({ nonce }) => nonce);
    const freed = nonces
      .filter((nonce) => !taken.includes(nonce))
      .map((nonce) => new Promise<Sent>((report) => this.#start(undefined, nonce, report).begin()));
    this.#looks.again();
    await Promise.race([Promise.all(freed), sleep(timers, Number(receiptSeconds) * 1000)]);
    await this.#looks.refresh();
  }

  facts(): NonceFacts | undefined {
    return this.#looks.isStopped ? undefined : this.#facts;
  }

  isLast(nonce: bigint): boolean {
    return [...this.#inFlight].every((other) => other.nonce <= nonce);
  }

  ended(operation: InFlight<P>, how: 'used' | 'refused' | 'over'): void {
    const { nonce } = operation;
    this.#inFlight.delete(operation);
    if (how === 'over') return;
    void this.#post({ type: how, nonce });
    if (how === 'used') this.#past.set(nonce, operation).delete(nonce - maxPast);
    // The node's count may be outdated, or something holds the nonce.
    else this.#looks.forget();
  }
}

interface Prepared<P extends Payload> {
  readonly nonce: bigint;
  readonly draft: Draft<P>;
}

/**
 * The node's objection to a call. Any answer about it, out of gas included, counts against this call: if it were blamed
 * on the node, one call crafted to fail would block all others. A rate limit is not such an answer.
 */
export async function simulated(
  client: ChainClient,
  call: Parameters<ChainClient['call']>[0],
): Promise<Sent | undefined> {
  try {
    await client.call(call);
    return undefined;
  } catch (error) {
    if (!isAnswer(error)) throw error;
    return { outcome: 'would_revert', error: contractErrorName(refusalOf(error)?.data) };
  }
}

/** Reads at every block while needed, and every `lookMs` if no block comes. */
class Looks {
  isStopped = false;
  readonly #queue: string;
  readonly #options: QueueOptions;
  readonly #of: { readonly read: () => Promise<void>; readonly isNeeded: () => boolean };
  readonly #stopListening: () => void;
  #reading: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #cancel = () => {};

  constructor(queue: string, options: QueueOptions, of: { read: () => Promise<void>; isNeeded: () => boolean }) {
    [this.#queue, this.#options, this.#of] = [queue, options, of];
    this.#stopListening = options.heads.onHead(() => {
      if (of.isNeeded() || this.isOld(options.idleMs)) this.again();
    });
  }

  isOld(maxAgeMs = this.#options.maxAgeMs): boolean {
    return this.#options.timers.now() - this.#readAt > maxAgeMs;
  }

  /** Something was read just now. */
  done(): void {
    this.#readAt = this.#options.timers.now();
  }

  /** What was read is outdated. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** One at a time; throws viem's errors. */
  read(): Promise<void> {
    this.#reading ??= this.#of.read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Like `read`, but never joins a read that is already running. */
  async readAnew(): Promise<void> {
    await this.#reading?.catch(() => {});
    await this.read();
  }

  async refresh(): Promise<void> {
    const { log } = this.#options;
    await this.read().catch((error: unknown) => log.debug('sender.not_read', { queue: this.#queue, error }));
  }

  again(): void {
    if (!this.isStopped) void this.refresh().finally(() => this.arm());
  }

  arm(): void {
    this.#cancel();
    if (this.isStopped || !this.#of.isNeeded()) return;
    this.#cancel = this.#options.timers.after(this.#options.lookMs, () => this.again());
  }

  stop(): void {
    this.isStopped = true;
    this.#stopListening();
    this.#cancel();
  }
}
