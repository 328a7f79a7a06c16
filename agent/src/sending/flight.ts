import type { Call, OpenOperation, Sent } from '@bowline/core/domain/sending';
import { largest } from '@bowline/core/domain/units';
import type { Found, LaneFacts, LaneOptions, NonceSequence } from './nonce-sequence.ts';
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

/** The lane of a flight. */
interface FlightLane<P extends Payload> {
  readonly nonces: NonceSequence<P>;
  readonly options: LaneOptions;
  /** As last read; undefined if nothing may be signed. */
  facts(): LaneFacts | undefined;
  /** Whether no later nonce depends on this one. */
  isLast(nonce: bigint): boolean;
  /** `used`: a block has used its nonce. `refused`: nobody has what was signed. */
  ended(flight: Flight<P>, how: 'used' | 'refused' | 'over'): void;
}

/** One use of a nonce: carries out what `step` asks for, and reports the outcome once. */
export class Flight<P extends Payload> {
  /** Absent: somebody else's transaction holds the nonce, which is to be freed. */
  readonly call: Call | undefined;
  readonly nonce: bigint;
  /** Resolves when its nonce is used, so that another flight has room, or when it is over. */
  readonly landed: Promise<void>;
  readonly #lane: FlightLane<P>;
  readonly #report: (sent: Sent) => void;
  readonly #since: number;
  /** Absent while its first payload is being signed. */
  #operation: Operation<P> | undefined;
  #land = () => {};
  #isFinding = false;
  #found: Found | undefined;
  /** The rule that keeps it from being cancelled, as last logged. */
  #told: string | undefined;

  constructor(lane: FlightLane<P>, call: Call | undefined, nonce: bigint, report: (sent: Sent) => void) {
    [this.#lane, this.call, this.nonce, this.#report] = [lane, call, nonce, report];
    this.#since = lane.options.timers.now();
    this.landed = new Promise((resolve) => {
      this.#land = resolve;
    });
  }

  /** @param payload absent for a flight without a call. */
  begin(payload?: P): void {
    const { nonces, options } = this.#lane;
    const now = options.clock();
    const actsUntil =
      this.call === undefined || this.call.mayActLate ? {} : { actsUntil: now + options.receiptSeconds };
    const block = options.heads.newest()?.number ?? 0n;
    this.#operation = newOperation({ ...nonces.terms(this.call), ...actsUntil }, { now, block }, payload);
    if (payload !== undefined) void this.#perform({ do: 'submit', payload });
  }

  /** Whether its nonce is still to be used, as last read. */
  isFlying(): boolean {
    return this.#operation === undefined || (this.#operation.phase !== 'used' && this.#operation.phase !== 'reported');
  }

  /** Undefined while nothing is signed. */
  open(): OpenOperation | undefined {
    const [operation, { nonces, options }] = [this.#operation, this.#lane];
    const label = this.call?.label ?? 'free a nonce';
    const openMs = options.timers.now() - this.#since;
    return operation && { lane: nonces.name, label, hash: hashOf(operation), openMs };
  }

  /** @param isBehind whether the node knows fewer blocks than this process. */
  look({ used, gasPriceWei: offeredWei }: LaneFacts, block: bigint, isBehind: boolean): void {
    const now = this.#lane.options.clock();
    const isNext = this.nonce === used && !isBehind;
    if (this.nonce >= used) this.#post({ type: 'unused', now, block, isNext, offeredWei });
    // A running search may still find what used it.
    else if (!this.#isFinding) this.#post({ type: 'used', now });
  }

  /** What was in an undone block may be in no pool any more, and later nonces wait for it. */
  submitAgain(): void {
    const { nonces, options } = this.#lane;
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
    if (this.#operation !== undefined) this.#lane.options.log.warn('sender.left_open', fields);
    this.#post({ type: 'stop' });
  }

  end(sent: Sent): void {
    const { gasDay, log } = this.#lane.options;
    const [operation, found] = [this.#operation, this.#found];
    if (operation !== undefined) this.#operation = { ...operation, phase: 'reported' };
    const isUsed = found !== undefined || sent.outcome === 'consumed';
    gasDay.settle(this, found?.paidWei ?? (isUsed && operation ? maxWeiOf(operation) : 0n));
    const isPlain = sent.outcome === 'confirmed' || sent.outcome === 'reverted';
    const outcome = this.call === undefined && sent.outcome === 'consumed' ? 'another_in_its_place' : sent.outcome;
    if (isUsed) log[isPlain ? 'debug' : 'warn']('sender.reconciled', { ...this.#named(), outcome, by: found?.by });
    this.#land();
    const isRefused = operation !== undefined && this.call !== undefined && sent.outcome === 'not_sent';
    this.#lane.ended(this, isUsed ? 'used' : isRefused ? 'refused' : 'over');
    this.#report(isPlain && found ? { ...sent, paidWei: found.paidWei } : sent);
  }

  #post(event: Event<P>): void {
    if (this.#operation === undefined) return;
    const [operation, effects] = step(this.#operation, event);
    this.#operation = operation;
    if (!this.isFlying()) this.#land();
    for (const effect of effects) void this.#perform(effect);
  }

  async #perform(effect: Effect<P>): Promise<void> {
    try {
      if (effect.do === 'submit') await this.#submit(effect.payload);
      else if (effect.do === 'sign') await this.#sign(effect);
      else if (effect.do === 'find') await this.#find();
      else this.end(effect.sent);
    } catch (error) {
      this.#lane.options.log.error('sender.failed', { ...this.#named(), do: effect.do, error });
    }
  }

  async #submit(payload: P): Promise<void> {
    const { nonces, options } = this.#lane;
    const { does, hash, gasPriceWei } = payload;
    const answer = await nonces.submit(payload, this.call).catch((error: unknown) => {
      options.log.warn('sender.broadcast_failed', { ...this.#named(), hash, error });
      return 'unknown' as const;
    });
    if (answer === 'taken') return this.#post({ type: 'taken', hash });
    if (answer === 'unknown') return this.#post({ type: 'unanswered' });
    // What is pending offers more than the maximum, and may be mined.
    const isMost = does === 'cancel' && gasPriceWei === this.#operation?.terms.maxGasPriceWei.cancel;
    if (isMost) this.#tell('gas_price');
    this.#post({ type: 'refused', hash, isLast: this.#lane.isLast(this.nonce), sent: answer });
  }

  async #sign({ does, gasPriceWei }: Extract<Effect, { do: 'sign' }>): Promise<void> {
    const [operation, facts] = [this.#operation, this.#lane.facts()];
    if (facts === undefined || operation === undefined) return;
    const { nonces, options } = this.#lane;
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

  /** Once: it is tried again at every block. */
  #tell(rule: string): void {
    if (this.#told !== rule) this.#lane.options.log.error('sender.not_cancelled', { ...this.#named(), rule });
    this.#told = rule;
  }

  async #find(): Promise<void> {
    const { nonces, options } = this.#lane;
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
    return { lane: this.#lane.nonces.name, nonce, ...(call && { label: call.label, hash }) };
  }
}
