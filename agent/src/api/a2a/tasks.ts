import { Message } from '@a2a-js/sdk';
import type { Log } from '@bowline/core/domain/log';
import type { Json } from '@bowline/core/domain/payment';
import { BowlineError } from '@bowline/core/domain/result';
import { z } from 'zod';

/** A priced question as a task. What became of it its payments tell. */
export interface AskedTask {
  readonly id: string;
  readonly contextId: string;
  /** The message that asked. */
  readonly message: Message;
  /** Keys of the payments that came with it and may have been taken, the newest last. */
  readonly payments: readonly string[];
  /** What its payments were told that were refused, as x402's SettleResponses, the newest last: they are nowhere else. */
  readonly declined: readonly Json[];
}

/** Priced questions in files, each for whoever has its ID. Nobody can list them. */
export interface AskedTasks {
  /** On disk when it resolves. Throws BowlineError, and then nothing is kept. */
  begin(task: Pick<AskedTask, 'id' | 'contextId' | 'message'>): Promise<void>;
  /**
   * These payments are about to be taken for it: it makes no room for others. A disk that fails is logged.
   * @returns to be called if nothing was taken.
   */
  bind(id: string, payments: readonly string[]): Promise<() => void>;
  /** Notes what a refused payment was told. A disk that fails is logged. */
  decline(id: string, receipt: Json): Promise<void>;
  load(id: string): Promise<AskedTask | undefined>;
  /** Forgets tasks of over a day ago whose payments are known no more. */
  prune(isKnown: (payment: string) => Promise<boolean>): Promise<void>;
}

/** As in a file: the message is in the protocol's own form. */
export interface KeptTask extends Omit<AskedTask, 'message' | 'payments' | 'declined'> {
  readonly message: unknown;
  readonly payments: string[];
  readonly declined: Json[];
  /** Who asked. */
  readonly caller: string;
}

export const keptTask: z.ZodType<KeptTask> = z.object({
  id: z.string(),
  contextId: z.string(),
  caller: z.string(),
  message: z.unknown(),
  payments: z.array(z.string()),
  // Files of before have none.
  declined: z.array(z.record(z.string(), z.unknown())).default([]),
});

interface TaskFiles {
  put(id: string, task: KeptTask): Promise<void>;
  read(id: string): Promise<KeptTask | undefined>;
  drop(id: string): Promise<void>;
  all(): Promise<readonly { readonly value: KeptTask; readonly writtenAt: number }[]>;
}

/** Tasks that wait for a payment: anybody can make them for nothing. */
const [MAX_WAITING, MAX_OF_CALLER] = [1_000, 50];
/** Tasks with a payment, and those of one payment: anybody can copy it from the chain and send it with tasks of their own. */
const [MAX_PAID, MAX_OF_PAYMENT] = [5_000, 3];
/** Of a task as JSON. */
const MAX_CHARACTERS = 16_000;
const MAX_PAYMENTS = 4;
/** Anybody who has a task's ID can send it payments that are refused. */
const MAX_DECLINED = 16;
const DAY_MS = 86_400_000;

interface Known {
  readonly caller: string;
  payments: readonly string[];
  declined: readonly Json[];
  writtenAt: number;
}

