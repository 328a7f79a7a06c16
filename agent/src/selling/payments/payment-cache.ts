import type { Payment } from '@bowline/core/domain/payment';
import type { Place } from '@bowline/http/rate-limit';
import { afterRestart, type Reply, type State } from './machine.ts';
import { delayed, type Later } from './outcome.ts';
import type { Question } from './question.ts';
import { isPaid, type KeptState, type PaymentRecord, type Records } from './records.ts';

/** One payment, identified by its nonce: every encoding of it is the same payment. */
export interface CachedPayment {
  readonly payment: Payment;
  readonly question: Question;
  /** Name of the payer's Idempotency-Key. */
  readonly idempotency?: string | undefined;
  state: State;
  /** The request that drives it, which its copies wait for. */
  running?: Promise<Reply>;
  /** Signals of the clients that wait for it. */
  readonly waiting: Set<AbortSignal>;
  /** Requests to settle it by this process, and the time of the last. */
  asked: { readonly times: number; readonly atMs: number };
  /** Its place in the rate limit. */
  place?: Place;
  /** How often a sweep, not a request, looked for its outcome after its validity. */
  sweeps: number;
  /** The last write of its file: two at once could end in either order. */
  writing: Promise<void>;
}

/** Limits of work without a known settlement, per payer and in all: such work is free until it is settled. */
const MAX_OF_ONE_PAYER = 4;
const MAX_UNSETTLED = 256;
/** Unpaid payments in memory, including refused ones. */
const MAX_UNPAID = 5_000;
/** Unpaid records per payer, refused ones included: filling the disk then costs a transaction for each account. */
const MAX_RECORDS = 32;
/** Sweeps per payment: if nodes do not agree about it, its file stays for a week. */
const MAX_SWEEPS = 10;
/** Payments that are swept at a time. */
const SWEPT_AT_ONCE = 100;
const WEEK_SECONDS = 7n * 86_400n;

/** The payments that this agent knows: open or requested ones in memory, all of them in files. */
export class PaymentCache {
  readonly #records: Records;
  readonly #clock: () => bigint;
  readonly #payments = new Map<string, CachedPayment>();
  /** File reads, by key. Copies that arrive together wait for the same read, in order: the first may use the payment. */
  readonly #readings = new Map<string, Promise<PaymentRecord | undefined>>();

  constructor(records: Records, clock: () => bigint) {
    this.#records = records;
    this.#clock = clock;
  }

  /** From memory or its file: the payment itself, otherwise the one that came with the Idempotency-Key and was not refused. */
  async find(key: string, idempotency?: string): Promise<CachedPayment | undefined> {
    const own = await this.#find(key);
    const first = own || idempotency === undefined ? undefined : await this.#records.boundTo(idempotency);
    const bound = first === undefined ? undefined : await this.#find(first);
    return own ?? (bound && !tookNothing(bound) ? bound : undefined);
  }

  /** The same without reading files. */
  inMemory(key: string, idempotency?: string): CachedPayment | undefined {
    const isBound = (each: CachedPayment) => each.idempotency === idempotency && !tookNothing(each);
    return this.#payments.get(key) ?? (idempotency ? [...this.#payments.values()].find(isBound) : undefined);
  }

  async #find(key: string): Promise<CachedPayment | undefined> {
    const known = this.#payments.get(key);
    const record = known === undefined ? await this.#recordOf(key) : undefined;
    const found = known ?? (record && ofRecord(record));
    return found && !this.#isOver(found) ? found : undefined;
  }

  #recordOf(key: string): Promise<PaymentRecord | undefined> {
    const reading = this.#readings.get(key) ?? this.#records.find(key).finally(() => this.#readings.delete(key));
    this.#readings.set(key, reading);
    return reading;
  }

  /** After a week, the claim on another payment's transfer could be gone: this payment could then claim it. */
  #isOver({ payment, state }: Pick<CachedPayment, 'payment' | 'state'>): boolean {
    return state.name !== 'PAID' && this.#clock() > payment.authorization.validBefore + WEEK_SECONDS;
  }

  /** Takes a payment into memory, so that all its copies wait for the same result. */
  hold(entry: CachedPayment): CachedPayment {
    if (!this.#isOver(entry)) this.#payments.set(entry.payment.key, entry);
    return entry;
  }

  /** Adds a new payment, if there is room for its work. */
  add(payment: Payment, question: Question, idempotency: string | undefined): CachedPayment | Later {
    const unpaid = [...this.#payments.values()].filter(({ state }) => !isPaid(state));
    const unsettled = unpaid.filter(({ state, sweeps }) => state.name !== 'REFUSED' && sweeps === 0);
    const isHis = (each: CachedPayment) => each.payment.authorization.from === payment.authorization.from;
    const isPayerBusy =
      unsettled.filter(isHis).length >= MAX_OF_ONE_PAYER || unpaid.filter(isHis).length >= MAX_RECORDS;
    if (isPayerBusy) return delayed('payer_busy');
    if (unsettled.length >= MAX_UNSETTLED || unpaid.length >= MAX_UNPAID) return delayed('agent_busy');
    return this.hold(entryOf({ payment, question, idempotency, state: { name: 'NEW' } }));
  }

  keep(entry: CachedPayment): Promise<void> {
    const { payment, question, idempotency } = entry;
    const record = { payment, question, ...(idempotency && { idempotency }), state: entry.state as KeptState };
    const written = entry.writing.then(() => this.#records.put(record));
    entry.writing = written.catch(() => {});
    return written;
  }

  async drop(entry: CachedPayment): Promise<void> {
    await entry.writing;
    await this.#records.drop(entry);
  }

  /** Forgets paid payments, which have a file, and new or dead ones, of which nothing is kept. */
  ended({ state: { name }, payment }: CachedPayment): void {
    if (name === 'NEW' || name === 'DEAD' || name === 'PAID') this.#payments.delete(payment.key);
  }

  /** Unpaid payments whose outcome is due. */
  due(isDue: (payment: Payment) => boolean): readonly CachedPayment[] {
    const isOpen = ({ state: { name }, sweeps, running, payment }: CachedPayment) =>
      name !== 'PAID' && name !== 'NEW' && running === undefined && sweeps < MAX_SWEEPS && isDue(payment);
    return [...this.#payments.values()].filter(isOpen).slice(0, SWEPT_AT_ONCE);
  }
}

function entryOf(given: Pick<CachedPayment, 'payment' | 'question' | 'idempotency' | 'state'>): CachedPayment {
  const fresh = { waiting: new Set<AbortSignal>(), asked: { times: 0, atMs: 0 }, sweeps: 0 };
  return { ...given, ...fresh, writing: Promise.resolve() };
}

const ofRecord = (record: PaymentRecord): CachedPayment => entryOf({ ...record, state: afterRestart(record.state) });

const tookNothing = ({ state: { name } }: CachedPayment): boolean => name === 'REFUSED' || name === 'DEAD';

export async function openPaymentCache(records: Records, clock: () => bigint): Promise<PaymentCache> {
  const cache = new PaymentCache(records, clock);
  for (const record of await records.open()) cache.hold(ofRecord(record));
  return cache;
}
