import type { Payment } from '@bowline/core/domain/payment';
import type { Place } from '@bowline/http/rate-limit';
import { afterRestart, type State, type Told } from './machine.ts';
import { delayed, type Outcome } from './outcome.ts';
import type { Question } from './question.ts';
import type { KeptState, PaymentRecord, Records } from './records.ts';

/** One payment, identified by its nonce: every encoding of it is the same payment. */
export interface Entry {
  readonly payment: Payment;
  readonly question: Question;
  /** Name of the payer's Idempotency-Key. */
  readonly idempotency?: string | undefined;
  state: State;
  /** The request that drives it, which its copies wait for. */
  running?: Promise<Told>;
  /** Of the clients that wait for it. */
  readonly waiting: Set<AbortSignal>;
  /** Requests to settle it by this process, and the time of the last. */
  asked: { readonly times: number; readonly atMs: number };
  /** Its place in the rate limit. */
  place?: Place;
  /** How often its outcome was looked for after its validity without being asked. */
  sweeps: number;
  /** The last write of its file: two at once could end in either order. */
  writing: Promise<void>;
}

/** Work without a known settlement, of one payer and of all: it costs nothing until it is settled. */
const MAX_OF_ONE_PAYER = 4;
const MAX_UNSETTLED = 256;
/** Records of one payer that are not paid, refused ones too: whoever wants to fill the disk pays a transaction for each account. */
const MAX_RECORDS = 32;
/** Answers in memory; the files have all of them. */
const MAX_ANSWERED = 200;
/** Sweeps of one payment: the file of one whose nodes do not agree stays for a week. */
const MAX_SWEEPS = 10;
/** Payments that are swept at a time. */
const SWEPT_AT_ONCE = 100;
const WEEK_SECONDS = 7n * 86_400n;

/** The payments that this agent knows: those that are not paid in memory, and all of them in files. */
export interface Entries {
  /** From memory, or else from its file. */
  find(key: string): Promise<Entry | undefined>;
  /** Without reading files: the payment itself, or that of the Idempotency-Key. */
  inMemory(key: string, idempotency: string | undefined): Entry | undefined;
  /** The payment that came with an Idempotency-Key, unless it took nothing. */
  boundTo(idempotency: string): Promise<Entry | undefined>;
  /** Adds a new payment, if there is room for its work. */
  add(payment: Payment, question: Question, idempotency: string | undefined): Entry | Outcome;
  keep(entry: Entry): Promise<void>;
  drop(entry: Entry): Promise<void>;
  /** Out of memory alone. */
  forget(entry: Entry): void;
  /** Its answer makes room in memory for later ones. */
  paid(entry: Entry): void;
  /** Those that are not paid and whose outcome is due. */
  due(isDue: (payment: Payment) => boolean): readonly Entry[];
}

export async function createEntries(records: Records, clock: () => bigint): Promise<Entries> {
  const entries = new Map<string, Entry>();
  const answered = new Set<Entry>();

  const entryOf = ({ state, ...rest }: Omit<PaymentRecord, 'state'> & { readonly state: State }): Entry => {
    const fresh = {
      waiting: new Set<AbortSignal>(),
      asked: { times: 0, atMs: 0 },
      sweeps: 0,
      writing: Promise.resolve(),
    };
    const entry: Entry = { ...rest, ...fresh, state };
    entries.set(rest.payment.key, entry);
    return entry;
  };

  /** After a week no claim of another payment's transfer bars this one any more. */
  const isOver = ({ payment, state }: Pick<PaymentRecord, 'payment'> & { readonly state: State }): boolean =>
    state.name !== 'PAID' && clock() > payment.authorization.validBefore + WEEK_SECONDS;

  const inMemory = (key: string, idempotency?: string): Entry | undefined =>
    entries.get(key) ??
    (idempotency === undefined
      ? undefined
      : [...entries.values()].find((each) => each.idempotency === idempotency && !tookNothing(each)));

  const tookNothing = ({ state: { name } }: Entry): boolean => name === 'REFUSED' || name === 'DEAD';

  async function find(key: string): Promise<Entry | undefined> {
    const known = entries.get(key);
    if (known !== undefined) return isOver(known) && known.running === undefined ? void entries.delete(key) : known;
    const record = await records.find(key);
    if (record === undefined || isOver(record)) return inMemory(key);
    return inMemory(key) ?? entryOf({ ...record, state: afterRestart(record.state) });
  }

  for (const record of await records.open()) {
    if (!isOver(record)) entryOf({ ...record, state: afterRestart(record.state) });
  }

  return {
    find,
    inMemory,
    async boundTo(idempotency) {
      const key = await records.boundTo(idempotency);
      const entry = key === undefined ? undefined : await find(key);
      return entry && !tookNothing(entry) ? entry : undefined;
    },
    add(payment, question, idempotency) {
      const { from } = payment.authorization;
      const unpaid = [...entries.values()].filter((each) => !answered.has(each));
      const unsettled = unpaid.filter(({ state, sweeps }) => state.name !== 'REFUSED' && sweeps === 0);
      const isHis = (each: Entry) => each.payment.authorization.from === from;
      if (unsettled.filter(isHis).length >= MAX_OF_ONE_PAYER || unpaid.filter(isHis).length >= MAX_RECORDS) {
        return { state: 'later', ...delayed('payer_busy') };
      }
      if (unsettled.length >= MAX_UNSETTLED) return { state: 'later', ...delayed('agent_busy') };
      return entryOf({ payment, question, idempotency, state: { name: 'NEW' } });
    },
    keep(entry) {
      const { payment, question, idempotency } = entry;
      const record = { payment, question, ...(idempotency && { idempotency }), state: entry.state as KeptState };
      const written = entry.writing.then(() => records.put(record));
      entry.writing = written.catch(() => {});
      return written;
    },
    async drop(entry) {
      await entry.writing;
      await records.drop(entry);
    },
    forget: ({ payment: { key } }) => void entries.delete(key),
    paid(entry) {
      answered.delete(entry);
      answered.add(entry);
      for (const oldest of answered) {
        if (answered.size <= MAX_ANSWERED) return;
        answered.delete(oldest);
        if (oldest.running === undefined) entries.delete(oldest.payment.key);
      }
    },
    due: (isDue) =>
      [...entries.values()]
        .filter(({ state, sweeps, running, payment }) => {
          const isOpen = state.name !== 'PAID' && state.name !== 'NEW' && running === undefined;
          return isOpen && sweeps < MAX_SWEEPS && isDue(payment);
        })
        .slice(0, SWEPT_AT_ONCE),
  };
}
