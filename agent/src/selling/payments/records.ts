import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { type Payment, paymentMethods } from '@bowline/core/domain/payment';
import { z } from 'zod';
import { paymentFolders } from '../../process/data-places.ts';
import { writeOnce, writeWhole } from '../../process/whole-file.ts';
import type { State } from './machine.ts';
import type { Ask, Question } from './question.ts';

/** What is kept of one payment: bound to one question, from the kept answer on. */
export interface PaymentRecord {
  readonly payment: Payment;
  readonly question: Question;
  /** Name of the payer's Idempotency-Key. */
  readonly idempotency?: string | undefined;
  readonly state: KeptState;
}

export type KeptState = Exclude<State, { name: 'NEW' | 'WORKING' | 'DEAD' }>;

/**
 * Payments as files, one each: `open/` has those that are not paid, `answered/` the others, `keys/` the payments of Idempotency-Keys,
 * `transfers/` what each transfer has paid. A file is whole or absent, so that a running agent's folder can be copied. Every method
 * rejects with the system's errors.
 */
export interface Records {
  /** By the payment's key. */
  find(key: string): Promise<PaymentRecord | undefined>;
  /** On disk when it resolves. */
  put(record: PaymentRecord): Promise<void>;
  /** Forgets a payment that took nothing. */
  drop(record: Pick<PaymentRecord, 'payment' | 'idempotency'>): Promise<void>;
  /** Those that are not paid. */
  open(): Promise<readonly PaymentRecord[]>;
  /** The key of the payment that came last with an Idempotency-Key. */
  boundTo(idempotency: string): Promise<string | undefined>;
  /**
   * Whether a transfer proves this payment: on disk when it resolves, and for good. One transfer never proves two, whatever is
   * asked at the same time.
   */
  claim(transfer: string, key: string): Promise<boolean>;
  /** Forgets what is over a week old. */
  prune(nowMs: number): Promise<void>;
  /** Another process may hold the folder. */
  close(): void;
}

const WEEK_MS = 7 * 24 * 3_600_000;
/** Signatures and answers are the payer's. */
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

/**
 * Holds the folder, as long as the process lives: two would settle and answer the same payment twice.
 * @param folder a URL with a trailing slash.
 * @param onUnreadable told of a file that cannot be read: it stays where it is, and its payment alone is unavailable.
 */
export async function openRecords(folder: URL, onUnreadable: (name: string, error: unknown) => void): Promise<Records> {
  const folders = paymentFolders.map((name) => new URL(name, folder)) as [URL, URL, URL, URL];
  const [open, answered, keys, transfers] = folders;
  for (const each of folders) await mkdir(each, { recursive: true, mode: 0o700 });
  const lock = heldBy(new URL('lock', folder));

  const read = async (file: URL): Promise<PaymentRecord | undefined> => {
    const text = await textOf(file);
    return text === undefined ? undefined : recordSchema.parse(JSON.parse(text));
  };

  return {
    async find(key) {
      const done = await read(fileOf(answered, key));
      // A file that came from elsewhere: nothing in it was proved to this agent.
      return done !== undefined && isPaid(done.state) ? done : read(fileOf(open, key));
    },

    async put(record) {
      const { payment: kept, idempotency, state } = record;
      const hasPaid = isPaid(state);
      if (idempotency !== undefined && state.name === 'KEPT')
        await writeWhole(fileOf(keys, idempotency), kept.key, PRIVATE);
      const text = JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      await writeWhole(fileOf(hasPaid ? answered : open, kept.key), text, PRIVATE);
      if (hasPaid) await rm(fileOf(open, kept.key), { force: true });
    },

    async drop({ payment: { key }, idempotency }) {
      await rm(fileOf(open, key), { force: true });
      if (idempotency !== undefined && (await textOf(fileOf(keys, idempotency))) === key) {
        await rm(fileOf(keys, idempotency), { force: true });
      }
    },

    async open() {
      const kept: PaymentRecord[] = [];
      for (const name of await namesIn(open)) {
        try {
          const one = await read(new URL(name, open));
          // The process ended between the two steps of `put`.
          const done = await read(new URL(name, answered));
          if (done && isPaid(done.state)) await rm(new URL(name, open), { force: true });
          else if (one) kept.push(one);
        } catch (error) {
          onUnreadable(name, error);
        }
      }
      return kept;
    },

    boundTo: (idempotency) => textOf(fileOf(keys, idempotency)),

    async claim(transfer, key) {
      const file = fileOf(transfers, transfer);
      return (await writeOnce(file, key, PRIVATE)) || (await textOf(file)) === key;
    },

    async prune(nowMs) {
      // Claims stay for another week: no payment that could make one of the same transfer is kept for as long.
      const ages = [
        [open, 1],
        [answered, 1],
        [keys, 1],
        [transfers, 2],
      ] as const;
      for (const [each, weeks] of ages) {
        for (const name of await readdir(each)) {
          const file = new URL(name, each);
          if ((await stat(file)).mtimeMs < nowMs - weeks * WEEK_MS) await rm(file, { force: true });
        }
      }
    },

    close: () => lock.close(),
  };
}

const SQLITE_BUSY = 5;

/** The system ends SQLite's lock with the process, however that ends. Throws if another one has it. */
function heldBy(file: URL): DatabaseSync {
  const lock = new DatabaseSync(file);
  try {
    lock.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (place); COMMIT');
    return lock;
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new Error(`Another process holds ${file.pathname}: one agent per folder.`, { cause });
  }
}

const isPaid = ({ name }: KeptState): boolean => name === 'PAID' || name === 'STALE';

const fileOf = (folder: URL, key: string) => new URL(`${createHash('sha256').update(key).digest('hex')}.json`, folder);

const namesIn = async (folder: URL) => (await readdir(folder)).filter((name) => name.endsWith('.json'));

async function textOf(file: URL): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
