import { createHash } from 'node:crypto';
import type { Asking } from '@bowline/core/domain/asking';
import type { Log } from '@bowline/core/domain/log';
import {
  type Json,
  type Payment,
  type PaymentDelay,
  type PaymentRail,
  type PaymentRefusal,
  paymentDelays,
  paymentRefusals,
  type Resource,
} from '@bowline/core/domain/payment';
import { BowlineError, internalFailure, type Result } from '@bowline/core/domain/result';
import type { Timers } from '@bowline/core/domain/time';
import type { Address } from '@bowline/core/domain/units';
import type { Limit } from '@bowline/http/rate-limit';
import type { SignCredit } from './credit.ts';
import type { Entries, Entry } from './entries.ts';
import type { Lost } from './lost.ts';
import { conflict, type Known, notAnswered, type Outcome, permanent, unknown } from './outcome.ts';
import type { Ask, Question } from './question.ts';
import { createRetries, type Failed } from './retries.ts';
import { createRounds } from './rounds.ts';
import { type Attempt, createTaking, payerOf } from './taking.ts';

/** Who asks for paid work. Nobody ends it: it is owed. */
type PaidAsking = Pick<Asking, 'progress'>;

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
  /** Told how far the work is that this request begins. */
  readonly progress?: Asking['progress'];
  /** Told of the payments, by their keys, that this one is or belongs to: once its signature is right, and before it is taken. */
  readonly onSigned?: (payments: readonly string[]) => Promise<void>;
}

/** Takes payments and gives what was paid for, to any protocol. */
export interface Till {
  /** What is to be paid, as x402's PaymentRequired. Throws BowlineError `payment_unavailable`. */
  ask(resource: Resource): Promise<Json>;
  /**
   * Takes the payment, then does the work. One payment buys one answer however often it is sent, at whichever door and
   * after a restart: copies sent during the work wait for the same answer, later copies get it again, and a copy after
   * failed work is a free retry.
   */
  serve(paying: Paying): Promise<Outcome>;
  /**
   * What is known of a payment that has come with this question, by its key: nothing is taken, and nothing done. Undefined: it took
   * nothing, or is known no more.
   */
  look(payment: string, question: Question): Promise<Known | undefined>;
  /** Takes no new payments. Resolves when everything that was begun has ended. */
  drain(): Promise<void>;
  /** Looks again for payments without an outcome, and answers what was paid before a restart. Call once. */
  recover(): Promise<void>;
}

export interface TillParts {
  readonly rail: PaymentRail;
  readonly entries: Entries;
  readonly work: (ask: Ask, asking?: PaidAsking) => Promise<Result<Json>>;
  readonly signCredit: SignCredit;
  /** The token that pays by EIP-3009. */
  readonly token?: Address | undefined;
  readonly lost?: Lost | undefined;
  readonly timers: Timers;
  readonly log: Log;
}