interface TaskDeps {
  readonly files: TaskFiles;
  /** Names who sent the request that is being served, and is kept: better a hash than an address. */
  readonly callerNow: () => string;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Of the tasks that wait for a payment each caller has a share, and the oldest make room; where there are too many of all
 * callers, the one who has most loses the oldest. So a crowd of one caller takes nothing from others.
 */
export async function openTasks({ files, callerNow, nowMs, log }: TaskDeps): Promise<AskedTasks> {
  // Each in the order in which they came.
  const waiting = new Map<string, Known>();
  const paid = new Map<string, Known>();
  for (const { value, writtenAt } of await files.all()) {
    const { id, caller, payments, declined } = value;
    const hasRoom = payments.length > 0 && paid.size < MAX_PAID;
    (hasRoom ? paid : waiting).set(id, { caller, payments, declined, writtenAt });
  }
  await makeRoom();

  const knownOf = (id: string) => waiting.get(id) ?? paid.get(id);

  async function forget(id: string): Promise<void> {
    waiting.delete(id);
    paid.delete(id);
    await files.drop(id).catch((error: unknown) => log.error('task.not_dropped', { task: id, error: String(error) }));
  }

  /** The first of a caller, of whom there are too many. */
  function nextToGo(): string | undefined {
    const counts = new Map<string, number>();
    for (const { caller } of waiting.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    const most = Math.max(...counts.values(), 0);
    if (waiting.size <= MAX_WAITING && most <= MAX_OF_CALLER) return undefined;
    for (const [id, { caller }] of waiting) if (counts.get(caller) === most) return id;
    return undefined;
  }

  async function makeRoom(): Promise<void> {
    for (let id = nextToGo(); id !== undefined; id = nextToGo()) await forget(id);
  }

  function hasPlace(payments: readonly string[]): boolean {
    if (paid.size >= MAX_PAID) return false;
    const all = [...paid.values()].flatMap((each) => each.payments);
    return payments.some((payment) => all.filter((each) => each === payment).length < MAX_OF_PAYMENT);
  }

  async function keep(kept: KeptTask, known: Known): Promise<void> {
    const { id } = kept;
    await files
      .put(id, { ...kept, payments: [...known.payments], declined: [...known.declined] })
      .catch((error: unknown) => log.error('task.not_kept', { task: id, error: String(error) }));
    // It may have made room for another one meanwhile.
    if (knownOf(id) !== known) await forget(id);
  }

  return {
    async begin({ id, contextId, message }) {
      const caller = callerNow();
      const kept: KeptTask = { id, contextId, caller, message: Message.toJSON(message), payments: [], declined: [] };
      if (JSON.stringify(kept).length > MAX_CHARACTERS) {
        const words = `A question that waits for a payment has at most ${MAX_CHARACTERS} characters, with all of its message.`;
        throw new BowlineError('invalid_input', words);
      }
      try {
        await files.put(id, kept);
      } catch (error) {
        log.error('task.not_kept', { task: id, error: String(error) });
        const words = 'The task could not be written to disk. Nothing was charged.';
        throw new BowlineError('payment_unavailable', words, { retryable: true });
      }
      waiting.set(id, { caller, payments: [], declined: [], writtenAt: nowMs() });
      await makeRoom();
    },

    async bind(id, given) {
      const known = knownOf(id);
      const kept = known && (await files.read(id));
      if (known === undefined || kept === undefined || knownOf(id) !== known) return () => {};
      known.payments = [...known.payments.filter((each) => !given.includes(each)), ...given].slice(-MAX_PAYMENTS);
      known.writtenAt = nowMs();
      const isHeld = !paid.has(id) && hasPlace(given);
      if (isHeld) {
        waiting.delete(id);
        paid.set(id, known);
      }
      await keep(kept, known);
      return () => {
        if (!isHeld || !paid.delete(id)) return;
        waiting.set(id, known);
        void makeRoom();
      };
    },

    async decline(id, receipt) {
      const known = knownOf(id);
      const kept = known && (await files.read(id));
      if (known === undefined || kept === undefined || knownOf(id) !== known) return;
      known.declined = [...known.declined, receipt].slice(-MAX_DECLINED);
      await keep(kept, known);
    },

    async load(id) {
      const known = knownOf(id);
      const kept = known && (await files.read(id));
      if (known === undefined || kept === undefined) return undefined;
      const { contextId } = kept;
      const { payments, declined } = known;
      return { id, contextId, message: Message.fromJSON(kept.message), payments, declined };
    },

    async prune(isKnown) {
      for (const [id, { payments, writtenAt }] of [...waiting, ...paid]) {
        if (writtenAt >= nowMs() - DAY_MS) continue;
        const known = await Promise.all(payments.map(isKnown));
        if (!known.includes(true)) await forget(id);
      }
    },
  };
}
