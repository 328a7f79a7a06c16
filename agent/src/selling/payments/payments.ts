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
import type { Limit } from '@bowline/http/rate-limit';
import { getAddress } from 'viem';
import { createEntries, type Entry } from './entries.ts';
import { type Effect, type Event, type Seen, type State, step, type Told } from './machine.ts';
import { conflict, delayed, type Outcome, overLimit, unknown } from './outcome.ts';
import { readPayment } from './payment.ts';
import { isFinalAt, type Proof } from './proof.ts';
import type { Ask, Question } from './question.ts';
import type { Rail } from './rail.ts';
import type { KeptState, Records } from './records.ts';

/** A request with a payment, whatever protocol brought it. */
export interface Paying {
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
  /** Told how far the work is that this request begins. */
  readonly progress?: Asking['progress'];
}

/** Sells answers to any protocol. */
export interface Payments {
  /** What is to be paid, as x402's PaymentRequired. Throws BowlineError `payment_unavailable`. */
  ask(resource: Resource): Promise<Json>;
  /** One payment buys one answer however often it is sent, at whichever door and after a restart. */
  pay(paying: Paying): Promise<Outcome>;
  /** Takes no new payments. Resolves when everything that was begun has ended. */
  drain(): Promise<void>;
  /** Looks, from time to time, for what became of payments whose validity is over. Call once. */
  recover(): Promise<void>;
}

/** How long to look for a receipt after a settlement, how often, and how often to settle the same payment again. */
export const settlementTimes = { lookMs: 5_000, pollMs: 250, resubmitMs: 5_000 } as const;

export interface PaymentsParts {
  readonly rail: Rail;
  readonly proof: Pick<Proof, 'look'>;
  readonly records: Records;
  /** Does what is paid for. What fails is not charged. */
  readonly work: (ask: Ask, asking: Pick<Asking, 'progress'>) => Promise<Result<Json>>;
  /** Unix seconds. */
  readonly clock: () => bigint;
  readonly timers: Timers;
  readonly times: Readonly<Record<keyof typeof settlementTimes, number>>;
  readonly log: Log;
}

/** An authorisation that ends sooner is not given to the facilitator any more. */
const SETTLE_SECONDS = 6n;
/** A ticket that ends sooner is of no use to whoever gets it now. */
const FRESH_SECONDS = 60n;
const SWEEP_MS = 60_000;
const PRUNE_MS = 24 * 3_600_000;

