import type { Response } from 'express';
import {
  type Payment,
  type PaymentRail,
  type PaymentRefusal,
  paymentRefusals,
  type Settlement,
  type Taken,
} from '../../domain/payment.ts';
import type { Log } from '../../domain/ports.ts';
import { BowlineError, type Result } from '../../domain/result.ts';
import { sendProblem } from './problem.ts';
import { admits, type Limit, type Place } from './rate-limit.ts';

/** One payment, known by its nonce: every encoding of it is the same payment. */
interface Entry<Work> {
  readonly payment: Payment;
  prompt: string;
  /** Absent until the token accepts the payment in a simulation. */
  settlement?: Settlement;
  /** Whether the facilitator has been asked. */
  tried: boolean;
  /** Present while the payment is being taken: copies wait for the same outcome. */
  running?: Promise<Outcome>;
  paid?: Paid;
  /** What it has taken of the limit; absent before that, after it was given back, and once the work has begun. */
  place?: Place;
  /** The work that it paid for; absent until it has begun, and again when it failed. */
  work?: Promise<Result<Work>>;
}

type Paid = Extract<Taken, { state: 'paid' }>;
type Outcome = Taken | { readonly state: 'over_limit'; readonly place: Place };

const MOST_ENTRIES = 1_000;
/** A signed payment takes about a kilobyte. */
const MOST_HEADER_CHARS = 8_192;

export interface Paywall<Work> {
  /** Answers that payment is asked for, and how. */
  ask(response: Response): Promise<void>;
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

/**
 * Stands before work that is paid for. A payment counts once against the limit, after the token accepts it in a simulation and before
 * it is settled. A refused payment does not count. What it remembers of payments is lost with the process; what was charged is not.
 */
export function createPaywall<Work>(rail: PaymentRail, limit: Limit, log: Log): Paywall<Work> {
  type Entries = Map<string, Entry<Work>>;
  const active: Entries = new Map();
  /** Paid, or of unknown outcome. */
  const kept: Entries = new Map();
  /** Declined by the facilitator. Kept apart: anybody with funds may cause many, and they must not evict the others. */
  const declined: Entries = new Map();

  const known = ({ key }: Payment) => active.get(key) ?? kept.get(key) ?? declined.get(key);

  async function take(entry: Entry<Work>): Promise<Outcome> {
    const { key } = entry.payment;
    active.set(key, entry);
    kept.delete(key);
    declined.delete(key);
    let home = entry.tried ? declined : undefined;
    try {
      const opened = entry.settlement ?? (await rail.open(entry.payment));
      if (typeof opened === 'string') return { state: 'refused', reason: opened };
      entry.settlement = opened;
      const place = entry.place ?? limit.take();
      if (!place.allowed) return { state: 'over_limit', place };
      entry.place = place;
      entry.tried = true;
      const taken = await opened.settle();
      if (taken.state === 'refused') {
        place.giveBack();
        delete entry.place;
        home = taken.reason === 'facilitator_refuses' ? declined : undefined;
      } else {
        if (taken.state === 'paid') entry.paid = taken;
        home = kept;
      }
      return taken;
    } finally {
      active.delete(key);
      if (home !== undefined) remember(home, entry);
    }
  }

  function takenOnce(entry: Entry<Work>): Promise<Outcome> {
    entry.running ??= take(entry).finally(() => {
      delete entry.running;
    });
    return entry.running;
  }

  async function refuse(response: Response, reason: PaymentRefusal): Promise<undefined> {
    const [code, detail] = paymentRefusals[reason];
    log.debug('payment.refused', { code, reason });
    response.set('PAYMENT-REQUIRED', await rail.ask(reason)).set('Cache-Control', 'no-store');
    sendProblem(response, code, detail, reason);
    return undefined;
  }

  async function begun(entry: Entry<Work>, work: () => Promise<Result<Work>>, response: Response) {
    if (entry.work === undefined) {
      // Each retry of failed work counts again.
      const place = entry.place ?? limit.take();
      if (!admits(limit, place, response)) return undefined;
      delete entry.place;
      entry.work = work();
    }
    const began = entry.work;
    const result = await began;
    if (!result.ok && entry.work === began) {
      delete entry.work;
      log.warn('payment.work_failed', { transaction: entry.paid?.transaction, code: result.code });
    }
    return result;
  }

  async function serve(
    signed: string,
    prompt: string,
    work: () => Promise<Result<Work>>,
    response: Response,
  ): Promise<Result<Work> | undefined> {
    const payment = signed.length > MOST_HEADER_CHARS ? 'unreadable' : await rail.read(signed);
    if (typeof payment === 'string') return await refuse(response, payment);
    // A known payment is not checked again: its validity may have ended after it paid.
    if (known(payment)?.payment.id !== payment.id) {
      const wrong = await rail.check(payment);
      if (wrong !== undefined) return await refuse(response, wrong);
    }
    const entry = known(payment) ?? { payment, prompt, tried: false };
    // Nothing was done for a declined payment, so it may come with another prompt.
    if (declined.has(payment.key)) entry.prompt = prompt;
    if (entry.prompt !== prompt) {
      const detail = 'This payment was sent with another prompt, and pays for that one alone.';
      sendProblem(response, 'payment_used_for_another_prompt', detail);
      return undefined;
    }
    const outcome = entry.paid ?? (await takenOnce(entry));
    switch (outcome.state) {
      case 'paid':
        response.set('PAYMENT-RESPONSE', outcome.receipt);
        return await begun(entry, work, response);
      case 'refused':
        return await refuse(response, outcome.reason);
      case 'over_limit':
        admits(limit, outcome.place, response);
        return undefined;
      case 'unknown':
        tellUnknown(outcome, response);
        return undefined;
    }
  }

  function tellUnknown({ transaction }: Extract<Taken, { state: 'unknown' }>, response: Response): void {
    log.warn('payment.unknown', { transaction });
    const named = transaction === undefined ? '' : ` (transaction ${transaction})`;
    const detail = `It is not known yet whether the payment went through${named}. Send the same request again: it is charged once at most.`;
    response.set('Retry-After', '5');
    sendProblem(response, 'settlement_unknown', detail);
  }

  return {
    ask: (response) =>
      unlessUnavailable(response, async () => {
        response.set('PAYMENT-REQUIRED', await rail.ask()).set('Cache-Control', 'no-store');
        const detail = 'Pay as PAYMENT-REQUIRED says (x402 v2), and send the same request again.';
        sendProblem(response, 'payment_required', detail);
      }),
    serve: (signed, prompt, work, response) => unlessUnavailable(response, () => serve(signed, prompt, work, response)),
  };
}

/** Forgets the oldest when there are too many. The chain takes each of them once, whatever is forgotten here. */
function remember<Work>(entries: Map<string, Entry<Work>>, entry: Entry<Work>): void {
  entries.set(entry.payment.key, entry);
  for (const oldest of entries.keys()) {
    if (entries.size <= MOST_ENTRIES) break;
    entries.delete(oldest);
  }
}

/** Nothing was tried when a rail is not available. */
async function unlessUnavailable<Answer>(response: Response, work: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BowlineError)) throw error;
    if (error.code !== 'payment_unavailable' && error.code !== 'rate_limited') throw error;
    response.set('Retry-After', error.code === 'rate_limited' ? '60' : '5');
    sendProblem(response, error.code, error.message);
    return undefined;
  }
}
