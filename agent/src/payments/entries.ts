import type { Json, Payment, Settlement, Taken } from '@bowline/core/domain/payment';
import type { Result } from '@bowline/core/domain/result';
import type { Place } from '@bowline/http/rate-limit';
import type { LateLooks } from './late-looks.ts';
import { createPayerFiles } from './payer-files.ts';
import type { KeptPayment, PaymentStore } from './payment-store.ts';
import type { Question } from './question.ts';
import type { Failed } from './retries.ts';

type Paid = Omit<Extract<Taken, { state: 'paid' }>, 'state'>;

/** One payment, identified by its nonce: every encoding of it is the same payment. */
export interface Entry {
  readonly payment: Payment;
  readonly question: Question;
  /** Name of the payer's Idempotency-Key. */
  idempotency?: string | undefined;
  /** Whether a file has it. */
  isKept: boolean;
  /** Absent until the token accepts the payment in a simulation and its turn has come. */
  settlement?: Settlement;
  /** The facilitator declined it, and the chain shows it unused: nothing is pending that is known of. */
  isDeclined?: boolean;
  /** Of the looks five minutes after its validity and later. */
  lateLooks?: LateLooks;
  /** It is being taken or looked at. */
  isBusy?: boolean;
  /** When it was looked at, by the number of the look. */
  lookedAt?: number;
  paid?: Paid | undefined;
  credit?: Json | undefined;
  answer?: Json | undefined;
  /**
   * The place it holds in the rate limit; absent before that, after the place was returned, and once the work has
   * begun.
   */
  place?: Place;
  /** The paid work; absent until it begins, and again after it failed. */
  work?: Promise<Result<Json>>;
  /** The last work, if it failed. */
  failed?: Failed;
}

/** Payments without an outcome, at most: each also has a file. */
const MAX_OPEN = 5_000;
/** Answers in memory; the files have all of them. */
const MAX_ANSWERED = 200;
const MAX_SPENT = 1_000;

/** The payments that this agent knows: those without an answer in memory, and all of them in files. */
export interface Entries {
  /** From memory, or else from its file. */
  find(key: string): Promise<Entry | undefined>;
  /** Without reading files: that of the Idempotency-Key, or of the payment's key. */
  inMemory(key: string, idempotency: string | undefined): Entry | undefined;
  /** The payment that came first with an Idempotency-Key, if it is known still. */
  boundTo(idempotency: string): Promise<Entry | undefined>;
  /** Adds a new payment; undefined if there are too many. */
  add(payment: Payment, question: Question, idempotency: string | undefined): Entry | undefined;
  /** Writes its file. */
  keep(entry: Entry): Promise<void>;
  /** Forgets a payment that took nothing, and its file. */
  drop(entry: Entry): Promise<void>;
  /** Its Idempotency-Key may come with another payment. */
  release(entry: Entry): Promise<void>;
  /** Whether the payer may have one more payment in a file. The oldest that is over and that one node alone shows as unused makes room. */
  hasRoom(payer: string): Promise<boolean>;
  /** Five minutes after its validity a node shows it as unused, or as used: then it cost a transaction, and counts no more. */
  noteLate(entry: Entry, isUnused: boolean): void;
  /** Takes payments without an answer from their files again that made room in memory, as many as there is room for. */
  reload(): Promise<void>;
  /** Those without an answer. */
  open(): readonly Entry[];
  /** Keys of payments that were used before they were first received. Anybody can send those: they are public calldata. */
  readonly spent: { has(key: string): boolean; add(key: string): void };
}