export async function openPayments(parts: PaymentsParts): Promise<Payments> {
  const { rail, proof, records, work, clock, timers, times, log } = parts;
  const entries = await createEntries(records, clock);
  const begun = new Set<Promise<unknown>>();
  let isStopping = false;

  const isAwaited = ({ waiting }: Entry) => [...waiting].some(({ aborted }) => !aborted);
  const isStale = ({ state }: Entry) => 'answer' in state && ticketEnd(state.answer) < clock() + FRESH_SECONDS;

  async function refuse(reason: PaymentRefusal, resource: Resource): Promise<Outcome> {
    const [code, detail] = paymentRefusals[reason];
    log.debug('payment.refused', { code, reason });
    return { state: 'refused', code, detail, reason, required: await rail.ask(resource, reason) };
  }

  /** The entry that a request belongs to: its payment's, or that of the payment that came first with its Idempotency-Key. */
  async function entryOf({ payload, question, resource, idempotencyKey }: Paying): Promise<Entry | Outcome> {
    const payment = readPayment(payload);
    if (typeof payment === 'string') return refuse(payment, resource);
    const before = await reading(entries.find(payment.key));
    // A known payment is not checked again: its validity may have ended after it paid.
    if (before?.payment.id !== payment.id) {
      const isBorrowing = before !== undefined || idempotencyKey !== undefined;
      const wrong = (await rail.check(payment, payload)) ?? (isBorrowing && (await rail.checkPermit(payment)));
      if (wrong) return refuse(wrong, resource);
    }
    const idempotency = idempotencyKey === undefined ? undefined : nameOf(payment, idempotencyKey);
    const own = await reading(entries.find(payment.key));
    const first = idempotency && (await reading(entries.boundTo(idempotency)));
    const known = own ?? (first || undefined);
    // Nothing is awaited from here on: of copies that come at once, the first one adds the entry.
    const entry = known ?? entries.inMemory(payment.key, idempotency);
    if (entry === undefined) {
      if (isStopping) return { state: 'later', ...delayed('stopping') };
      return entries.add(payment, question, idempotency);
    }
    if (entry.question.key === question.key) return entry;
    return conflict(entry.payment.key === payment.key ? 'payment_used_for_another_prompt' : 'idempotency_key_reused');
  }

  /** What is known of a payment cannot be read: it may have paid. */
  const reading = <Read>(work: Promise<Read>): Promise<Read> =>
    work.catch((cause: unknown) => {
      log.error('payment.unreadable', { error: cause });
      const message =
        'The record of the payment cannot be read now. Send the same payment again later, and sign no other.';
      throw new BowlineError('payment_unavailable', message, { retryable: true, cause });
    });

  async function seen(entry: Entry, pollMs: number): Promise<Seen> {
    const { payment, state } = entry;
    if (!('since' in state)) return { state: 'unclear' };
    const hashes = 'hashes' in state ? state.hashes : [];
    const until = performance.now() + pollMs;
    for (;;) {
      const now = await proof.look(payment, state.since, hashes, clock()).catch((error: unknown): Seen => {
        log.error('payment.chain_unavailable', { error });
        return { state: 'unclear' };
      });
      // Our node may see the transaction later than the facilitator does.
      const mayCome = now.state === 'unclear' || (now.state === 'unused' && now.isPending);
      if (!mayCome || performance.now() >= until) return now;
      await new Promise((resolve) => timers.after(times.pollMs, () => resolve(undefined)));
    }
  }

  /** Anybody can repeat a payment at will: after one immediate retry the facilitator is asked at intervals. */
  function maySettle({ payment: { method, authorization }, asked }: Entry): boolean {
    if (isStopping) return false;
    const isDue = asked.times < 2 || timers.now() - asked.atMs >= times.resubmitMs;
    // B402 tells what became of a permit, also after its end.
    return isDue && (method !== 'eip3009' || clock() + SETTLE_SECONDS < authorization.validBefore);
  }

  async function verified({ payment }: Entry): Promise<Event> {
    try {
      const block = await rail.verify(payment);
      return typeof block === 'bigint' ? { type: 'verified', block } : { type: 'refused', reason: block };
    } catch (error) {
      if (!(error instanceof BowlineError)) throw error;
      return { type: 'put_off', later: delayed('unavailable') };
    }
  }

  /** Nothing of the work is told before it is paid but how far it is. */
  async function worked(entry: Entry, { limit, progress }: Paying): Promise<Event> {
    if (entry.state.name === 'WORKING') {
      entry.place = limit.take();
      if (!entry.place.allowed) return { type: 'put_off', later: overLimit(limit, entry.place) };
    }
    const result = await work(entry.question.ask, progress ? { progress } : {}).catch((error: unknown) => {
      log.error('payment.work_threw', { error });
      return internalFailure;
    });
    return result.ok ? { type: 'worked', answer: result.value } : { type: 'failed', failure: result };
  }

  async function kept(entry: Entry): Promise<Event> {
    const facts = () => ({ isAwaited: isAwaited(entry), isStale: isStale(entry) });
    try {
      await entries.keep(entry);
      return { type: 'kept', ...facts() };
    } catch (error) {
      log.error('payment.not_kept', { payment: entry.payment.key, error });
      return { type: 'not_kept', ...facts() };
    }
  }

  async function settled(entry: Entry): Promise<Event> {
    entry.asked = { times: entry.asked.times + 1, atMs: timers.now() };
    try {
      return { type: 'settled', ...(await rail.settle(entry.payment)) };
    } catch (error) {
      log.error('payment.unknown', { error: String(error) });
      return { type: 'unanswered' };
    }
  }

  async function perform(entry: Entry, { do: doing }: Effect, paying: Paying | undefined): Promise<Event> {
    switch (doing) {
      case 'verify':
        return verified(entry);
      case 'work':
        return paying ? worked(entry, paying) : { type: 'failed', failure: internalFailure };
      case 'keep':
        return kept(entry);
      case 'settle':
        return settled(entry);
      default: {
        const isAfterSettling = entry.state.name === 'SETTLING';
        const shown = await seen(entry, isAfterSettling ? times.lookMs : 0);
        const isDelivered = isAwaited(entry) && !isStale(entry);
        return { type: 'seen', seen: shown, maySettle: paying !== undefined && maySettle(entry), isDelivered };
      }
    }
  }

  /** Drives a payment until its request can be told something. @param paying absent: nobody asks, and nothing is settled. */
  async function drive(entry: Entry, paying: Paying | undefined): Promise<Told> {
    let event: Event = { type: 'asked', isStale: isStale(entry) };
    for (;;) {
      const [state, ...effects]: [State, ...Effect[]] = [...step(entry.state, event)];
      entry.state = state;
      for (const effect of effects) {
        if (effect.do === 'tell') return effect.told;
        if (effect.do === 'drop') {
          await entries.drop(entry).catch((error: unknown) => log.error('payment.not_kept', { error }));
        } else event = await perform(entry, effect, paying);
      }
    }
  }

  /** What nothing keeps is forgotten, and its place in the limit is free again. */
  function ended(entry: Entry, { say }: Told): void {
    const { state } = entry;
    if (state.name === 'NEW' || state.name === 'DEAD') entries.forget(entry);
    if (say === 'refused' || state.name === 'NEW') entry.place?.giveBack();
    if (state.name === 'PAID') entries.paid(entry);
  }

  /** One at a time; copies wait for the same end. */
  function run(entry: Entry, paying: Paying | undefined): Promise<Told> {
    if (entry.running !== undefined) return entry.running;
    const running = drive(entry, paying)
      .then((told) => {
        ended(entry, told);
        return told;
      })
      .finally(() => {
        delete entry.running;
        if (entry.state.name === 'NEW') entries.forget(entry);
      });
    entry.running = running;
    return running;
  }

  async function outcomeOf(entry: Entry, told: Told, paying: Paying): Promise<Outcome> {
    switch (told.say) {
      case 'answer': {
        const { answer, transaction } = entry.state as KeptState & { name: 'PAID' };
        const { network, authorization } = entry.payment;
        const receipt = { success: true, transaction, network, payer: getAddress(authorization.from) };
        return { state: 'answered', answer, receipt };
      }
      case 'refused':
        return refuse(told.reason, paying.resource);
      case 'failed':
        return { state: 'failed', failure: told.failure };
      case 'put_off':
        return { state: 'later', ...told.later };
      default: {
        const hashes = 'hashes' in entry.state ? entry.state.hashes : [];
        return { state: 'later', ...unknown(hashes.at(-1)) };
      }
    }
  }

  async function served(paying: Paying): Promise<Outcome> {
    const entry = await entryOf(paying);
    if (!('waiting' in entry)) return entry;
    entry.waiting.add(paying.signal);
    try {
      return await outcomeOf(entry, await run(entry, paying), paying);
    } finally {
      entry.waiting.delete(paying.signal);
    }
  }

  function open<Answer>(doing: Promise<Answer>): Promise<Answer> {
    begun.add(doing);
    const end = () => begun.delete(doing);
    doing.then(end, end);
    return doing;
  }

  /** Payments that nobody sends again leave their record behind, until nodes agree that they paid nothing. */
  async function sweep(): Promise<void> {
    for (const entry of entries.due((payment) => isFinalAt(clock(), payment))) {
      if (isStopping) return;
      entry.sweeps += 1;
      await open(run(entry, undefined)).catch((error: unknown) => log.error('payment.look_failed', { error }));
    }
  }

  function repeat(everyMs: number, does: () => Promise<void>): Promise<void> {
    return does()
      .catch((error: unknown) => log.warn('payment.not_pruned', { error }))
      .finally(() => timers.after(everyMs, () => void (isStopping || repeat(everyMs, does))));
  }

  return {
    ask: (resource) => rail.ask(resource),

    pay: (paying) =>
      open(
        served(paying).catch((error: unknown): Outcome => {
          if (!(error instanceof BowlineError)) throw error;
          const { code, message } = error;
          if (code === 'rate_limited') return { state: 'later', code, detail: message, waitSeconds: 60 };
          if (code === 'payment_unavailable') return { state: 'later', code, detail: message, waitSeconds: 5 };
          throw error;
        }),
      ),

    async drain() {
      isStopping = true;
      while (begun.size > 0) await Promise.allSettled(begun);
    },

    async recover() {
      void repeat(PRUNE_MS, () => records.prune(Date.now()));
      await repeat(SWEEP_MS, sweep);
    },
  };
}

/** Unix seconds at which the first ticket of an answer ends; without one it stays as good as it is. */
function ticketEnd({ ticket, tickets }: Json): bigint {
  const ends = [ticket, ...(Array.isArray(tickets) ? tickets : [])].flatMap((each) => {
    const end = (each as { expires_at?: unknown } | null | undefined)?.expires_at;
    return typeof end === 'string' ? [BigInt(end)] : [];
  });
  return ends.reduce((least, end) => (end < least ? end : least), 2n ** 63n);
}

/** Names an Idempotency-Key, which is its payer's alone, whatever the payer pays in. */
const nameOf = ({ authorization }: Payment, key: string): string =>
  createHash('sha256').update(`${authorization.from} ${key}`).digest('hex');
