import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type Json, type Payment, type Progress, paymentMethods } from '@bowline/core/domain/payment';
import { withToken } from '@bowline/core/domain/payment-file';
import type { Hex } from '@bowline/core/domain/units';
import { z } from 'zod';
import { paymentFolders } from '../process/data-places.ts';
import { writeOnce, writeWhole } from '../process/whole-file.ts';
import type { LostTime } from './lost.ts';
import type { Ask, Question } from './question.ts';

/** What is kept of a payment. */
export interface KeptPayment {
  readonly payment: Payment;
  readonly question: Question;
  /** Name of the payer's Idempotency-Key. */
  readonly idempotency?: string | undefined;
  readonly progress: Progress;
  /** Absent: not known to be paid. */
  readonly paid?: { readonly transaction: Hex; readonly receipt: Json } | undefined;
  /** What is owed while the paid work has failed. */
  readonly credit?: Json | undefined;
  /** Absent: not answered. */
  readonly answer?: Json | undefined;
}

/**
 * Payments as files, one each, so that they survive the process: `open/` has those without an answer, `answered/` the
 * others, `keys/` the payments of Idempotency-Keys, `transfers/` those that transfers have paid; `restored.json` is a
 * restore's. Every method rejects with the
 * system's errors; a file is whole or absent.
 */
export interface PaymentStore {
  /** By the payment's key. */
  find(key: string): Promise<KeptPayment | undefined>;
  /** On disk when it resolves. */
  put(kept: KeptPayment): Promise<void>;
  /** Forgets a payment that took nothing, by its key, and what its Idempotency-Key names. */
  drop(key: string, idempotency: string | undefined): Promise<void>;
  /** An Idempotency-Key names no payment any more. */
  unbind(idempotency: string): Promise<void>;
  /** Those without an answer. */
  open(): Promise<readonly KeptPayment[]>;
  /** The key of the payment that came with an Idempotency-Key. */
  boundTo(idempotency: string): Promise<string | undefined>;
  /**
   * Whether a transfer proves this payment: on disk when it resolves, and for good. One transfer never proves two, whatever is
   * asked at the same time.
   */
  claim(transfer: string, key: string): Promise<boolean>;
  /** The time of which a restore has lost the payments, for as long as answers are kept. */
  lost(nowMs: number): Promise<LostTime | undefined>;
  /** Forgets answers and the names of Idempotency-Keys of more than a week ago. */
  prune(nowMs: number): Promise<void>;
}

/** Milliseconds between two prunes. */
export const PRUNE_MS = 24 * 3_600_000;
const WEEK_MS = 7 * 24 * 3_600_000;
/** Signatures and answers are the payer's. */
const PRIVATE = 0o600;

const hex = z.string().regex(/^0x[0-9a-f]*$/) as unknown as z.ZodType<Hex>;
const integer = z.string().regex(/^\d+$/).transform(BigInt);
const json = z.record(z.string(), z.unknown());
const ask: z.ZodType<Ask> = z.union([
  z.strictObject({ tool: z.string(), input: json }),
  z.strictObject({ prompt: z.string() }),
]);

const payment = z.object({
  key: z.string(),
  id: z.string(),
  method: z.enum(paymentMethods),
  asset: hex,
  authorization: z.object({
    from: hex,
    to: hex,
    value: integer,
    validAfter: integer,
    validBefore: integer,
    nonce: hex,
    spender: hex.optional(),
  }) as unknown as z.ZodType<Payment['authorization']>,
  digest: hex,
  signature: hex,
}) as unknown as z.ZodType<Payment>;

/** A payment's file, parsed. */
const keptSchema = z.object({
  payment: z.preprocess(withToken, payment),
  question: z.object({ key: z.string(), ask }),
  idempotency: z.string().optional(),
  progress: z.object({ since: integer, transactions: z.array(hex) }),
  paid: z.object({ transaction: hex, receipt: json }).optional(),
  credit: json.optional(),
  answer: json.optional(),
});

/**
 * @param folder a URL with a trailing slash.
 * @param onUnreadable told of a file that cannot be read: it stays where it is, and its payment alone is unavailable.
 */
export async function openPaymentStore(
  folder: URL,
  onUnreadable: (name: string, error: unknown) => void,
): Promise<PaymentStore> {
  const inside = (name: string) => new URL(name, folder);
  const folders = paymentFolders.map(inside) as [URL, URL, URL, URL];
  const [open, answered, keys, transfers] = folders;
  for (const each of folders) await mkdir(each, { recursive: true, mode: 0o700 });

  const read = async (file: URL): Promise<KeptPayment | undefined> => {
    const text = await textOf(file);
    return text === undefined ? undefined : keptSchema.parse(JSON.parse(text));
  };

  const unbind = (idempotency: string) => rm(fileOf(keys, idempotency), { force: true });

  return {
    async find(key) {
      const done = await read(fileOf(answered, key));
      // A file that came from elsewhere: nothing in it was proved to this agent.
      return done?.answer === undefined ? read(fileOf(open, key)) : done;
    },

    async put(kept) {
      const { key } = kept.payment;
      if (kept.idempotency !== undefined && kept.paid === undefined) {
        await writeWhole(fileOf(keys, kept.idempotency), key, PRIVATE);
      }
      const state = kept.answer ? 'answered' : kept.paid ? 'paid' : 'settling';
      const text = JSON.stringify({ state, ...kept }, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      await writeWhole(fileOf(kept.answer ? answered : open, key), text, PRIVATE);
      if (kept.answer) await rm(fileOf(open, key), { force: true });
    },

    async drop(key, idempotency) {
      await rm(fileOf(open, key), { force: true });
      if (idempotency !== undefined) await unbind(idempotency);
    },

    unbind,

    async open() {
      const kept: KeptPayment[] = [];
      for (const name of await namesIn(open)) {
        try {
          const one = await read(new URL(name, open));
          // The process ended between the two steps of `put`.
          const isAnswered = one && (await read(fileOf(answered, one.payment.key))) !== undefined;
          if (isAnswered) await rm(new URL(name, open), { force: true });
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

    async lost(nowMs) {
      const text = await textOf(inside('restored.json'));
      if (text === undefined) return undefined;
      const { from, until } = z.object({ from: integer, until: integer }).parse(JSON.parse(text));
      return Number(until) * 1_000 < nowMs - WEEK_MS ? undefined : { from, until };
    },

    async prune(nowMs) {
      // Not claims of transfers: a payment of unknown outcome may rest for longer, and could then claim what has paid another.
      for (const each of [answered, keys]) {
        for (const name of await namesIn(each)) {
          const file = new URL(name, each);
          if ((await stat(file)).mtimeMs < nowMs - WEEK_MS) await rm(file, { force: true });
        }
      }
    },
  };
}

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