export function createTill({ rail, entries, work, signCredit, token, lost, timers, log }: TillParts): Till {
  const taking = createTaking({ rail, entries, lost, timers, log });
  const begun = new Set<Promise<unknown>>();
  let isStopping = false;
  const retries = createRetries(timers);
  const rounds = createRounds({ taking, entries, recoverAnswer, isStopping: () => isStopping, timers, log });

  async function refuse(resource: Resource, reason: PaymentRefusal): Promise<Outcome> {
    const [code, detail] = paymentRefusals[reason];
    log.debug('payment.refused', { code, reason });
    return { state: 'refused', code, detail, reason, required: await rail.ask(resource, reason) };
  }

  function putOff(reason: PaymentDelay): Outcome {
    log.debug('payment.put_off', { reason });
    return { state: 'later', code: 'payment_unavailable', detail: paymentDelays[reason], reason, waitSeconds: 5 };
  }

  /** The payment that came first with an Idempotency-Key of this payer. */
  async function boundTo(payment: Payment, idempotencyKey: string): Promise<Entry | undefined> {
    const first = await entries.boundTo(nameOf(payerOf(payment), idempotencyKey));
    if (first !== undefined || token === undefined) return first;
    // Before Permit2 a payer's name had the token in it. Such names live as long as their files: a week.
    const [network] = payment.key.split('/');
    return entries.boundTo(nameOf(`${network}/${token.toLowerCase()}/${payerOf(payment)}`, idempotencyKey));
  }

  /** The entry that a payment belongs to: its own, or that of the payment that came first with its Idempotency-Key. */
  async function entryOf({ payload, question, resource, idempotencyKey, onSigned }: Paying): Promise<Entry | Outcome> {
    const payment = rail.read(payload);
    if (typeof payment === 'string') return refuse(resource, payment);
    const { key, id } = payment;
    // A known payment is not checked again: its validity may have ended after it paid.
    if ((await entries.find(key))?.payment.id !== id) {
      const wrong = await rail.check(payment, payload, lost?.mayBe(payment));
      if (wrong !== undefined) return refuse(resource, wrong);
    }
    const idempotency = idempotencyKey === undefined ? undefined : nameOf(payerOf(payment), idempotencyKey);
    const first = idempotencyKey === undefined ? undefined : await boundTo(payment, idempotencyKey);
    await onSigned?.([key, ...(first && first.payment.key !== key ? [first.payment.key] : [])]);
    const own = await entries.find(key);
    // Nothing is awaited from here on: of copies that come at once, the first one adds the entry. What was found may have been
    // dropped since, or another payment have come with the same Idempotency-Key.
    const isKnown = first?.answer !== undefined || (first && entries.inMemory(first.payment.key, undefined) === first);
    const entry = (isKnown && first) || (entries.inMemory(key, idempotency) ?? (own?.answer && own));
    if (entry !== undefined) {
      // Also of a declined one: a facilitator that declines may send it all the same, and then its calldata is anybody's.
      if (entry.question.key === question.key) return entry;
      return conflict(entry.payment.key === key ? 'payment_used_for_another_prompt' : 'idempotency_key_reused');
    }
    if (entries.spent.has(key)) return refuse(resource, 'already_used');
    if (isStopping) return putOff('stopping');
    return entries.add(payment, question, idempotency) ?? putOff('not_kept');
  }

  async function perform(entry: Entry, asking?: PaidAsking): Promise<Result<Json>> {
    const result = await work(entry.question.ask, asking).catch((error: unknown) => {
      log.error('payment.work_threw', { error });
      return internalFailure;
    });
    try {
      if (result.ok) {
        entry.answer = result.value;
        entry.credit = undefined;
      } else if (entry.paid !== undefined) {
        const { transaction } = entry.paid;
        log.warn('payment.work_failed', { transaction, code: result.code });
        entry.credit ??= await signCredit(entry.payment, transaction, entry.question);
      }
      await entries.keep(entry);
    } catch (error) {
      // The payer gets the answer all the same: only a restart would forget it, and then it is made again.
      log.error('payment.not_kept', { payment: entry.payment.key, error });
    }
    if (!result.ok) {
      entry.failed = retries.after(entry.failed, result);
      delete entry.work;
    }
    return result;
  }

  async function worked(entry: Entry, { limit, progress }: Paying): Promise<Outcome> {
    const receipt = entry.paid?.receipt ?? {};
    if (entry.answer === undefined && entry.work === undefined) {
      if (entry.failed !== undefined) {
        const later = retries.putOff(entry.failed, limit);
        entry.failed = later ?? entry.failed;
        if (later !== undefined) return failed(entry, later);
      } else {
        const place = entry.place ?? limit.take();
        if (!place.allowed) return { state: 'over_limit', limit, place, receipt };
      }
      delete entry.place;
      entry.work = perform(entry, progress && { progress });
    }
    // Made before a restart, or by this process: on disk before it is sent.
    const result = await entry.work;
    if (result === undefined || result.ok) return { state: 'answered', answer: entry.answer ?? {}, receipt };
    return failed(entry, entry.failed);
  }

  function failed({ paid, credit }: Entry, last: Failed | undefined): Outcome {
    const owed = { state: 'failed', receipt: paid?.receipt ?? {}, ...(credit && { credit }) } as const;
    if (last === undefined) return { ...owed, failure: notAnswered, waitSeconds: 0 };
    const { failure, retryAtMs } = last;
    if (!failure.retryable) return { ...owed, failure: permanent(failure) };
    return { ...owed, failure, waitSeconds: Math.max(0, Math.ceil((retryAtMs - timers.now()) / 1000)) };
  }

  async function served(paying: Paying): Promise<Outcome> {
    const entry = await entryOf(paying);
    if ('state' in entry) return entry;
    const attempt: Attempt = entry.paid ? { state: 'paid' } : await taking.take(entry, paying.limit);
    switch (attempt.state) {
      case 'paid':
        if (entry.question.key !== paying.question.key) return conflict('payment_used_for_another_prompt');
        return worked(entry, paying);
      case 'refused':
        return refuse(paying.resource, attempt.reason);
      case 'put_off':
        return putOff(attempt.reason);
      case 'over_limit':
        return attempt;
      case 'unknown': {
        const { transaction } = attempt;
        log.warn('payment.unknown', { transaction });
        return unknown(transaction);
      }
    }
  }

  async function known(payment: string, question: Question): Promise<Known | undefined> {
    const entry = await entries.find(payment);
    if (entry === undefined || entry.question.key !== question.key) return undefined;
    const { answer, paid, work, settlement, isDeclined } = entry;
    const receipt = paid?.receipt ?? {};
    if (answer !== undefined) return { state: 'answered', answer, receipt };
    if (paid !== undefined) {
      if (work !== undefined) return { state: 'working', receipt };
      return failed(entry, entry.failed);
    }
    if (taking.isTaking(entry)) return { state: 'working' };
    return settlement === undefined || isDeclined ? undefined : unknown(settlement.progress().transactions.at(-1));
  }

  /** Counts as begun until it ends. */
  function open<Answer>(doing: Promise<Answer>): Promise<Answer> {
    begun.add(doing);
    const end = () => begun.delete(doing);
    doing.then(end, end);
    return doing;
  }

  /** Does paid work that nobody waits for. */
  async function recoverAnswer(entry: Entry): Promise<void> {
    if (isStopping || entry.paid === undefined || entry.answer !== undefined || entry.work !== undefined) return;
    delete entry.place;
    entry.work = open(perform(entry));
    const { ok } = await entry.work;
    log.info('payment.recovered', { transaction: entry.paid.transaction, answered: ok });
  }

  return {
    ask: (resource) => rail.ask(resource),

    serve: (paying) =>
      open(
        served(paying).catch((error: unknown): Outcome => {
          if (!(error instanceof BowlineError)) throw error;
          const { code, message } = error;
          if (code !== 'payment_unavailable' && code !== 'rate_limited') throw error;
          const waitSeconds = code === 'rate_limited' ? 60 : 5;
          return { state: 'later', code, detail: message, waitSeconds };
        }),
      ),

    look: known,

    async drain() {
      isStopping = true;
      while (begun.size > 0) await Promise.allSettled(begun);
    },

    async recover() {
      const kept = entries.open();
      if (kept.length > 0) log.info('payment.recovering', { payments: kept.length });
      await rounds.begin();
    },
  };
}

/** Names an Idempotency-Key, which is its payer's alone. */
const nameOf = (payer: string, key: string): string => createHash('sha256').update(`${payer} ${key}`).digest('hex');
