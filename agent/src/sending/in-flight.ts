import type { Call, OpenOperation, Sent } from '@bowline/core/domain/sending';
import { largest } from '@bowline/core/domain/units';
import type { Found, NonceFacts, NonceSequence, QueueOptions } from './nonce-sequence.ts';
import {
  type Effect,
  type Event,
  hashOf,
  maxWeiOf,
  newOperation,
  type Operation,
  type Payload,
  step,
} from './operation.ts';

/** The queue of an operation in flight. */
interface InFlightQueue<P extends Payload> {
  readonly nonces: NonceSequence<P>;
  readonly options: QueueOptions;
  /** As last read; undefined if nothing may be signed. */
  facts(): NonceFacts | undefined;
  /** Whether no later nonce depends on this one. */
  isLast(nonce: bigint): boolean;
  /** `used`: a block has used its nonce. `refused`: no node has what was signed. */
  ended(operation: InFlight<P>, how: 'used' | 'refused' | 'over'): void;
}

/** An operation in flight, which uses one nonce: performs the effects of `step` and reports the outcome once. */
export class InFlight<P extends Payload> {
  /** Absent if the nonce is to be freed, because somebody else's transaction holds it. */
  readonly call: Call | undefined;
  readonly nonce: bigint;
  /** Resolves when its nonce is used, so that another operation has room, or when it is over. */
  readonly settled: Promise<void>;
  readonly #queue: InFlightQueue<P>;
  readonly #report: (sent: Sent) => void;
  readonly #since: number;
  /** Absent while its first payload is being signed. */
  #operation: Operation<P> | undefined;
  #settle = () => {};
  #isFinding = false;
  #found: Found | undefined;
  /** The rule that keeps it from being cancelled, as last logged. */
  #told: string | undefined;

