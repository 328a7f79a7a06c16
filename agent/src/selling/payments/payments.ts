import { createHash } from 'node:crypto';
import type { Asking } from '@bowline/core/domain/asking';
import type { Log } from '@bowline/core/domain/log';
import {
  type Json,
  type Payment,
  type PaymentRefusal,
  paymentRefusals,
  type Resource,
} from '@bowline/core/domain/payment';
import { BowlineError, internalFailure, type Result } from '@bowline/core/domain/result';
import type { Timers } from '@bowline/core/domain/time';
import { smallest } from '@bowline/core/domain/units';
import type { Limit } from '@bowline/http/rate-limit';
import { getAddress } from 'viem';
import { type Effect, type Event, type Reply, type Seen, type State, step } from './machine.ts';
import { conflict, delayed, type Outcome, overLimit, unknown } from './outcome.ts';
import { readPayment } from './payment.ts';
import { type CachedPayment, openPaymentCache, type PaymentCache } from './payment-cache.ts';
import { isFinalAt, type Proof } from './proof.ts';
import type { Ask, Question } from './question.ts';
import type { Rail } from './rail.ts';
import type { KeptState, Records } from './records.ts';

/** A request with a payment, whatever protocol brought it. */
interface Paying {
  /** Decoded payload of x402 v2. */
  readonly payload: unknown;
  readonly question: Question;
  readonly resource: Resource;
  /** Counts the payment. */
  readonly limit: Limit;
  /** The request's Idempotency-Key: the same payer, key and question are one payment. */
  readonly idempotencyKey?: string | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Receives the progress of the work that this request starts. */
  readonly progress?: Asking['progress'];
}

/** How long to look for a receipt after a settlement, how often, and how often to settle the same payment again. */
export const settlementTimes = { lookMs: 5_000, pollMs: 250, resubmitMs: 5_000 } as const;

export interface PaymentsParts {
  readonly rail: Rail;
  readonly proof: Pick<Proof, 'look'>;
  readonly records: Records;
  /** Does the paid work. Failed work is not charged. */
  readonly work: (ask: Ask, asking: Pick<Asking, 'progress'>) => Promise<Result<Json>>;
  /** Unix seconds. */
  readonly clock: () => bigint;
  readonly timers: Timers;
  readonly times: Readonly<Record<keyof typeof settlementTimes, number>>;
  readonly log: Log;
}

/** An authorisation that ends sooner is not given to the facilitator any more. */
const SETTLE_SECONDS = 6n;
/** A ticket that expires sooner is of no use to its buyer. */
const FRESH_SECONDS = 60n;
const SWEEP_MS = 60_000;
const PRUNE_MS = 24 * 3_600_000;

export const openPayments = async (parts: PaymentsParts): Promise<Payments> =>
  new Driver(parts, await openPaymentCache(parts.records, parts.clock));

/** Sells answers to any protocol. */
export type Payments = Pick<Driver, 'ask' | 'pay' | 'drain' | 'recover'>;

class Driver {
  readonly #parts: PaymentsParts;
  readonly #cache: PaymentCache;
  readonly #begun = new Set<Promise<unknown>>();
  #isStopping = false;

  constructor(parts: PaymentsParts, cache: PaymentCache) {
    this.#parts = parts;
    this.#cache = cache;
  }

  /** Payment terms, as x402's PaymentRequired. Throws BowlineError `payment_unavailable`. */
  ask(resource: Resource): Promise<Json> {
    return this.#parts.rail.ask(resource);
  }

  /** One payment buys one answer, however often it is sent, over any API and even after a restart. */
  async pay(paying: Paying): Promise<Outcome> {
    try {
      return await this.#counted(this.#served(paying));
    } catch (error) {
      if (!(error instanceof BowlineError)) throw error;
      const { code, message: detail } = error;
      if (code === 'rate_limited') return { state: 'later', code, detail, waitSeconds: 60 };
      if (code === 'payment_unavailable') return { state: 'later', code, detail, waitSeconds: 5 };
      throw error;
    }
  }

  /** Accepts no new payments. Resolves when everything in progress has ended. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    while (this.#begun.size > 0) await Promise.allSettled(this.#begun);
  }

  /** Periodically resolves payments whose validity has ended. Call once. */
  async recover(): Promise<void> {
    void this.#repeat(PRUNE_MS, () => this.#parts.records.prune(Date.now()));
    await this.#repeat(SWEEP_MS, () => this.#sweep());
  }

  #counted<Answer>(doing: Promise<Answer>): Promise<Answer> {
    const counted = doing.finally(() => this.#begun.delete(counted));
    this.#begun.add(counted);
    return counted;
  }

  async #refuse(reason: PaymentRefusal, resource: Resource): Promise<Outcome> {
    const [code, detail] = paymentRefusals[reason];
    this.#parts.log.debug('payment.refused', { code, reason });
    return { state: 'refused', code, detail, reason, required: await this.#parts.rail.ask(resource, reason) };
  }

