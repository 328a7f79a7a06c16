import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { type Payment, paymentMethods } from '@bowline/core/domain/payment';
import { z } from 'zod';
import { paymentFolders } from '../../process/data-places.ts';
import { writeOnce, writeWhole } from '../../process/whole-file.ts';
import type { State } from './machine.ts';
import type { Ask, Question } from './question.ts';

/** The record of one payment, bound to one question. It exists once the answer is kept. */
export interface PaymentRecord {
  readonly payment: Payment;
  readonly question: Question;
  /** Name of the payer's Idempotency-Key. */
  readonly idempotency?: string | undefined;
  readonly state: KeptState;
}

export type KeptState = Exclude<State, { name: 'NEW' | 'WORKING' | 'DEAD' }>;

const WEEK_MS = 7 * 24 * 3_600_000;
/** File mode: signatures and answers are private to the payer. */
const PRIVATE = 0o600;

const hex = z.custom<`0x${string}`>((text) => typeof text === 'string' && /^0x[0-9a-f]*$/.test(text));
const integer = z.string().regex(/^\d+$/).transform(BigInt);
const json = z.record(z.string(), z.unknown());
const ask: z.ZodType<Ask> = z.union([
  z.strictObject({ tool: z.string(), input: json }),
  z.strictObject({ prompt: z.string() }),
]);
const authorization = z.object({
  ...{ from: hex, to: hex, value: integer, validAfter: integer, validBefore: integer, nonce: hex },
  spender: hex.optional(),
});
const payment = z.object({
  ...{ key: z.string(), id: z.string(), network: z.string(), method: z.enum(paymentMethods), asset: hex },
  ...{ authorization, signature: hex },
});

/** A payment's file, parsed. */
const recordSchema = z.object({
  payment,
  question: z.object({ key: z.string(), ask }),
  idempotency: z.string().optional(),
  state: z
    .looseObject({
      name: z.enum(['KEPT', 'SETTLING', 'REFUSED', 'UNKNOWN', 'PAID', 'STALE']),
      ...{ since: integer, answer: json, hashes: z.array(hex), isUnanswered: z.boolean() },
    })
    .transform((state) => state as unknown as KeptState),
});

/** Throws if the text is not a payment record. */
export const readRecord = (text: string): PaymentRecord => recordSchema.parse(JSON.parse(text));

/**
 * Payments as files, one each: `open/` has those that are not paid, `answered/` the others, `keys/` the payments of Idempotency-Keys,
 * `transfers/` what each transfer has paid. A file is whole or absent, so that a running agent's folder can be copied. Every method
 * rejects with the system's errors.
 */
export class Records {
  readonly #folders: readonly [open: URL, answered: URL, keys: URL, transfers: URL];
  readonly #lock: DatabaseSync;
  readonly #onUnreadable: OnUnreadable;

  constructor(folders: readonly [URL, URL, URL, URL], lock: DatabaseSync, onUnreadable: OnUnreadable) {
    this.#folders = folders;
    this.#lock = lock;
    this.#onUnreadable = onUnreadable;
  }

  /** By the payment's key. */
  async find(key: string): Promise<PaymentRecord | undefined> {
    const [open, answered] = this.#folders;
    const done = await read(fileOf(answered, key));
    // An unpaid file here came from elsewhere: nothing in it was proved to this agent.
    return done !== undefined && isPaid(done.state) ? done : read(fileOf(open, key));
  }

  /** On disk when it resolves. */
  async put(record: PaymentRecord): Promise<void> {
    const [open, answered, keys] = this.#folders;
    const { payment: kept, idempotency, state } = record;
    const hasPaid = isPaid(state);
    if (idempotency !== undefined && state.name === 'KEPT')
      await writeWhole(fileOf(keys, idempotency), kept.key, PRIVATE);
    const text = JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
    await writeWhole(fileOf(hasPaid ? answered : open, kept.key), text, PRIVATE);
    if (hasPaid) await rm(fileOf(open, kept.key), { force: true });
  }

  /** Forgets a payment that took nothing. */
  async drop({ payment: { key }, idempotency }: Pick<PaymentRecord, 'payment' | 'idempotency'>): Promise<void> {
    const [open, , keys] = this.#folders;
    await rm(fileOf(open, key), { force: true });
    if (idempotency !== undefined && (await this.boundTo(idempotency)) === key) await rm(fileOf(keys, idempotency));
  }

  /** Those that are not paid. */
  async open(): Promise<readonly PaymentRecord[]> {
    const [open, answered] = this.#folders;
    const kept: PaymentRecord[] = [];
    for (const name of (await readdir(open)).filter((each) => each.endsWith('.json'))) {
      try {
        const one = await read(new URL(name, open));
        // The process ended between the two steps of `put`.
        const done = await read(new URL(name, answered));
        if (done && isPaid(done.state)) await rm(new URL(name, open), { force: true });
        else if (one) kept.push(one);
      } catch (error) {
        this.#onUnreadable(name, error);
      }
    }
    return kept;
  }

  /** The key of the payment that came last with an Idempotency-Key. */
  boundTo(idempotency: string): Promise<string | undefined> {
    return textOf(fileOf(this.#folders[2], idempotency));
  }

  /**
   * Whether a transfer proves this payment: on disk when it resolves, and for good. One transfer never proves two
   * payments, even with concurrent claims.
   */
  async claim(transfer: string, key: string): Promise<boolean> {
    const file = fileOf(this.#folders[3], transfer);
    return (await writeOnce(file, key, PRIVATE)) || (await textOf(file)) === key;
  }

  /** Prunes records older than a week. Claims stay for another week: no payment that could claim the same transfer is kept that long. */
  async prune(nowMs: number): Promise<void> {
    for (const [at, folder] of this.#folders.entries()) {
      for (const name of await readdir(folder)) {
        const file = new URL(name, folder);
        if ((await stat(file)).mtimeMs < nowMs - (at === 3 ? 2 : 1) * WEEK_MS) await rm(file, { force: true });
      }
    }
  }

  /** Afterwards another process may lock the folder. */
  close(): void {
    this.#lock.close();
  }
}

/** Called for a file that cannot be read: it stays in place, and only its payment is unavailable. */
type OnUnreadable = (name: string, error: unknown) => void;

/**
 * Locks the folder while the process lives: two processes would settle and answer the same payment twice.
 * @param folder a URL with a trailing slash.
 */
export async function openRecords(folder: URL, onUnreadable: OnUnreadable): Promise<Records> {
  const folders = paymentFolders.map((name) => new URL(name, folder)) as [URL, URL, URL, URL];
  for (const each of folders) await mkdir(each, { recursive: true, mode: 0o700 });
  return new Records(folders, heldBy(new URL('lock', folder)), onUnreadable);
}

const SQLITE_BUSY = 5;

/** The system releases SQLite's lock however the process ends. Throws if another process has it. */
function heldBy(file: URL): DatabaseSync {
  const lock = new DatabaseSync(file);
  try {
    lock.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (place); COMMIT');
    return lock;
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new Error(`Another process has locked ${file.pathname}: run one agent per folder.`, { cause });
  }
}

export const isPaid = ({ name }: Pick<State, 'name'>): boolean => name === 'PAID' || name === 'STALE';

const fileOf = (folder: URL, key: string) => new URL(`${createHash('sha256').update(key).digest('hex')}.json`, folder);

async function read(file: URL): Promise<PaymentRecord | undefined> {
  const text = await textOf(file);
  return text === undefined ? undefined : readRecord(text);
}

async function textOf(file: URL): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