/** @param resume continues the settlement of a payment that a file has. */
export async function openEntries(store: PaymentStore, resume: (kept: KeptPayment) => Settlement): Promise<Entries> {
  const unanswered = new Map<string, Entry>();
  const answered = new Map<string, Entry>();
  const spent = new Map<string, true>();
  /** By Idempotency-Key, of those in `unanswered`. */
  const bound = new Map<string, Entry>();
  const loading = new Map<string, Promise<Entry | undefined>>();
  const files = createPayerFiles();
  /** Of the payments that made room, those that were loaded again since all were. */
  const reloaded = new Set<string>();

  const inMemory = (key: string, idempotency?: string) =>
    (idempotency === undefined ? undefined : bound.get(idempotency)) ?? unanswered.get(key) ?? answered.get(key);

  function hold(entry: Entry): Entry {
    const { key } = entry.payment;
    if (entry.answer !== undefined) {
      unanswered.delete(key);
      if (entry.idempotency !== undefined) bound.delete(entry.idempotency);
      remember(answered, key, entry, MAX_ANSWERED);
    } else {
      unanswered.set(key, entry);
      if (entry.idempotency !== undefined) bound.set(entry.idempotency, entry);
    }
    return entry;
  }

  /**
   * Makes room: the oldest payment that waits for its payer alone is left to its file, which is read if it comes again. Declined
   * payments cost nothing, so that anybody could make very many.
   */
  function forgetIdle(): void {
    for (const [key, { isKept, isBusy, isDeclined, lateLooks, paid, work, idempotency }] of unanswered) {
      const isIdle = isDeclined || (paid === undefined ? lateLooks !== undefined : work === undefined);
      if (!isKept || isBusy || !isIdle) continue;
      unanswered.delete(key);
      if (idempotency !== undefined) bound.delete(idempotency);
      return;
    }
  }

  const loaded = (kept: KeptPayment): Entry => {
    const { payment, question, idempotency, paid, credit, answer } = kept;
    count(payment, paid);
    return hold({ payment, question, idempotency, paid, credit, answer, isKept: true, settlement: resume(kept) });
  };

  function count({ authorization, key }: Payment, paid: Paid | undefined): void {
    if (paid === undefined) files.add(authorization.from, key, false);
    else files.remove(authorization.from, key);
  }

  /** Once at a time, so that a payment never has two entries. */
  function load(key: string): Promise<Entry | undefined> {
    const begun = loading.get(key);
    if (begun !== undefined) return begun;
    const reading = store
      .find(key)
      .then((kept) => inMemory(key) ?? (kept && loaded(kept)))
      .finally(() => loading.delete(key));
    loading.set(key, reading);
    return reading;
  }

  async function keep(entry: Entry): Promise<void> {
    const { payment, question, idempotency, paid, credit, answer, settlement } = entry;
    const progress = settlement?.progress() ?? { since: 0n, transactions: [] };
    if (answer !== undefined) hold(entry);
    await store.put({ payment, question, idempotency, progress, paid, credit, answer });
    entry.isKept = true;
    if (entry.lateLooks === undefined || paid !== undefined) count(payment, paid);
  }

  const find = async (key: string) => inMemory(key) ?? (await load(key));

  /** Those that were paid first: they are owed. */
  const inFiles = async () =>
    (await store.open()).toSorted((one, other) => Number(other.paid !== undefined) - Number(one.paid !== undefined));

  for (const kept of await inFiles()) {
    if (unanswered.size < MAX_OPEN) loaded(kept);
    else count(kept.payment, kept.paid);
  }

  return {
    find,
    inMemory,
    async boundTo(idempotency) {
      const entry = bound.get(idempotency);
      if (entry !== undefined) return entry;
      const key = await store.boundTo(idempotency);
      return bound.get(idempotency) ?? (key === undefined ? undefined : find(key));
    },
    add(payment, question, idempotency) {
      if (unanswered.size >= MAX_OPEN) forgetIdle();
      return unanswered.size >= MAX_OPEN ? undefined : hold({ payment, question, idempotency, isKept: false });
    },
    keep,
    async release(entry) {
      const { idempotency } = entry;
      if (idempotency === undefined) return;
      if (bound.get(idempotency) === entry) bound.delete(idempotency);
      entry.idempotency = undefined;
      await keep(entry);
      await store.unbind(idempotency);
    },
    async drop(entry) {
      const { payment, idempotency } = entry;
      if (unanswered.get(payment.key) === entry) unanswered.delete(payment.key);
      if (idempotency !== undefined && bound.get(idempotency) === entry) bound.delete(idempotency);
      files.remove(payment.authorization.from, payment.key);
      if (entry.isKept) await store.drop(payment.key, idempotency);
      entry.isKept = false;
    },
    async hasRoom(payer) {
      const { isFree, oldest } = files.room(payer);
      if (isFree || oldest === undefined) return isFree;
      const entry = unanswered.get(oldest);
      if (entry?.isBusy) return false;
      unanswered.delete(oldest);
      files.remove(payer, oldest);
      await store.drop(oldest, entry?.idempotency);
      return true;
    },
    noteLate({ payment: { authorization, key } }, isUnused) {
      if (isUnused) files.add(authorization.from, key, true);
      else files.remove(authorization.from, key);
    },
    async reload() {
      const away = (await inFiles()).filter(({ payment: { key } }) => inMemory(key) === undefined);
      const due = away.filter(({ payment: { key } }) => !reloaded.has(key));
      if (due.length === 0) reloaded.clear();
      for (const kept of due.length === 0 ? away : due) {
        if (unanswered.size >= MAX_OPEN / 2) return;
        if (inMemory(kept.payment.key) !== undefined) continue;
        reloaded.add(kept.payment.key);
        loaded(kept);
      }
    },
    open: () => [...unanswered.values()],
    spent: {
      has: (key) => spent.has(key),
      add: (key) => remember(spent, key, true, MAX_SPENT),
    },
  };
}

/** Drops the oldest entry when full. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value, max: number): void {
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= max) break;
    entries.delete(oldest);
  }
}