  async #served(paying: Paying): Promise<Outcome> {
    const { payload, resource, question, idempotencyKey, signal } = paying;
    const payment = readPayment(payload);
    if (typeof payment === 'string') return this.#refuse(payment, resource);
    const wrong = await this.#wrong(payment, paying);
    if (wrong !== undefined) return this.#refuse(wrong, resource);
    const idempotency = idempotencyKey === undefined ? undefined : nameOf(payment, idempotencyKey);
    const known = await this.#reading(this.#cache.find(payment.key, idempotency));
    // No await from here to `#run`: the first of several copies adds the entry. An ended entry does not count.
    const isKept = known !== undefined && known.state.name !== 'NEW' && known.state.name !== 'DEAD';
    const entry = this.#cache.inMemory(payment.key, idempotency) ?? (isKept ? this.#cache.hold(known) : undefined);
    if (entry === undefined && this.#isStopping) return { state: 'later', ...delayed('stopping') };
    const own = entry ?? this.#cache.add(payment, question, idempotency);
    if (!('waiting' in own)) return { state: 'later', ...own };
    if (own.question.key !== question.key) {
      return conflict(own.payment.key === payment.key ? 'payment_used_for_another_prompt' : 'idempotency_key_reused');
    }
    own.waiting.add(signal);
    try {
      return await this.#outcomeOf(own, await this.#run(own, paying), resource);
    } finally {
      own.waiting.delete(signal);
    }
  }

