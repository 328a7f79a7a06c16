import type { Response } from 'express';
import type { PaymentRail, PaymentRefusal, Taken } from '../../domain/payment.ts';
import type { Log } from '../../domain/ports.ts';
import { BowlineError, type Result } from '../../domain/result.ts';
import { sendProblem } from './problem.ts';

/** One payment, by the exact words in which it was signed: nobody else knows them. */
interface Entry<Work> {
  readonly prompt: string;
  taken: Promise<Taken>;
  /** Of a try that ended unknown. */
  unsure: boolean;
  /** The work that it paid for; absent until it has begun, and again when it failed. */
  work?: Promise<Result<Work>>;
}

const MOST_ENTRIES = 1_000;
/** A signed payment takes about a kilobyte. */
const MOST_HEADER_CHARS = 8_192;

const refusals: Readonly<Record<PaymentRefusal, string>> = {
  payment_malformed: 'The payment cannot be read: send the v2 payload of x402 in PAYMENT-SIGNATURE.',
  payment_mismatch: 'The payment is not what is asked: sign exactly what PAYMENT-REQUIRED says.',
  payment_refused:
    'The payment was refused and nothing was charged: it may be too low on funds, used up or past its time.',
};

export interface Paywall<Work> {
  /** Answers that payment is asked for, and how. */
  ask(response: Response, refusal?: PaymentRefusal): Promise<void>;
  /**
   * Takes the payment, then does the work. One payment gives one answer however often it is sent: copies that come while
   * it is being worked on wait for the same answer, later ones get it again, and of work that failed the next copy is
   * a new try that costs nothing. Undefined when an error has been answered.
   */
  serve(
    signed: string,
    prompt: string,
    work: () => Promise<Result<Work>>,
    response: Response,
  ): Promise<Result<Work> | undefined>;
}

/** Stands before work that is paid for. What it remembers of payments is lost with the process; what was charged is not. */
export function createPaywall<Work>(rail: PaymentRail, log: Log): Paywall<Work> {
  const entries = new Map<string, Entry<Work>>();

  function entryOf(signed: string, prompt: string): Entry<Work> {
    const known = entries.get(signed);
    if (known !== undefined) return known;
    const entry: Entry<Work> = { prompt, unsure: false, taken: rail.take(signed, false) };
    entries.set(signed, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= MOST_ENTRIES) break;
      entries.delete(oldest);
    }
    return entry;
  }

  const ask: Paywall<Work>['ask'] = async (response, refusal) => {
    const required = await unlessUnavailable(rail.ask(refusal), response);
    if (required === undefined) return;
    response.set('PAYMENT-REQUIRED', required).set('Cache-Control', 'no-store');
    sendProblem(
      response,
      refusal ?? 'payment_required',
      refusal ? refusals[refusal] : 'Pay as PAYMENT-REQUIRED says (x402 v2), and send the same request again.',
    );
  };

  return {
    ask,

    async serve(signed, prompt, work, response) {
      if (signed.length > MOST_HEADER_CHARS) {
        await ask(response, 'payment_malformed');
        return undefined;
      }
      const entry = entryOf(signed, prompt);
      if (entry.prompt !== prompt) {
        sendProblem(
          response,
          'payment_used',
          'This payment was sent with another prompt, and pays for that one alone.',
        );
        return undefined;
      }
      const taken = await unlessUnavailable(entry.taken, response);
      if (taken === undefined) {
        entries.delete(signed);
        return undefined;
      }
      switch (taken.state) {
        case 'refused':
          entries.delete(signed);
          await ask(response, taken.reason);
          return undefined;
        case 'unknown':
          return await tryAgain(signed, entry, taken, response, work);
        case 'paid':
          return await paid(entry, taken, response, work);
      }
    },
  };

  /** Looks again at a payment whose first try ended unknown; what the first copy was told, it is not told again. */
  async function tryAgain(
    signed: string,
    entry: Entry<Work>,
    unknown: Extract<Taken, { state: 'unknown' }>,
    response: Response,
    work: () => Promise<Result<Work>>,
  ): Promise<Result<Work> | undefined> {
    if (entry.unsure) {
      // Should the rail be down now, it is as unknown as it was.
      entry.taken = rail.take(signed, true).catch(() => unknown);
      const taken = await entry.taken;
      if (taken.state === 'paid') return await paid(entry, taken, response, work);
      if (taken.state === 'refused') {
        entries.delete(signed);
        await ask(response, taken.reason);
        return undefined;
      }
    }
    entry.unsure = true;
    const { transaction } = unknown;
    log.warn('payment.unknown', { transaction });
    const named = transaction === undefined ? '' : ` (transaction ${transaction})`;
    const detail = `It is not known yet whether the payment went through${named}. Send the same request again: it is charged once at most.`;
    response.set('Retry-After', '5');
    sendProblem(response, 'settlement_unknown', detail);
    return undefined;
  }

  async function paid(
    entry: Entry<Work>,
    { transaction, receipt }: Extract<Taken, { state: 'paid' }>,
    response: Response,
    work: () => Promise<Result<Work>>,
  ): Promise<Result<Work>> {
    response.set('PAYMENT-RESPONSE', receipt);
    entry.work ??= work();
    const began = entry.work;
    const result = await began;
    if (!result.ok && entry.work === began) {
      delete entry.work;
      log.warn('payment.work_failed', { transaction, code: result.code });
    }
    return result;
  }
}

/** Nothing was tried when a rail is not available. */
async function unlessUnavailable<Answer>(answer: Promise<Answer>, response: Response): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof BowlineError) || error.code !== 'payment_unavailable') throw error;
    sendProblem(response, error.code, error.message);
    return undefined;
  }
}