  constructor(queue: InFlightQueue<P>, call: Call | undefined, nonce: bigint, report: (sent: Sent) => void) {
    [this.#queue, this.call, this.nonce, this.#report] = [queue, call, nonce, report];
    this.#since = queue.options.timers.now();
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** @param payload absent if there is no call. */
  begin(payload?: P): void {
    const { nonces, options } = this.#queue;
    const now = options.clock();
    const actsUntil =
      this.call === undefined || this.call.mayActLate ? {} : { actsUntil: now + options.receiptSeconds };
    const block = options.heads.newest()?.number ?? 0n;
    this.#operation = newOperation({ ...nonces.terms(this.call), ...actsUntil }, { now, block }, payload);
    if (payload !== undefined) void this.#perform({ do: 'submit', payload });
  }

  /** Whether its nonce is still unused, as last read. */
  isPending(): boolean {
    return this.#operation === undefined || (this.#operation.phase !== 'used' && this.#operation.phase !== 'reported');
  }

  /** Undefined while nothing is signed. */
  open(): OpenOperation | undefined {
    const [operation, { nonces, options }] = [this.#operation, this.#queue];
    const label = this.call?.label ?? 'free a nonce';
    const openMs = options.timers.now() - this.#since;
    return operation && { queue: nonces.name, label, hash: hashOf(operation), openMs };
  }

  /** @param isBehind whether the node knows fewer blocks than this process. */
  look({ used, gasPriceWei: offeredWei }: NonceFacts, block: bigint, isBehind: boolean): void {
    const now = this.#queue.options.clock();
    const isNext = this.nonce === used && !isBehind;
    if (this.nonce >= used) this.#post({ type: 'unused', now, block, isNext, offeredWei });
    // A running search may still find what used it.
    else if (!this.#isFinding) this.#post({ type: 'used', now });
  }

  /** A payload from an undone block may no longer be in any pool, and later nonces wait for it. */
  submitAgain(): void {
    const { nonces, options } = this.#queue;
    const { payloads = [], terms } = this.#operation ?? {};
    const payload = payloads.find(({ hash }) => hash === this.#found?.by) ?? payloads.at(-1);
    const isLate = payload?.does === 'act' && terms?.actsUntil !== undefined && options.clock() >= terms.actsUntil;
    if (payload === undefined || isLate) return;
    nonces
      .submitAgain(payload, this.call)
      .catch((error: unknown) => options.log.debug('sender.not_submitted_again', { ...this.#named(), error }));
  }

  /** The process stops. */
  leave(): void {
    const becomes = this.#operation?.isCancelled ? 'cancelled_or_mined' : 'mined_or_freed_by_the_next_process';
    const fields = { ...this.#named(), becomes, mayActLate: this.call?.mayActLate === true };
    if (this.#operation !== undefined) this.#queue.options.log.warn('sender.left_open', fields);
    this.#post({ type: 'stop' });
  }

  end(sent: Sent): void {
    const { gasDay, log } = this.#queue.options;
    const [operation, found] = [this.#operation, this.#found];
    if (operation !== undefined) this.#operation = { ...operation, phase: 'reported' };
    const isUsed = found !== undefined || sent.outcome === 'consumed';
    gasDay.settle(this, found?.paidWei ?? (isUsed && operation ? maxWeiOf(operation) : 0n));
    const isPlain = sent.outcome === 'confirmed' || sent.outcome === 'reverted';
    const outcome = this.call === undefined && sent.outcome === 'consumed' ? 'another_in_its_place' : sent.outcome;
    if (isUsed) log[isPlain ? 'debug' : 'warn']('sender.reconciled', { ...this.#named(), outcome, by: found?.by });
    this.#settle();
    const isRefused = operation !== undefined && this.call !== undefined && sent.outcome === 'not_sent';
    this.#queue.ended(this, isUsed ? 'used' : isRefused ? 'refused' : 'over');
    this.#report(isPlain && found ? { ...sent, paidWei: found.paidWei } : sent);
  }

  #post(event: Event<P>): void {
    if (this.#operation === undefined) return;
    const [operation, effects] = step(this.#operation, event);
    this.#operation = operation;
    if (!this.isPending()) this.#settle();
    for (const effect of effects) void this.#perform(effect);
  }

  async #perform(effect: Effect<P>): Promise<void> {
    try {
      if (effect.do === 'submit') await this.#submit(effect.payload);
      else if (effect.do === 'sign') await this.#sign(effect);
      else if (effect.do === 'find') await this.#find();
      else this.end(effect.sent);
    } catch (error) {
      this.#queue.options.log.error('sender.failed', { ...this.#named(), do: effect.do, error });
    }
  }

  async #submit(payload: P): Promise<void> {
    const { nonces, options } = this.#queue;
    const { does, hash, gasPriceWei } = payload;
    const answer = await nonces.submit(payload, this.call).catch((error: unknown) => {
      options.log.warn('sender.broadcast_failed', { ...this.#named(), hash, error });
      return 'unknown' as const;
    });
    if (answer === 'taken') return this.#post({ type: 'taken', hash });
    if (answer === 'unknown') return this.#post({ type: 'unanswered' });
    // The pending transaction offers more than the maximum, and may be mined.
    const isMost = does === 'cancel' && gasPriceWei === this.#operation?.terms.maxGasPriceWei.cancel;
    if (isMost) this.#tell('gas_price');
    this.#post({ type: 'refused', hash, isLast: this.#queue.isLast(this.nonce), sent: answer });
  }

  async #sign({ does, gasPriceWei }: Extract<Effect, { do: 'sign' }>): Promise<void> {
    const [operation, facts] = [this.#operation, this.#queue.facts()];
    if (facts === undefined || operation === undefined) return;
    const { nonces, options } = this.#queue;
    const { gasDay, log } = options;
    const draft = nonces.draft(does === 'act' ? this.call : undefined, this.nonce, gasPriceWei, facts);
    const rule = draft.rule(gasDay.paidWei(), gasDay.heldWei(this), gasDay.spentOnKindWei(draft.kind, this));
    if (rule !== undefined) {
      if (does === 'cancel') this.#tell(rule);
      if (operation.payloads.length === 0) this.end({ outcome: 'not_sent' });
      return;
    }
    gasDay.hold(this, largest([maxWeiOf(operation), draft.maxWei]));
    const payload = await draft.sign();
    const event = does === 'act' ? 'sender.bumping' : 'sender.cancelling';
    const isFirst = !this.#operation?.payloads.some((each) => each.does === 'cancel');
    log[isFirst ? 'warn' : 'debug'](event, { ...this.#named(), by: payload.hash, gasPrice: gasPriceWei });
    this.#post({ type: 'signed', payload });
  }

  /** Logs a rule once: the cancellation is retried at every block. */
  #tell(rule: string): void {
    if (this.#told !== rule) this.#queue.options.log.error('sender.not_cancelled', { ...this.#named(), rule });
    this.#told = rule;
  }

  async #find(): Promise<void> {
    const { nonces, options } = this.#queue;
    const { payloads = [], block = 0n } = this.#operation ?? {};
    this.#isFinding = true;
    try {
      const blocks = { after: block, upTo: options.heads.newest()?.number ?? block };
      const found = await nonces.find(payloads, this.nonce, blocks);
      if (found === undefined || this.#operation?.phase !== 'used') return;
      this.#found = found;
      this.#post({ type: 'found', sent: found.sent });
    } catch (error) {
      options.log.debug('sender.not_read', { ...this.#named(), error });
    } finally {
      this.#isFinding = false;
    }
  }

  #named() {
    const { call, nonce } = this;
    const hash = this.#operation && hashOf(this.#operation);
    return { queue: this.#queue.nonces.name, nonce, ...(call && { label: call.label, hash }) };
  }
}