  /** A known payment is not checked again: its validity may have ended after it paid. */
  async #wrong(payment: Payment, { payload, idempotencyKey }: Paying): Promise<PaymentRefusal | undefined> {
    const { rail } = this.#parts;
    const known = await this.#reading(this.#cache.find(payment.key));
    if (known?.payment.id === payment.id) return undefined;
    const wrong = await rail.check(payment, payload);
    const isBorrowing = known !== undefined || idempotencyKey !== undefined;
    return wrong ?? (isBorrowing ? rail.checkPermit(payment) : undefined);
  }

  /** Fails if the payment's record cannot be read: it may have been paid. */
  #reading<Read>(work: Promise<Read>): Promise<Read> {
    return work.catch((cause: unknown) => {
      this.#parts.log.error('payment.unreadable', { error: cause });
      const message =
        'The record of the payment cannot be read now. Send the same payment again later, and do not sign another.';
      throw new BowlineError('payment_unavailable', message, { retryable: true, cause });
    });
  }

  /** One run at a time; copies wait for its result. @param paying absent: no request, so nothing is settled. */
  #run(entry: CachedPayment, paying: Paying | undefined): Promise<Reply> {
    entry.running ??= this.#drive(entry, paying).finally(() => {
      const { state, place } = entry;
      delete entry.running;
      // A payment that took nothing gives back its place in the limit.
      if (state.name === 'NEW' || state.name === 'REFUSED' || state.name === 'DEAD') place?.giveBack();
      this.#cache.ended(entry);
    });
    return entry.running;
  }

  async #drive(entry: CachedPayment, paying: Paying | undefined): Promise<Reply> {
    let event: Event = { type: 'asked', isStale: this.#isStale(entry) };
    for (;;) {
      const [state, ...effects]: [State, ...Effect[]] = [...step(entry.state, event)];
      entry.state = state;
      for (const effect of effects) {
        if (effect.do === 'reply') return effect.reply;
        event = await this.#perform(entry, effect.do, paying);
      }
    }
  }

  async #perform(
    entry: CachedPayment,
    doing: Exclude<Effect['do'], 'reply'>,
    paying: Paying | undefined,
  ): Promise<Event> {
    switch (doing) {
      case 'verify':
        return this.#verified(entry);
      case 'work':
        return paying ? this.#worked(entry, paying) : { type: 'failed', failure: internalFailure };
      case 'keep':
      case 'drop':
        return this.#kept(entry, () => this.#cache[doing](entry));
      case 'settle':
        return this.#settled(entry);
      case 'look':
        return this.#seen(entry, paying !== undefined && this.#maySettle(entry));
    }
  }

  async #verified(entry: CachedPayment): Promise<Event> {
    try {
      const block = await this.#parts.rail.verify(entry.payment);
      if (typeof block !== 'bigint') return { type: 'refused', reason: block };
      // Once per request, so that a facilitator that always declines keeps nobody waiting.
      return { type: 'verified', block, maySettle: entry.asked.times < 2 && this.#maySettle(entry) };
    } catch (error) {
      if (!(error instanceof BowlineError)) throw error;
      return { type: 'put_off', later: delayed('unavailable') };
    }
  }

  /** Before payment, only the progress of the work is reported. */
  async #worked(entry: CachedPayment, { limit, progress }: Paying): Promise<Event> {
    if (entry.state.name === 'WORKING') {
      entry.place = limit.take();
      if (!entry.place.allowed) return { type: 'put_off', later: overLimit(limit, entry.place) };
    }
    const result = await this.#parts.work(entry.question.ask, progress ? { progress } : {}).catch((error: unknown) => {
      this.#parts.log.error('payment.work_threw', { error });
      return internalFailure;
    });
    return result.ok ? { type: 'worked', answer: result.value } : { type: 'failed', failure: result };
  }

  async #kept(entry: CachedPayment, write: () => Promise<void>): Promise<Event> {
    const type = await write().then(
      () => 'kept' as const,
      (error: unknown) => {
        this.#parts.log.error('payment.not_kept', { payment: entry.payment.key, error });
        return 'not_kept' as const;
      },
    );
    return { type, isAwaited: this.#isAwaited(entry), isStale: this.#isStale(entry) };
  }

  async #settled(entry: CachedPayment): Promise<Event> {
    entry.asked = { times: entry.asked.times + 1, atMs: this.#parts.timers.now() };
    try {
      return { type: 'settled', ...(await this.#parts.rail.settle(entry.payment)) };
    } catch (error) {
      this.#parts.log.error('payment.unknown', { error: String(error) });
      return { type: 'unanswered' };
    }
  }

  async #seen(entry: CachedPayment, maySettle: boolean): Promise<Event> {
    const { proof, clock, timers, times, log } = this.#parts;
    const { payment, state } = entry;
    const { since, hashes } = state as KeptState;
    const until = performance.now() + (state.name === 'SETTLING' ? times.lookMs : 0);
    for (;;) {
      const seen = await proof.look(payment, since, hashes, clock()).catch((error: unknown): Seen => {
        log.error('payment.chain_unavailable', { error });
        return { state: 'unclear' };
      });
      // Our node may see the transaction later than the facilitator does.
      const mayCome = seen.state === 'unclear' || (seen.state === 'unused' && seen.isPending);
      if (!mayCome || performance.now() >= until) {
        return { type: 'seen', seen, maySettle, isDelivered: this.#isAwaited(entry) && !this.#isStale(entry) };
      }
      await new Promise((resolve) => timers.after(times.pollMs, () => resolve(undefined)));
    }
  }

  #isAwaited = ({ waiting }: CachedPayment): boolean => [...waiting].some(({ aborted }) => !aborted);

  #isStale = ({ state }: CachedPayment): boolean =>
    'answer' in state && endOf(state.answer) < this.#parts.clock() + FRESH_SECONDS;

  /** Anybody can repeat a payment at will: after one immediate retry the facilitator is asked at intervals. */
  #maySettle({ payment: { method, authorization }, asked }: CachedPayment): boolean {
    const { timers, times, clock } = this.#parts;
    const isDue = asked.times < 2 || timers.now() - asked.atMs >= times.resubmitMs;
    // B402 reports the outcome of a permit even after its deadline.
    const isInTime = method !== 'eip3009' || clock() + SETTLE_SECONDS < authorization.validBefore;
    return isDue && isInTime && !this.#isStopping;
  }

  async #outcomeOf({ payment, state }: CachedPayment, reply: Reply, resource: Resource): Promise<Outcome> {
    switch (reply.say) {
      case 'answer': {
        const { answer, transaction } = state as KeptState & { name: 'PAID' };
        const payer = getAddress(payment.authorization.from);
        return { state: 'answered', answer, receipt: { success: true, transaction, network: payment.network, payer } };
      }
      case 'refused':
        return this.#refuse(reply.reason, resource);
      case 'failed':
        return { state: 'failed', failure: reply.failure };
      case 'put_off':
        return { state: 'later', ...reply.later };
      default:
        return { state: 'later', ...unknown('hashes' in state ? state.hashes.at(-1) : undefined) };
    }
  }

  /** Checks payments that nobody sends again: their records stay until nodes agree that they paid nothing. */
  async #sweep(): Promise<void> {
    const { clock, log } = this.#parts;
    for (const entry of this.#cache.due((payment) => isFinalAt(clock(), payment))) {
      if (this.#isStopping) return;
      entry.sweeps += 1;
      await this.#counted(this.#run(entry, undefined)).catch((error: unknown) =>
        log.error('payment.look_failed', { error }),
      );
    }
  }

  async #repeat(everyMs: number, does: () => Promise<void>): Promise<void> {
    await does().catch((error: unknown) => this.#parts.log.warn('payment.not_pruned', { error }));
    this.#parts.timers.after(everyMs, () => void (this.#isStopping || this.#repeat(everyMs, does)));
  }
}

/** Unix seconds at which an answer's first ticket or its draft expires; far in the future if nothing expires. */
function endOf({ expires_at, ticket, tickets }: Json): bigint {
  const ends = [{ expires_at }, ticket, ...(Array.isArray(tickets) ? tickets : [])].flatMap((each) => {
    const end = (each as { expires_at?: unknown } | null | undefined)?.expires_at;
    return typeof end === 'string' ? [BigInt(end)] : [];
  });
  return smallest([...ends, 2n ** 63n]);
}

/** Names an Idempotency-Key, which belongs to its payer only, no matter which token the payer uses. */
const nameOf = ({ authorization }: Payment, key: string): string =>
  createHash('sha256').update(`${authorization.from} ${key}`).digest('hex');
